internal import AllProviders
public import PaymentConformance
public import PaymentHarnesses
public import PaymentProviderKit
public import PaymentSimulator

/// One command: its name, what it takes, and what it does.
struct Command: Sendable {
    /// One word, or two for a command of a family, such as `journal check`.
    let name: String
    let summary: String
    /// An example, shown by `--help`.
    let example: String
    let takes: AcceptedArguments
    /// Whether it also writes what it says as values between commas.
    let writesTable: Bool
    let run: @Sendable (Invocation) async throws -> ExitStatus

    init(
        name: String, summary: String, example: String, takes: AcceptedArguments = AcceptedArguments(),
        writesTable: Bool = false,
        run: @escaping @Sendable (Invocation) async throws -> ExitStatus
    ) {
        (self.name, self.summary, self.example) = (name, summary, example)
        (self.takes, self.writesTable, self.run) = (takes.withCommon(table: writesTable), writesTable, run)
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

/// Everything that the commands know about providers; a program of one's own adds to it.
///
/// ```swift
/// @main struct Main {
///     static func main() async {
///         let acme = CommandRegistry.AddedProvider(.acme, sandbox: .acme) { AcmeHarness($0) }
///         await Payctl.run(registry: .builtin + [acme])
///     }
/// }
/// ```
public struct CommandRegistry: Sendable {
    /// One provider with what there is of it.
    public struct AddedProvider: Sendable {
        /// How a configuration names it and how its driver is made.
        public let entry: ProviderDefinition
        /// Its simulated provider, where there is one.
        public let sandbox: SimulatorRegistry.Entry?
        /// Its harness over a front, where there is one.
        public let harness: (@Sendable (ConnectionKind) -> any ConformanceHarness)?

        /// Names a provider.
        public init(
            _ entry: ProviderDefinition, sandbox: SimulatorRegistry.Entry? = nil,
            harness: (@Sendable (ConnectionKind) -> any ConformanceHarness)? = nil
        ) {
            (self.entry, self.sandbox, self.harness) = (entry, sandbox, harness)
        }
    }

    /// The adapters.
    public let providers: ProviderRegistry
    /// The simulated providers.
    public let sandboxes: [SimulatorRegistry.Entry]
    private let more: [@Sendable (ConnectionKind) -> any ConformanceHarness]

    private init(
        _ providers: ProviderRegistry, _ sandboxes: [SimulatorRegistry.Entry],
        _ more: [@Sendable (ConnectionKind) -> any ConformanceHarness]
    ) {
        (self.providers, self.sandboxes, self.more) = (providers, sandboxes, more)
    }

    /// Our own providers.
    public static let builtin = CommandRegistry(.builtin, SimulatorRegistry.entries, [])

    /// A registry with more providers.
    public static func + (one: CommandRegistry, added: [AddedProvider]) -> CommandRegistry {
        CommandRegistry(
            one.providers + added.map(\.entry), one.sandboxes + added.compactMap(\.sandbox),
            one.more + added.compactMap(\.harness))
    }

    /// The harnesses over a front, in the order in which reports list them.
    public func harnesses(over injector: ConnectionKind) -> HarnessRegistry {
        HarnessRegistry.builtin(over: injector) + more.map { $0(injector) }
    }
}
