/// What a card is read for; the amount goes into the card's own cryptogram.
public struct CardReadRequest: Hashable, Sendable {
    /// What the read is for.
    public enum Purpose: String, Hashable, Sendable {
        /// Money is taken.
        case purchase
        /// Money is given.
        case refund
        /// The card is only looked at.
        case verification
    }

    /// What the reader shows.
    public let amount: Money
    /// What the card is read for.
    public let purpose: Purpose
    /// How the reader presents itself.
    public var presentation = ReaderPresentation()
    /// The language of the customer.
    public var language: String?

    /// Asks for a read.
    public init(_ purpose: Purpose = .purchase, _ amount: Money) { (self.purpose, self.amount) = (purpose, amount) }
}
