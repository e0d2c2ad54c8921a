public import PaymentBase

/// What came off a card; opaque to adapters, which pass it on.
public struct CardReadResult: Hashable, Sendable {
    /// The reader's name for this read.
    public let id: String
    /// The card's and the reader's tags that the provider asked for.
    public let generalCardData: Secret
    /// What only the provider can read.
    public let paymentCardData: Secret
    /// When the card was read, in milliseconds since 1970.
    public let at: Int64
    /// Whether the customer went on without a PIN.
    public var pinBypassed = false
    /// Whether the card itself refused.
    public var isDeclinedByCard = false

    /// Makes a read.
    public init(id: String, generalCardData: Secret, paymentCardData: Secret, at: Int64) {
        (self.id, self.generalCardData, self.paymentCardData, self.at) = (id, generalCardData, paymentCardData, at)
    }
}
