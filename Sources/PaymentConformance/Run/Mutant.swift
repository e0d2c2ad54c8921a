public import PaymentAbstraction

/// A driver broken on purpose, around an unbroken one: proves that the check meant for it can fail.
public struct Mutant: Sendable, CustomStringConvertible {
    /// Its stable name.
    public let id: String
    /// What is broken, in a sentence.
    public let summary: String
    /// The check that must catch it.
    public let caughtBy: String
    /// Stands between the driver and the line; made anew for each client.
    public var interceptor: (@Sendable () -> Interceptor)?
    /// Changes what is around the client: the clock, the token store, the journal.
    public var changeOptions: (@Sendable (ClientOptions) -> ClientOptions)?
    /// Puts another driver in the place of the shipped one.
    public var wrapDriver: (@Sendable (any PaymentDriver) -> any PaymentDriver)?
    /// Changes what the provider sends out by itself.
    public var changeWebhook: (@Sendable (ProviderWebhook) -> ProviderWebhook)?

    /// Names a mutant and the check that must catch it.
    public init(_ id: String, _ sentence: String, caughtBy check: String) {
        (self.id, self.summary, caughtBy) = (id, sentence, check)
    }

    public var description: String { "\(id) → \(caughtBy)" }
}
