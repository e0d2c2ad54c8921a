internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit
internal import PaymentTransport

/// Signatures by hand: of requests, of callbacks, of the parameters of a session.
struct EcommpaySignatures: SignatureScheme {
    func sign(_ message: [UInt8], secret: Secret, crypto: any Crypto) throws(PaymentError) -> String {
        let parameters = try read(message)
        guard !secret.isEmpty else { throw Self.refused("the secret is empty") }
        let text = try EcommpaySigningRequest(parameters).text
        do { return try EcommpaySigning.signature(text, secret, crypto) } catch {
            throw PaymentError.notExecuted(.unsupported, "there is no cryptography: \(error)")
        }
    }

    func verifies(
        _ message: [UInt8], signature: String?, secret: Secret, crypto: any Crypto
    ) throws(PaymentError) -> Bool {
        let parameters = try read(message)
        guard let given = signature ?? EcommpaySigning.given(in: parameters) else {
            throw Self.refused("the message has no signature, at its top or in `general`")
        }
        return EcommpaySigning.doubt(about: parameters, signed: given, secret, crypto) == nil
    }

    private func read(_ message: [UInt8]) throws(PaymentError) -> JSON {
        guard let json = try? JSONReader().read(message), json.object != nil else {
            throw Self.refused("the message is no JSON object")
        }
        return json
    }

    private static func refused(_ why: String) -> PaymentError {
        PaymentError.notExecuted(.invalidRequest, why)
    }
}
