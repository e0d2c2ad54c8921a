internal import PaymentBase
internal import PaymentLinux
internal import PaymentProviderKit

extension Command {
    /// Prints a signature.
    static let sign = Command(
        name: "sign", summary: "prints the signature of a message, as the provider's wire has it",
        example: "payctl sign ecommpay --secret env:ECOMMPAY_SECRET request.json",
        takes: AcceptedArguments(
            operands: ["PROVIDER", "[FILE|-]"],
            options: [.value("secret", "REFERENCE", "env:NAME or file:PATH of the key")])
    ) { call in
        let (scheme, secret, message) = try await signing(call)
        let signature = try scheme.sign(message, secret: secret, crypto: OpenSSLCrypto())
        call.say(["signature": .string(signature)], [signature])
        return .fine
    }

    /// Checks a signature.
    static let verifySignature = Command(
        name: "verify-signature", summary: "checks the signature inside a message, or one that you name",
        example: "payctl verify-signature ecommpay --secret env:ECOMMPAY_SECRET callback.json",
        takes: AcceptedArguments(
            operands: ["PROVIDER", "[FILE|-]"],
            options: [
                .value("secret", "REFERENCE", "env:NAME or file:PATH of the key"),
                .value("signature", "TEXT", "the signature, where it isn't inside the message"),
            ])
    ) { call in
        let (scheme, secret, message) = try await signing(call)
        let fits = try scheme.verifies(
            message, signature: call.given["signature"], secret: secret, crypto: OpenSSLCrypto())
        call.say(
            ["verified": .bool(fits)], [fits ? call.paint.good("it fits") : call.paint.bad("it does not fit")])
        return fits ? .fine : .failed
    }

    private static func signing(
        _ call: Invocation
    ) async throws -> (scheme: any SignatureScheme, secret: Secret, message: [UInt8]) {
        let entry = try call.entry(0)
        guard let scheme = entry.signatures else {
            let names = call.registry.providers.entries.filter { $0.signatures != nil }.map(\.adapter).sorted()
            throw UsageError(
                message: "\(entry.name) signs no messages; those who do: \(names.joined(separator: ", "))")
        }
        guard let reference = call.given["secret"] else { throw UsageError(message: "--secret env:NAME is missing") }
        return (scheme, try await SecretOption.read(reference), try call.message(1))
    }
}
