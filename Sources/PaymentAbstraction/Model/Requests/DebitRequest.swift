/// A later charge of a card on file, without the customer.
public struct DebitRequest: Hashable, Sendable {
    public let amount: Money
    /// The instrument that was put on file.
    public let instrument: SavedInstrument.ID
    public let reference: String
    public var text: String?
    public var customer: String?

    /// Asks for a charge of an instrument on file.
    public init(_ amount: Money, of instrument: SavedInstrument.ID, reference: String) {
        (self.amount, self.instrument, self.reference) = (amount, instrument, reference)
    }
}
