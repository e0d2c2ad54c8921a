public import PaymentAbstraction
public import PaymentBase
public import PaymentProviderKit

/// What an application may change while a client opens; it goes before what the configuration says.
///
/// It has every member of ``ClientOptions`` (`reader`, `answers`, `executor`, `tokens`, …) and of
/// ``ProviderDependencies`` (`transport`, `tokenProviders`, `signers`) as its own:
///
/// ```swift
/// let payments = try await PaymentClient.open(configuration: "providers.json") {
///     $0.reader = myReader
///     $0.transport = myTransport
///     $0.answers.on(ThreeDSecureChallenge.self) { challenge in … }
/// }
/// ```
@dynamicMemberLookup
public struct OpenOptions: Sendable {
    /// The journal; nil for the one that the configuration names.
    public var journal: JournalStore?
    /// How journals are opened that aren't part of `Payments`, as `[.postgres]`.
    public var journals: [JournalFactory] = []
    /// What follows references to the environment, files and programs.
    public var secrets: any SecretResolver
    var dependencies: ClientOptions
    var tools: ProviderDependencies

    /// The clock of the client and of all adapters.
    public var clock: any PaymentClock {
        get { dependencies.clock }
        set { (dependencies.clock, tools.clock) = (newValue, newValue) }
    }

    /// The random numbers of the client and of all adapters.
    public var random: any RandomSource {
        get { dependencies.random }
        set { (dependencies.random, tools.random) = (newValue, newValue) }
    }

    init(_ configuration: PaymentConfiguration, folder: String) {
        secrets = SystemSecretResolver(folder: folder)
        dependencies = ClientOptions(journal: .memory)
        tools = ProviderDependencies(transport: DefaultTransport.make())
        (tools.webSockets, tools.crypto) = (DefaultTransport.makeWebSockets(), DefaultTransport.makeCrypto())
        if let milliseconds = configuration.deadlineMilliseconds { dependencies.deadline = .milliseconds(milliseconds) }
    }

    /// A member of the client's dependencies.
    public subscript<Value>(dynamicMember path: WritableKeyPath<ClientOptions, Value>) -> Value {
        get { dependencies[keyPath: path] }
        set { dependencies[keyPath: path] = newValue }
    }

    /// A member of what all adapters work with.
    public subscript<Value>(dynamicMember path: WritableKeyPath<ProviderDependencies, Value>) -> Value {
        get { tools[keyPath: path] }
        set { tools[keyPath: path] = newValue }
    }
}
