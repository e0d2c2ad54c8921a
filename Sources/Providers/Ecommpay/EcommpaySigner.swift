public import PaymentProviderKit

/// Who signs: this process, a function that signs bytes, or the merchant's server.
struct EcommpaySignatureMode: Sendable {
    private enum Signer: Sendable {
        case secret(Secret)
        case bytes(ProviderDependencies.Signer)
        case server(any EcommpaySigner)
    }

    private let signer: Signer
    private let crypto: any Crypto

    static func local(_ secret: Secret, _ crypto: any Crypto) -> EcommpaySignatureMode {
        EcommpaySignatureMode(signer: .secret(secret), crypto: crypto)
    }

    static func bytes(_ signer: @escaping ProviderDependencies.Signer, _ crypto: any Crypto) -> EcommpaySignatureMode {
        EcommpaySignatureMode(signer: .bytes(signer), crypto: crypto)
    }

    static func server(_ signer: any EcommpaySigner, _ crypto: any Crypto) -> EcommpaySignatureMode {
        EcommpaySignatureMode(signer: .server(signer), crypto: crypto)
    }

    /// The secret, where it is here.
    var secret: Secret? {
        guard case .secret(let secret) = signer else { return nil }
        return secret
    }

    /// Whether a function signs whatever bytes it gets: it can't tell a request from a callback.
    var signsBytes: Bool {
        guard case .bytes = signer else { return false }
        return true
    }

    private func sign(_ request: EcommpaySigningRequest) async throws -> EcommpaySignedParameters {
        switch signer {
        case .secret(let secret):
            return EcommpaySignedParameters(
                request.parameters, signature: try EcommpaySigning.signature(request.text, secret, crypto))
        case .bytes(let signer):
            let proof = try await signer(Array(request.text.utf8))
            return EcommpaySignedParameters(request.parameters, signature: proof.expose())
        case .server(let server): return try await server.sign(request)
        }
    }

    /// Members that a signer must leave as they are.
    static let fixed = ["project_id", "payment_id", "payment_amount", "payment_currency"]
    /// Members that it may set but not change: who pays, and with what, and what a page does until when.
    static let kept = ["customer_id", "account_token", "operation_type", "best_before"]

    /// Parameters of a session with their signature; a server may have added to them.
    ///
    /// - Parameter text: What the signature is made of, where the vendor's kit says it; nil for our own text.
    func signed(session parameters: JSONObject, text: String? = nil) async throws -> JSON {
        // By it a value that the customer chooses could say another amount, or what a callback says.
        if let member = parameters.members.first(where: { EcommpaySigning.isAmbiguous($0.value) }) {
            throw PaymentError.notExecuted(
                .invalidRequest,
                "A semicolon in \(member.key) looks like the end of a parameter in what is signed. Leave it out.")
        }
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
        // A server compares itself: a signature that it gave away for an answer would be one of a callback.
        if case .server(let server) = signer { return try await server.isGenuine(message) }
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
///
/// One secret signs requests, answers and callbacks by one rule. So the server signs no text that a phone made, and none of
/// the form of an answer or a callback: who has such a signature can send a callback that says that an order is paid.
public protocol EcommpaySigner: Sendable {
    /// Signs a set of parameters, after the server has checked who asks and what for. A server of Swift answers with
    /// `EcommpaySigningRequest(parameters).signed(with:_:)`.
    func sign(_ request: EcommpaySigningRequest) async throws -> EcommpaySignedParameters

    /// Whether an answer carries the provider's signature. The server compares, and gives the right signature away to no
    /// phone. A server of Swift answers with `EcommpaySignedParameters.isGenuine(_:_:_:)`.
    func isGenuine(_ message: JSON) async throws -> Bool
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

    /// How a parameter begins that answers and callbacks have, and no request has.
    private static let answered = [
        "account:", "accounts:", "errors:", "operation:", "operations:", "payment:status:", "request:", "status:",
    ]

    /// Signs the parameters, on the server that has the secret.
    ///
    /// - Throws: `invalidRequest` if the text is not the parameters' own, or has the form of an answer or a callback.
    public func signed(with secret: Secret, _ crypto: any Crypto) throws(PaymentError) -> EcommpaySignedParameters {
        guard let texts = try? EcommpaySigning.texts(parameters), texts.contains(text) else {
            throw PaymentError.notExecuted(.invalidRequest, "The text is not that of the parameters.")
        }
        // A value with a semicolon in it may hold what looks like a parameter.
        let isAnswer = text.split(separator: ";").contains { part in
            Self.answered.contains { part.hasPrefix($0) }
        }
        guard !isAnswer else {
            throw PaymentError.notExecuted(
                .invalidRequest, "The text has the form of an answer or a callback, which no server signs for others.")
        }
        do {
            return EcommpaySignedParameters(
                parameters, signature: try EcommpaySigning.signature(text, secret, crypto))
        } catch {
            throw PaymentError.notExecuted(.unsupported, "there is no cryptography: \(error)")
        }
    }
}

/// A final set of parameters with its signature.
public struct EcommpaySignedParameters: Sendable {
    /// The parameters as they were signed.
    public let parameters: JSON
    /// The signature, in Base64.
    public let signature: String

    /// Keeps parameters with their signature.
    public init(_ parameters: JSON, signature: String) { (self.parameters, self.signature) = (parameters, signature) }

    /// Whether a message carries the provider's signature, on the server that has the secret.
    public static func isGenuine(_ message: JSON, _ secret: Secret, _ crypto: any Crypto) -> Bool {
        EcommpaySigning.isGenuine(message, secret, crypto)
    }
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
