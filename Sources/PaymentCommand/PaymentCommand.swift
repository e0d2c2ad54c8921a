internal import Providers

/// The commands of `payctl`, as a library that a program of one's own can run.
public enum PaymentCommand {
    /// Runs one command line and gives its exit status: 0 fine, 1 the payment or check failed, 2 wrong usage or
    /// configuration, 3 outcome unknown. The registry says which providers there are.
    public static func main(
        _ arguments: [String], registry: CommandRegistry = .builtin, console: Console = .standard
    ) async -> Int32 {
        guard let name = arguments.first, name != "--help", name != "-h", name != "help" else {
            console.out(usage)
            return arguments.isEmpty ? ExitStatus.usage.rawValue : ExitStatus.fine.rawValue
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            let near = NearestName.of(name, in: commands.map(\.name))
            console.error("payctl: there is no command \(name)\(near.map { "; did you mean \($0)?" } ?? "")")
            console.error("Run `payctl --help` for all commands.")
            return ExitStatus.usage.rawValue
        }
        let rest = Array(arguments.dropFirst())
        if rest.contains("--help") || rest.contains("-h") {
            console.out(command.help)
            return ExitStatus.fine.rawValue
        }
        do throws(UsageError) {
            let given = try GivenArguments(rest, takes: command.takes)
            return await command.run(given, registry, console).rawValue
        } catch {
            console.error("payctl \(name): \(error.message)")
            console.error("Run `payctl \(name) --help`.")
            return ExitStatus.usage.rawValue
        }
    }

    /// All commands, in the order in which the help lists them.
    static let commands: [Command] = [.demo, .sandbox, .conformance]

    private static var usage: String {
        let width = commands.map(\.name.count).max() ?? 0
        let list = commands.map { "  \($0.name.padded(to: width))  \($0.summary)" }
        return (["usage: payctl COMMAND [options]", ""] + list + ["", "Run `payctl COMMAND --help` for one of them."])
            .joined(separator: "\n")
    }
}
