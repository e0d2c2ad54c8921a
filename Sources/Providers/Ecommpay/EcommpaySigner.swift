public import PaymentProviderKit

/// Who signs: this process, a function that signs bytes, or the merchant's server.
struct EcommpaySignatureMode: Sendable {
    /// The secret, where it is here.
    let secret: Secret?
    private let crypto: any Crypto
    private let sign: @Sendable (EcommpaySigningRequest) async throws -> EcommpaySignedParameters

    static func local(_ secret: Secret, _ crypto: any Crypto) -> EcommpaySignatureMode {
        EcommpaySignatureMode(secret: secret, crypto: crypto) { request in
            EcommpaySignedParameters(
                request.parameters, signature: try EcommpaySigning.signature(request.text, secret, crypto))
        }
    }

    static func bytes(_ signer: @escaping ProviderDependencies.Signer, _ crypto: any Crypto) -> EcommpaySignatureMode {
        EcommpaySignatureMode(secret: nil, crypto: crypto) { request in
            let proof = try await signer(Array(request.text.utf8))
            return EcommpaySignedParameters(request.parameters, signature: proof.expose())
        }
    }

    static func server(_ signer: any EcommpaySigner, _ crypto: any Crypto) -> EcommpaySignatureMode {
        EcommpaySignatureMode(secret: nil, crypto: crypto) { try await signer.sign($0) }
    }

    /// Members that a signer must leave as they are.
    static let fixed = ["project_id", "payment_id", "payment_amount", "payment_currency"]
    /// Members that it may set but not change: who pays, and with what, and what a page does until when.
    static let kept = ["customer_id", "account_token", "operation_type", "best_before"]

    /// Parameters of a session with their signature; a server may have added to them.
    ///
    /// - Parameter text: What the signature is made of, where the vendor's kit says it; nil for our own text.
    func signed(session parameters: JSONObject, text: String? = nil) async throws -> JSON {
        let request =
            if let text { EcommpaySigningRequest(.object(parameters), text: text) } else {
                try EcommpaySigningRequest(.object(parameters))
            }
        let signed = try await sign(request)
        let due = Self.fixed + Self.kept.filter { parameters[$0] != nil }
        guard let object = signed.parameters.object, due.allSatisfy({ object[$0] == parameters[$0] }) else {
            throw PaymentError.notExecuted(
                .mismatch, "the signer changed the amount, the currency, a name, or who pays; it must keep them")
        }
        return signed.parameters.adding(EcommpaySigning.member, .string(signed.signature))
    }

    /// A message with its signature beside the project's number; nothing may be added to it.
    func signed(_ message: JSON) async throws -> JSON {
        let signed = try await sign(EcommpaySigningRequest(message))
        guard signed.parameters == message else {
            throw PaymentError.notExecuted(.mismatch, "the signer changed a message that it may only sign")
        }
        let proof = JSON.string(signed.signature)
        for part in EcommpaySigning.parts {
            guard let inner = message[part], inner["project_id"] != nil else { continue }
            return message.adding(part, inner.adding(EcommpaySigning.member, proof))
        }
        return message.adding(EcommpaySigning.member, proof)
    }

    /// Whether a message is the provider's.
    func isGenuine(_ message: JSON) async throws -> Bool {
        if let secret { return EcommpaySigning.isGenuine(message, secret, crypto) }
        guard let given = EcommpaySigning.given(in: message), EcommpaySigning.isSignature(given),
            let texts = try? EcommpaySigning.texts(message)
        else { return false }
        // Nearly always the orders give one text, and the signer is asked once.
        for text in texts {
            let due = try await sign(EcommpaySigningRequest(message, text: text)).signature
            if !due.isEmpty, crypto.equal(Array(given.utf8), Array(due.utf8)) { return true }
        }
        return false
    }
}

/// What an application gives to the adapter of ecommpay when its own server holds the secret.
///
/// It is handed over among the toolbox's delegates, under the name of the configured provider; on a phone the value that
/// is the vendor's kit may be this, too. The server may check
/// and supplement the parameters of a session; what it must not change is the amount, the currency and the names.
public protocol EcommpaySigner: Sendable {
    /// Signs a set of parameters.
    func sign(_ request: EcommpaySigningRequest) async throws -> EcommpaySignedParameters
}

/// A set of parameters that is to be signed.
public struct EcommpaySigningRequest: Sendable {
    /// The parameters.
    public let parameters: JSON
    /// The text of them that the signature is made of.
    public let text: String

    /// Makes a request of parameters.
    ///
    /// - Throws: `invalidRequest`, nothing moved, if the parameters exceed the limits of what is signed. A server that signs
    ///   for others answers them with a refusal then.
    public init(_ parameters: JSON) throws(PaymentError) {
        do { self.init(parameters, text: try EcommpaySigning.text(parameters)) } catch {
            throw PaymentError.notExecuted(.invalidRequest, "the message can't be signed: \(error.reason)")
        }
    }

    init(_ parameters: JSON, text: String) { (self.parameters, self.text) = (parameters, text) }
}

/// A final set of parameters with its signature.
public struct EcommpaySignedParameters: Sendable {
    /// The parameters as they were signed.
    public let parameters: JSON
    /// The signature, in Base64.
    public let signature: String

    /// Keeps parameters with their signature.
    public init(_ parameters: JSON, signature: String) { (self.parameters, self.signature) = (parameters, signature) }
}

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
