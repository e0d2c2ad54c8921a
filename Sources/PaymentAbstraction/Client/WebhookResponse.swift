/// What came of a webhook, and what the provider wants to hear.
public struct WebhookResponse: Hashable, Sendable {
    /// What came of one thing that it said.
    public enum Effect: Hashable, Sendable {
        /// It is written down with that attempt, or was there before, or caused a look at it.
        case applied(AttemptID)
        /// It names something that no attempt is called yet, and waits for that.
        case stored
        /// It changes nothing, in words.
        case ignored(because: String)
    }

    /// One thing that it said.
    public struct Item: Hashable, Sendable {
        /// What it said.
        public let notice: ProviderNotice
        /// What came of it.
        public let effect: Effect
    }

    /// What it said, in its order.
    public let items: [Item]
    /// The status with which a server answers.
    public let status: Int
    /// The body with which a server answers.
    public let body: [UInt8]

    /// What it said, also about payments that are not ours.
    public var notices: [ProviderNotice] { items.map(\.notice) }
}
