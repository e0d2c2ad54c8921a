internal import AllProviders
internal import PaymentBase
internal import PaymentLinux
internal import PaymentProviderKit
internal import PaymentSystem

/// The commands of `payctl`, as a library that a program of one's own can run.
///
/// ```swift
/// @main struct Main {
///     static func main() async { await Payctl.run(registry: .builtin + [acme]) }
/// }
/// ```
public enum Payctl {
    /// Runs the command line of this process and ends it with the command's exit status. No dump is written of a process
    /// that may hold cards and keys, and no key of its connections.
    ///
    /// The registry is made only where a command runs: making it takes longer than everything else at a start.
    public static func run(registry: @autoclosure () -> CommandRegistry = .builtin) async -> Never {
        _ = PrivateMemory().activate()
        Console.begin()
        let words: [String]
        do throws(RawArguments.NoText) { words = try RawArguments.read() } catch {
            Console.standard.error("payctl: argument \(error.place) is no UTF-8")
            Console.standard.error("next       payctl --help")
            exit(ExitStatus.usage.rawValue)
        }
        // A request may outlive its command's time. exit() would take OpenSSL and libcurl down under its thread, which then
        // crashes; all that was written went to the system at once.
        let code = await main(words, registry: registry())
        RegularFile.end { _exit(code) }
    }

    /// Runs one command line and gives its exit status: 0 fine; 1 declined, cancelled, or a check failed; 2 wrong usage
    /// or configuration; 3 outcome unknown; 4 not reached; 5 refused by what is recorded; 6 received, decided later.
    /// The registry says which providers there are.
    public static func main(
        _ arguments: [String], registry: @autoclosure () -> CommandRegistry = .builtin, console: Console = .standard
    ) async -> Int32 {
        let status = await play(arguments, registry, console)
        return status == ExitStatus.fine.rawValue && !console.isOutputWritten ? ExitStatus.usage.rawValue : status
    }

