internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

/// Who signs: this process, a function that signs bytes, or the merchant's server.
enum EcommpaySeal: Sendable {
    case local(Secret, any Crypto)
    case bytes(Toolbox.Signer, any Crypto)
    case server(any EcommpaySigner, any Crypto)

    /// Members that a signer must leave as they are.
    static let fixed = ["project_id", "payment_id", "payment_amount", "payment_currency"]
    /// Members that it may set but not change: who pays, and with what.
    static let kept = ["customer_id", "account_token"]

    /// The secret, where it is here.
    var secret: Secret? {
        if case .local(let secret, _) = self { return secret }
        return nil
    }

    /// Parameters of a session with their signature; a server may have added to them.
    func signed(session parameters: JSONObject) async throws -> JSON {
        let given = JSON.object(parameters)
        let (final, signature) = try await sign(given)
        let due = Self.fixed + Self.kept.filter { parameters[$0] != nil }
        guard let object = final.object, due.allSatisfy({ object[$0] == parameters[$0] }) else {
            throw PaymentError(
                .mismatch, outcome: .nothingMoved,
                detail: "the signer changed the amount, the currency, a name, or who pays; it must keep them")
        }
        return final.adding(EcommpaySigning.member, .string(signature))
    }

    /// A message with its signature beside the project's number; nothing may be added to it.
    func signed(_ message: JSON) async throws -> JSON {
        let (final, signature) = try await sign(message)
        guard final == message else {
            throw PaymentError(
                .mismatch, outcome: .nothingMoved, detail: "the signer changed a message that it may only sign")
        }
        let proof = JSON.string(signature)
        for part in EcommpaySigning.parts {
            guard let inner = message[part], inner["project_id"] != nil else { continue }
            return message.adding(part, inner.adding(EcommpaySigning.member, proof))
        }
        return message.adding(EcommpaySigning.member, proof)
    }

    /// Whether a message is the company's.
    func isGenuine(_ message: JSON) async throws -> Bool {
        switch self {
        case .local(let secret, let crypto): return EcommpaySigning.isGenuine(message, secret, crypto)
        case .bytes(_, let crypto), .server(_, let crypto):
            guard let given = EcommpaySigning.given(in: message) else { return false }
            // Nearly always the orders give one text, and the signer is asked once.
            var texts: [String] = []
            for order in EcommpaySigning.Order.allCases {
                let text = EcommpaySigning.text(message, order)
                if !texts.contains(text) { texts.append(text) }
            }
            for text in texts {
                let due = try await sign(message, text).signature
                if !due.isEmpty, crypto.equal(Array(given.utf8), Array(due.utf8)) { return true }
            }
            return false
        }
    }

    private func sign(
        _ parameters: JSON, _ text: String? = nil
    ) async throws -> (parameters: JSON, signature: String) {
        let request = EcommpaySigningRequest(parameters, text)
        switch self {
        case .local(let secret, let crypto):
            return (parameters, try EcommpaySigning.signature(request.text, secret, crypto))
        case .bytes(let signer, _): return (parameters, try await signer(Array(request.text.utf8)).expose())
        case .server(let signer, _):
            let signed = try await signer.sign(request)
            return (signed.parameters, signed.signature)
        }
    }
}

extension JSON {
    /// The same object with one member set.
    func adding(_ name: String, _ value: JSON) -> JSON {
        guard var object else { return self }
        object[name] = value
        return .object(object)
    }
}
