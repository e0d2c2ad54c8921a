internal import PaymentAbstraction
internal import PaymentBase
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
