internal import PaymentAbstraction
internal import PaymentProviderKit
internal import PaymentsBuiltin

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The commands of `payctl`, as a library that a program of one's own can run.
///
/// ```swift
/// @main struct Main {
///     static func main() async { await PaymentCommand.run(registry: .builtin + [acme]) }
/// }
/// ```
public enum PaymentCommand {
    /// Runs the command line of this process and ends it with the command's exit status.
    public static func run(registry: CommandRegistry = .builtin) async -> Never {
        exit(await main(Array(CommandLine.arguments.dropFirst()), registry: registry))
    }

    /// Runs one command line and gives its exit status: 0 fine, 1 the payment or check failed, 2 wrong usage or
    /// configuration, 3 outcome unknown. The registry says which providers there are.
    public static func main(
        _ arguments: [String], registry: CommandRegistry = .builtin, console: Console = .standard
    ) async -> Int32 {
        guard let first = arguments.first, !["--help", "-h", "help"].contains(first) else {
            console.out(usage)
            return arguments.isEmpty ? ExitStatus.usage.rawValue : ExitStatus.fine.rawValue
        }
        if first == "--version" {
            console.out("payctl \(PaymentsVersion.text)")
            return ExitStatus.fine.rawValue
        }
        if let help = familyHelp(first, arguments) {
            console.out(help)
            return ExitStatus.fine.rawValue
        }
        guard let (command, rest) = find(arguments) else {
            for line in unknown(first, arguments) { console.error(line) }
            return ExitStatus.usage.rawValue
        }
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            console.out(command.help)
            return ExitStatus.fine.rawValue
        }
        do throws(UsageError) {
            let given = try GivenArguments(rest, takes: command.takes)
            return try await run(command, Invocation(given, registry, console)).rawValue
        } catch {
            console.error("payctl \(command.name): \(error.message)")
            console.error("Run `payctl \(command.name) --help`.")
            return ExitStatus.usage.rawValue
        }
    }

    /// Runs a command and tells what it throws.
    private static func run(
        _ command: Command, _ invocation: Invocation
    ) async throws(UsageError) -> ExitStatus {
        do { return try await command.run(invocation) } catch let error as UsageError {
            throw error
        } catch let error as PaymentError {
            return invocation.tell(error)
        } catch {
            invocation.note("payctl \(command.name): \(SandboxRun.words(error))")
            return .usage
        }
    }

    /// The command that a line begins with, and what follows it; of two words where there is one.
    private static func find(_ arguments: [String]) -> (Command, [String])? {
        for words in [2, 1] where arguments.count >= words {
            let name = arguments.prefix(words).joined(separator: " ")
            if let command = commands.first(where: { $0.name == name }) {
                return (command, Array(arguments.dropFirst(words)))
            }
        }
        return nil
    }

    /// The commands of two words that begin with a word.
    private static func family(of first: String) -> [Command] { commands.filter { $0.name.hasPrefix(first + " ") } }

    /// The help of a family, where `--help` stands right behind its name.
    private static func familyHelp(_ first: String, _ arguments: [String]) -> String? {
        let family = family(of: first)
        guard !family.isEmpty, let second = arguments.dropFirst().first, ["--help", "-h"].contains(second) else {
            return nil
        }
        return list(
            family, "usage: payctl \(first) COMMAND [options]",
            "Run `payctl \(first) COMMAND --help` for one of them.")
    }

    /// What is said about a command that there isn't.
    private static func unknown(_ first: String, _ arguments: [String]) -> [String] {
        let family = family(of: first)
        if !family.isEmpty {
            let words = family.map { $0.name.dropFirst(first.count + 1) }.joined(separator: ", ")
            let second = arguments.dropFirst().first.map { ", not \($0)" } ?? ""
            return ["payctl \(first): say which: \(words)\(second)"]
        }
        let names = commands.map(\.name)
        let near = names.first { first.count > 1 && $0.hasPrefix(first) } ?? NearestName.of(first, in: names)
        return [
            "payctl: there is no command \(first)\(near.map { "; did you mean \($0)?" } ?? "")",
            "Run `payctl --help` for all commands.",
        ]
    }

    /// All commands, in the order in which the help lists them.
    static let commands: [Command] = [
        .demo, .sale, .authorize, .capture, .void, .refund, .adjust, .status, .show, .list, .recover, .resolve,
        .receipt, .providers, .settings, .devices, .quote, .verify, .tokenize, .saved, .readerStatus, .readerActivate,
        .readerPrepare, .readerEvents, .errors, .explain, .assumptions, .inspect, .webhook, .sign, .verifySignature,
        .nexoSeal,
        .nexoOpen, .initialize, .newProvider,
        .journalCheck, .journalExport,
        .journalImport, .journalPrune, .journalAcceptRestored, .switchPlan, .compare, .doctor, .completions, .sandbox,
        .conformance,
    ]

    private static var usage: String {
        list(
            commands, "usage: payctl COMMAND [options]",
            "Run `payctl COMMAND --help` for one of them, `payctl --version` for the version.")
    }

    /// Commands with what they do, between a first line and a last.
    private static func list(_ commands: [Command], _ first: String, _ last: String) -> String {
        let width = commands.map(\.name.count).max() ?? 0
        let lines = commands.map { "  \($0.name.padded(to: width))  \($0.summary)" }
        return ([first, ""] + lines + ["", last]).joined(separator: "\n")
    }
}
