public import PaymentBase

/// An instrument that the provider keeps for a customer.
public struct SavedInstrument: Hashable, Sendable {
    /// What the provider calls it; not a secret.
    public struct ID: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        /// The provider that keeps it; it is shown to no other.
        public var provider: ProviderID?
        public init(rawValue: String) { self.rawValue = rawValue }

        /// What a provider calls it.
        public init(_ rawValue: String, of provider: ProviderID) {
            (self.rawValue, self.provider) = (rawValue, provider)
        }
    }

    /// What the provider calls it.
    public internal(set) var id: ID
    /// The token that charges it, where the provider gives one out; never journalled.
    public var token: Secret?
    /// The card behind it.
    public var card: CardSummary?
    /// Whose it is.
    public var customer: String?

    /// Makes an instrument.
    public init(_ id: ID, token: Secret? = nil, card: CardSummary? = nil) {
        (self.id, self.token, self.card) = (id, token, card)
    }

    var recordable: SavedInstrument {
        var copy = self
        copy.token = nil
        copy.card?.holder = nil
        return copy
    }
}
