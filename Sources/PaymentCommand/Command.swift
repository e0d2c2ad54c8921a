/// One command: its name, what it takes, and what it does.
struct Command: Sendable {
    let name: String
    let summary: String
    /// An example, shown by `--help`.
    let example: String
    let takes: AcceptedArguments
    let run: @Sendable (GivenArguments, CommandRegistry, Console) async -> ExitStatus

    /// Everything that `--help` shows.
    var help: String {
        var lines = ["usage: payctl \(name)\(takes.usage)", "", summary, "", "Example:", "  \(example)"]
        if !takes.options.isEmpty {
            lines += ["", "Options:"]
            let width = takes.options.map(\.usage.count).max() ?? 0
            lines += takes.options.map { "  \($0.usage.padded(to: width))  \($0.summary)" }
        }
        return lines.joined(separator: "\n")
    }
}
