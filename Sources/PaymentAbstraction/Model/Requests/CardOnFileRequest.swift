/// A later charge of a card on file, without the customer.
public struct CardOnFileRequest: Hashable, Sendable {
    /// How much is charged.
    public let amount: Money
    /// The instrument that was put on file.
    public let instrument: SavedInstrument.ID
    /// The application's own reference.
    public let reference: String
    /// What the customer reads.
    public var displayText: String?
    /// The customer's name at the merchant.
    public var customer: String?

    /// Asks for a charge of an instrument on file.
    public init(_ amount: Money, of instrument: SavedInstrument.ID, reference: String) {
        (self.amount, self.instrument, self.reference) = (amount, instrument, reference)
    }
}
