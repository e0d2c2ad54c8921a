public import PaymentAbstraction

/// What a `providers.json` says, checked as a whole; credentials are still references.
///
/// ```swift
/// let configuration = try ConfigurationReader(.builtin).read(bytes, file: "providers.json")
/// let drivers = try await configuration.drivers(ProviderDependencies(transport: transport), secrets: mySecrets)
/// ```
public struct PaymentConfiguration: Sendable {
    /// The file's name, as it stands in errors.
    public let file: String
    /// The providers, in the order of the file.
    public let providers: [ConfiguredProvider]
    /// Who takes what.
    public var routing: Routing
    /// The journal.
    public let journal: JournalConfiguration
    /// How long a call waits for its answer, in milliseconds; nil for the client's own default.
    public let deadlineMilliseconds: Int64?
}
