extension ProviderClient {
    /// The instruments that a provider keeps for customers.
    public struct SavedInstruments: Sendable {
        let driver: any SavedInstrumentDriver
        let context: LookupContext

        /// What is kept for a customer.
        public func list(of customer: String) async throws(PaymentError) -> [SavedInstrument] {
            do { return try await driver.instruments(of: customer, context) } catch { throw driver.wrapped(error) }
        }

        /// Forgets one.
        public func remove(_ instrument: SavedInstrument.ID, of customer: String) async throws(PaymentError) {
            do { try await driver.remove(instrument, of: customer, context) } catch { throw driver.wrapped(error) }
        }
    }
}
