/// One command: its name, what it takes, and what it does.
struct Command: Sendable {
    /// One word, or two for a command of a family, such as `journal check`.
    let name: String
    let summary: String
    /// An example, shown by `--help`.
    let example: String
    let takes: AcceptedArguments
    let run: @Sendable (Invocation) async throws -> ExitStatus

    init(
        name: String, summary: String, example: String, takes: AcceptedArguments = AcceptedArguments(),
        run: @escaping @Sendable (Invocation) async throws -> ExitStatus
    ) {
        (self.name, self.summary, self.example) = (name, summary, example)
        (self.takes, self.run) = (takes.withCommon, run)
    }

    /// Everything that `--help` shows.
    var help: String {
        var lines = [
            "usage: payctl \(name)\(takes.usage)", "", summary, "", "Example:", "  \(example)", "", "Options:",
        ]
        let width = takes.options.map(\.usage.count).max() ?? 0
        lines += takes.options.map { "  \($0.usage.padded(to: width))  \($0.summary)" }
        return lines.joined(separator: "\n")
    }
}