    private static func play(
        _ arguments: [String], _ registry: () -> CommandRegistry, _ console: Console
    ) async -> Int32 {
        if arguments.first == "help", arguments.count > 1 {
            return await play(Array(arguments.dropFirst()) + ["--help"], registry, console)
        }
        guard let first = arguments.first, !["--help", "-h", "help"].contains(first) else {
            console.page(usage)
            return arguments.isEmpty ? ExitStatus.usage.rawValue : ExitStatus.fine.rawValue
        }
        if first == "--version" {
            console.out("payctl \(PaymentsVersion.text)")
            return ExitStatus.fine.rawValue
        }
        if let help = familyHelp(first, arguments) {
            console.page(help)
            return ExitStatus.fine.rawValue
        }
        guard let (command, rest) = find(arguments) else {
            for line in unknown(first, arguments) { console.error(line) }
            return ExitStatus.usage.rawValue
        }
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            console.page(([command.help] + more(command)).joined(separator: "\n"))
            return ExitStatus.fine.rawValue
        }
        do throws(UsageError) {
            let given = try GivenArguments(rest, takes: command.takes)
            let invocation = try Invocation(given, registry(), console, words: arguments)
            if invocation.format == .csv, !command.writesTable {
                let names = commands.filter(\.writesTable).map(\.name).sorted().joined(separator: ", ")
                throw UsageError(message: "--format csv is for \(names); \(command.name) writes text or json")
            }
            return try await run(command, invocation).rawValue
        } catch {
            return refuse(command, error, isJSON: wantsJSON(rest), console)
        }
    }

    /// Reports a command line that can't be understood.
    private static func refuse(_ command: Command, _ error: UsageError, isJSON: Bool, _ console: Console) -> Int32 {
        // A card's number that was typed in place of a name must not be in a log.
        let (words, next) = (MaskedMessage.of(error.message), "payctl \(command.name) --help")
        if isJSON {
            // The members of ``ErrorReport/json``, so that a program reads one kind of error. It has no outcome: a line that
            // can't be understood says nothing of any payment.
            let told: JSON = [
                "code": "usage", "outcome": .null, "retry": "never", "userAction": true,
                "message": .string(words), "detail": .string(words), "attempt": .null, "provider": .null,
                "host": .null, "step": .null, "cause": .null, "reason": .null, "next": .string(next), "again": .null,
            ]
            console.out(JSON.object(["format": Invocation.outputFormat, "error": told]).line)
        }
        console.error("payctl \(command.name): \(words)")
        console.error("next       \(next)")
        return ExitStatus.usage.rawValue
    }

    /// Whether JSON was asked for, as far as can be seen of a line that may be wrong elsewhere.
    private static func wantsJSON(_ words: [String]) -> Bool {
        words.contains("--format=json") || zip(words, words.dropFirst()).contains { $0 == "--format" && $1 == "json" }
    }

    /// Runs a command and prints what it throws.
    private static func run(
        _ command: Command, _ invocation: Invocation
    ) async throws(UsageError) -> ExitStatus {
        do { return invocation.heard(try await stoppable(command, invocation)) } catch let error as UsageError {
            throw error
        } catch let error as AdvisedError {
            return invocation.heard(invocation.tell(error))
        } catch let error as PaymentError {
            return invocation.heard(invocation.tell(invocation.stopped(error)))
        } catch is CancellationError where invocation.money.isStopped {
            let error = PaymentError.notExecuted(.cancelled, "the program was asked to stop; nothing was sent")
            return invocation.heard(invocation.tell(AdvisedError(error, status: .unreached)))
        } catch {
            invocation.note("payctl \(command.name): \(SandboxRun.words(error))")
            return .usage
        }
    }

    /// Runs a command; one about money is given up when the process is asked to stop, so that it says how far it came.
    private static func stoppable(_ command: Command, _ invocation: Invocation) async throws -> ExitStatus {
        guard invocation.console.isOfProcess, invocation.takesAttempt, let stop = try? StopSignal.watch() else {
            return try await command.run(invocation)
        }
        let work = Task { try await command.run(invocation) }
        Task {
            _ = await stop.value()
            invocation.money.stop()
            work.cancel()
        }
        return try await work.value
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

    /// The help of a family, where `--help` is right behind its name.
    private static func familyHelp(_ first: String, _ arguments: [String]) -> String? {
        let family = family(of: first)
        guard !family.isEmpty, !commands.contains(where: { $0.name == first }),
            let second = arguments.dropFirst().first, ["--help", "-h"].contains(second)
        else {
            return nil
        }
        return list(
            family, "usage: payctl \(first) COMMAND [options]",
            "Run `payctl \(first) COMMAND --help` for one of them.")
    }

    /// The commands of two words that begin with a command of one.
    private static func more(_ command: Command) -> [String] {
        let family = family(of: command.name)
        return family.isEmpty ? [] : ["", "More:"] + rows(family)
    }

    /// What is said about a command that there isn't.
    private static func unknown(_ first: String, _ arguments: [String]) -> [String] {
        let family = family(of: first)
        if !family.isEmpty {
            let words = family.map { $0.name.dropFirst(first.count + 1) }.joined(separator: ", ")
            let second = arguments.dropFirst().first.map { ", not \($0)" } ?? ""
            return ["payctl \(first): say which: \(words)\(second)", "next       payctl \(first) --help"]
        }
        let names = commands.map(\.name)
        let near = names.first { first.count > 1 && $0.hasPrefix(first) } ?? SpellingSuggestion.of(first, in: names)
        return [
            "payctl: there is no command \(first)\(near.map { "; did you mean \($0)?" } ?? "")",
            "next       payctl --help",
        ]
    }

    /// All commands, in the order in which the help lists them.
    static let commands: [Command] = [
        .demo, .sale, .authorize, .capture, .void, .refund, .adjust, .status, .show, .list, .day, .tail, .recover,
        .resolve,
        .reconcile, .receipt, .providers, .settings, .devices, .quote, .verify, .tokenize, .saved, .readerStatus,
        .readerActivate,
        .readerPrepare, .readerEvents, .errors, .explain, .assumptions, .inspect, .webhook, .sign, .verifySignature,
        .nexoSeal,
        .nexoOpen, .initialize, .newProvider,
        .journalInit, .journalCheck, .journalExport,
        .journalImport, .journalPrune, .journalCopy, .journalAcceptRestored, .journalPersonal, .journalRoles,
        .switchPlan, .compare, .screens, .doctor,
        .completions, .serve, .mcp, .keyNew, .webhooksList, .webhooksResend, .sandbox,
        .sandboxClock, .sandboxFault, .sandboxDecide, .sandboxVisit,
        .conformance, .cassetteRecord, .cassettePlay, .readingsCheck,
    ]

    private static var usage: String {
        list(
            commands, "usage: payctl COMMAND [options]",
            "Run `payctl COMMAND --help` for one of them, `payctl --version` for the version.")
    }

    /// Commands with what they do, in columns.
    private static func rows(_ commands: [Command]) -> [String] {
        let width = commands.map(\.name.count).max() ?? 0
        return commands.map { "  \($0.name.padded(to: width))  \($0.summary)" }
    }

    /// Commands with what they do, between a first line and a last.
    private static func list(_ commands: [Command], _ first: String, _ last: String) -> String {
        ([first, ""] + rows(commands) + [""] + ExitStatus.help + ["", last]).joined(separator: "\n")
    }
}
