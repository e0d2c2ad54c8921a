/// What a card is read for; the amount goes into the card's own cryptogram.
public struct CardRequest: Hashable, Sendable {
    /// What the read is for.
    public enum Purpose: String, Hashable, Sendable { case purchase, refund, verification }

    public let amount: Money
    public let purpose: Purpose
    public var presentation = Presentation()
    /// The language of the customer.
    public var language: String?

    /// Asks for a read.
    public init(_ purpose: Purpose = .purchase, _ amount: Money) { (self.purpose, self.amount) = (purpose, amount) }
}
