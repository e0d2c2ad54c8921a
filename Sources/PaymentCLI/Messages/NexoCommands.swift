internal import AdyenProvider
internal import PaymentBase
internal import PaymentLinux

extension Command {
    /// Encrypts a message for a terminal.
    static let nexoSeal = nexo(
        "seal", "encrypts a Terminal API message for an Adyen terminal on the same network"
    ) { try $0.encrypt($1) }

    /// Decrypts a message of a terminal.
    static let nexoOpen = nexo(
        "open", "decrypts a message of an Adyen terminal, once its proof is checked"
    ) { try $0.decrypt($1) }

    /// A command over one message and the passphrase that a till and its terminal share.
    private static func nexo(
        _ word: String, _ summary: String, _ does: @escaping @Sendable (AdyenNexoEncryption, [UInt8]) throws -> [UInt8]
    ) -> Command {
        Command(
            name: "nexo \(word)", summary: summary,
            example:
                "payctl nexo \(word) --passphrase env:TERMINAL_PASSPHRASE --key-id till --key-version 1 message.json",
            takes: AcceptedArguments(
                operands: ["[FILE|-]"],
                options: [
                    .value("passphrase", "REFERENCE", "env:NAME or file:PATH of the passphrase"),
                    .value("key-id", "NAME", "what the terminal knows it by; till by default"),
                    .value("key-version", "N", "which version of it; 1 by default"),
                ])
        ) { call in
            guard let reference = call.given["passphrase"] else {
                throw UsageError(message: "--passphrase env:NAME is missing")
            }
            let version = try call.integer("key-version", in: 0...Int64(Int32.max), 1)
            let seal = try AdyenNexoEncryption(
                passphrase: try await SecretOption.read(reference), OpenSSLCrypto(),
                keyIdentifier: call.given["key-id"] ?? "till", keyVersion: version)
            call.console.page(String(decoding: try does(seal, try call.message(0)), as: UTF8.self))
            return .fine
        }
    }
}
