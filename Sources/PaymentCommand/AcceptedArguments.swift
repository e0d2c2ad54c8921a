/// What a command takes.
struct AcceptedArguments: Sendable {
    /// One option; without a value it is a flag.
    struct Option: Sendable {
        let name: String
        let value: String?
        let summary: String

        var usage: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
    }

    var operands: [String] = []
    /// Whether the last operand may be given again.
    var takesMoreOperands = false
    var options: [Option] = []

    var usage: String {
        operands.map { " \($0)" }.joined() + (options.isEmpty ? "" : " [options]")
    }
}
