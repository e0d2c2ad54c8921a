public import PaymentCore
public import PaymentProviderKit

extension PaymentClient {
    /// Opens a client over the providers of a configuration file.
    ///
    /// - Parameters:
    ///   - path: The file, usually `providers.json`.
    ///   - registry: The adapters that the file can name: those that the application links.
    ///   - change: Gives what only an application has: a card reader, handlers of questions, a transport.
    /// - Throws: `configuration`, nothing moved, with everything that is wrong in its detail; `unsupported` for a
    ///   journal that this version doesn't have.
    public static func open(
        configuration path: String, registry: ProviderRegistry,
        _ change: (inout OpenOptions) -> Void = { _ in }
    ) async throws(PaymentError) -> PaymentClient {
        let configuration = try PaymentConfiguration.load(path, registry: registry)
        return try await open(configuration: configuration, folder: FilePath.folder(of: path), change)
    }

    /// Opens a client over a configuration that has been read.
    ///
    /// - Parameters:
    ///   - configuration: What was read.
    ///   - folder: Where paths in it begin that are not absolute; empty for the working directory.
    ///   - change: Gives what only an application has: a card reader, handlers of questions, a transport.
    /// - Throws: As the form that takes a path.
    public static func open(
        configuration: PaymentConfiguration, folder: String = "", _ change: (inout OpenOptions) -> Void = { _ in }
    ) async throws(PaymentError) -> PaymentClient {
        var options = OpenOptions(configuration, folder: folder)
        change(&options)
        if let journal = options.journal {
            options.dependencies.journal = journal
        } else {
            options.dependencies.journal = try await Journals.open(
                configuration.journal, folder: folder, others: options.journals, secrets: options.secrets)
        }
        try await SimulatedPayments.check(options.dependencies.journal.journal, configuration)
        let drivers = try await configuration.drivers(options.tools, secrets: options.secrets)
        return try PaymentClient(drivers: drivers, routing: configuration.routing, options.dependencies)
    }
}

extension PaymentConfiguration {
    /// Reads a configuration file.
    ///
    /// - Throws: `configuration`, nothing moved: why the file can't be read and what to do, or all of its problems.
    public static func load(_ path: String, registry: ProviderRegistry) throws(PaymentError) -> PaymentConfiguration {
        let bytes: [UInt8]
        do {
            bytes = try RegularFile.read(
                path, bytesMax: ConfigurationReader.bytesMax, forbidding: RegularFile.othersMayWrite)
        } catch {
            throw PaymentError.notExecuted(
                .configuration, "the configuration \(path) could not be read: \(error.problem). \(advice(error, path))")
        }
        return try ConfigurationReader(registry).read(bytes, file: path)
    }

    private static func advice(_ failure: FileFailure, _ path: String) -> String {
        switch failure {
        case .missing:
            "Run `payctl init` to write a file to start from, or name the file that you have."
        case .exposed: "A user who can write it decides where payments go: run chmod go-w \(path)."
        case .foreign, .foreignFolder: "Its owner decides where payments go: make it this user's own."
        case .openFolder(let folder):
            "A user who can put another in its place decides where payments go: run chmod go-w \(folder)."
        case .forbidden: "Run as a user who may read it, or change its mode."
        case .notRegular, .tooLarge, .failed: "Is it the right file?"
        }
    }
}

/// What an application may change while a client opens; it goes before what the configuration says.
///
/// It has every member of ``ClientOptions`` (`reader`, `answers`, `executor`, `tokens`, …) and of
/// `ProviderDependencies` (`transport`, `tokenProviders`, `signers`) as its own:
///
/// ```swift
/// let payments = try await PaymentClient.open(configuration: "providers.json") {
///     $0.reader = myReader
///     $0.transport = myTransport
///     $0.answers.handle(ThreeDSecureChallenge.self) { challenge in … }
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
        tools = ProviderDependencies(transport: HostDefaults.transport())
        tools.webSockets = HostDefaults.webSockets().map { ObservedWebSocketTransport($0) }
        tools.crypto = HostDefaults.crypto()
        HostDefaults.keepTokens(&dependencies)
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
