internal import AdyenProvider
internal import PaymentLinux
internal import PaymentProviderKit
internal import Payments

extension Command {
    /// One message in neutral words.
    static let inspect = Command(
        name: "inspect", summary: "reads one message of a provider's wire and says what it means for the money",
        example: "payctl inspect adyen reply.json",
        takes: AcceptedArguments(
            operands: ["PROVIDER", "[FILE|-]"],
            options: [
                .value("as", "OPERATION", "what it belongs to, where the message can't tell: sale …"),
                .value("status", "HTTP", "the status of the reply, where you know it"),
            ])
    ) { call in
        let entry = try call.entry(0)
        guard let inspector = entry.inspector else {
            throw UsageError(message: "the adapter \(entry.adapter) has no inspector")
        }
        var message = InspectedMessage(try call.message(1))
        if let word = call.given["as"] {
            message.operation = try PaymentOperation.allCases.picked(word, "operation", by: \.rawValue)
        }
        if call.given.has("status") { message.httpStatus = Int(try call.integer("status", in: 100...599, 200)) }
        let found = inspector.inspect(message)
        for inspection in found { call.say(inspection.json, inspection.lines(call.paint)) }
        return found.contains { $0.status == .unknown } ? .unknown : .fine
    }
}

extension Invocation {
    /// The bytes of a file, or of standard input when there is none or it is `-`.
    func message(_ index: Int) throws(UsageError) -> [UInt8] {
        guard let path = operand(index), path != "-" else {
            let bytes = console.input()
            if bytes.count > Console.inputBytesMax {
                throw UsageError(message: "standard input has more than \(Console.inputBytesMax) bytes")
            }
            return bytes
        }
        return try CommandFile.read(path)
    }
}

extension Inspection {
    /// Always the same members.
    var json: JSON {
        [
            "message": .string(message), "status": .string(status.rawValue), "money": .string(money.rawValue),
            "amount": amount?.json ?? .null, "attempt": .text(attempt), "providerReference": .text(providerReference),
            "decline": decline?.json ?? .null, "error": problem?.json ?? .null,
            "unknownFields": .array(unknownFields.map { .string($0) }),
        ]
    }

    /// What people read.
    func lines(_ paint: Paint) -> [String] {
        let word =
            switch status {
            case .approved: paint.good(status.rawValue)
            case .declined, .cancelled, .failed: paint.bad(status.rawValue)
            case .pending, .unknown: paint.doubt(status.rawValue)
            case .none: "says nothing about an outcome"
            }
        let moved =
            switch money {
            case .executed: "moved"
            case .notExecuted: "did not move"
            case .unknown: paint.doubt("this message does not say")
            }
        var lines = ["\(message): \(word)", "money      \(moved)"]
        if let amount { lines.append("amount     \(amount)") }
        if let attempt { lines.append("ours       \(attempt)") }
        if let providerReference { lines.append("named      \(providerReference)") }
        if let decline { lines.append("declined   \(decline.reason) (\(decline.provider))") }
        if let problem { lines.append("error      \(problem.category.rawValue) (\(problem.code): \(problem.message))") }
        if !unknownFields.isEmpty { lines.append("not in the documents: \(unknownFields.joined(separator: ", "))") }
        return lines
    }
}

extension Inspection.Problem {
    var json: JSON {
        ["code": .string(code), "category": .string(category.rawValue), "message": .string(message)]
    }
}

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
