internal import AllProviders
public import PaymentConformance
public import PaymentHarnesses
public import PaymentProviderKit
public import PaymentSimulator

/// Everything that the commands know about providers; a program of one's own adds to it.
///
/// ```swift
/// @main struct Main {
///     static func main() async {
///         let acme = CommandRegistry.Provider(.acme, sandbox: .acme) { AcmeHarness($0) }
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
