/// What an adapter whose provider keeps instruments for customers implements. Applications use
/// ``ProviderClient/SavedInstruments``.
public protocol SavedInstrumentDriver: PaymentDriver {
    /// A customer's instruments.
    func instruments(of customer: String, _ context: LookupContext) async throws -> [SavedInstrument]
    /// Forgets one.
    func remove(_ instrument: SavedInstrument.ID, of customer: String, _ context: LookupContext) async throws
}
