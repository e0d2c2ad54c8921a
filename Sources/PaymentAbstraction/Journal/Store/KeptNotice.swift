/// A verified message of a provider's that names something which no attempt is called yet.
public struct KeptNotice: Hashable, Sendable {
    /// Whose message it is.
    public let provider: ProviderIdentity
    /// What it names.
    public let name: String
    /// The operations that it can be about; none for any.
    public let operations: Set<PaymentOperation>
    /// What it says.
    public let word: AttemptFacts.Word

    /// Keeps a message.
    public init(
        _ provider: ProviderIdentity, _ name: String, _ operations: Set<PaymentOperation>, _ word: AttemptFacts.Word
    ) {
        (self.provider, self.name) = (provider, name)
        (self.operations, self.word) = (operations, word)
    }
}
