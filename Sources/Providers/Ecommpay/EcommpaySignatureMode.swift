internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit
internal import PaymentTransport

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
