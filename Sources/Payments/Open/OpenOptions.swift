public import PaymentAbstraction
public import PaymentBase
public import PaymentProviderKit

/// What an application may change while a client opens; it goes before what the configuration says.
///
/// It has every member of ``Surroundings`` (`reader`, `answers`, `executor`, `tokens`, …) and of ``Toolbox``
/// (`transport`, `tokenProviders`, `signers`) as its own:
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
    public var journal: (any Journal)?
    /// What follows references to the environment, files and programs.
    public var secrets: any SecretResolver
    var surroundings: Surroundings
    var tools: Toolbox

    /// The clock of the client and of all adapters.
    public var clock: any PaymentClock {
        get { surroundings.clock }
        set { (surroundings.clock, tools.clock) = (newValue, newValue) }
    }

    /// The random numbers of the client and of all adapters.
    public var random: any RandomSource {
        get { surroundings.random }
        set { (surroundings.random, tools.random) = (newValue, newValue) }
    }

    init(_ configuration: Configuration, folder: String) {
        secrets = SystemSecrets(folder: folder)
        surroundings = Surroundings(journal: MemoryJournal())
        tools = Toolbox(transport: DefaultTransport.make())
        (tools.webSockets, tools.crypto) = (DefaultTransport.makeWebSockets(), DefaultTransport.makeCrypto())
        if let milliseconds = configuration.deadlineMilliseconds { surroundings.deadlineMilliseconds = milliseconds }
    }

    /// A member of the client's surroundings.
    public subscript<Value>(dynamicMember path: WritableKeyPath<Surroundings, Value>) -> Value {
        get { surroundings[keyPath: path] }
        set { surroundings[keyPath: path] = newValue }
    }

    /// A member of what all adapters work with.
    public subscript<Value>(dynamicMember path: WritableKeyPath<Toolbox, Value>) -> Value {
        get { tools[keyPath: path] }
        set { tools[keyPath: path] = newValue }
    }
}
