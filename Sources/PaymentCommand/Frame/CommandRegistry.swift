public import PaymentConformance
public import PaymentHarnesses
public import PaymentProviderKit
public import PaymentSandbox
internal import PaymentsBuiltin

/// Everything that the commands know about providers; a program of one's own adds to it.
///
/// ```swift
/// @main struct Main {
///     static func main() async {
///         let acme = CommandRegistry.Provider(.acme, sandbox: .acme) { AcmeHarness($0) }
///         await PaymentCommand.run(registry: .builtin + [acme])
///     }
/// }
/// ```
public struct CommandRegistry: Sendable {
    /// One provider with what there is of it.
    public struct Provider: Sendable {
        /// How a configuration names it and how its driver is made.
        public let entry: ProviderEntry
        /// Its simulated provider, where there is one.
        public let sandbox: SandboxRegistry.Entry?
        /// Its harness over a front, where there is one.
        public let harness: (@Sendable (Carrier) -> any Harness)?

        /// Names a provider.
        public init(
            _ entry: ProviderEntry, sandbox: SandboxRegistry.Entry? = nil,
            harness: (@Sendable (Carrier) -> any Harness)? = nil
        ) {
            (self.entry, self.sandbox, self.harness) = (entry, sandbox, harness)
        }
    }

    /// The adapters.
    public let providers: ProviderRegistry
    /// The simulated providers.
    public let sandboxes: [SandboxRegistry.Entry]
    private let more: [@Sendable (Carrier) -> any Harness]

    private init(
        _ providers: ProviderRegistry, _ sandboxes: [SandboxRegistry.Entry],
        _ more: [@Sendable (Carrier) -> any Harness]
    ) {
        (self.providers, self.sandboxes, self.more) = (providers, sandboxes, more)
    }

    /// Our own providers.
    public static let builtin = CommandRegistry(.builtin, SandboxRegistry.entries, [])

    /// A registry with more providers.
    public static func + (one: CommandRegistry, added: [Provider]) -> CommandRegistry {
        CommandRegistry(
            one.providers + added.map(\.entry), one.sandboxes + added.compactMap(\.sandbox),
            one.more + added.compactMap(\.harness))
    }

    /// The harnesses over a front, in the order in which reports list them.
    public func harnesses(over injector: Carrier) -> HarnessRegistry {
        HarnessRegistry.builtin(over: injector) + more.map { $0(injector) }
    }
}
