extension ProviderView {
    /// The instruments that a provider keeps for customers.
    public struct SavedInstruments: Sendable {
        private let driver: any SavedInstrumentDriver
        private let context: LookupContext

        init?(_ provider: OpenProvider, _ services: Services) {
            guard let driver = provider.saved else { return nil }
            self.driver = driver
            context = LookupContext(provider: provider, services: services)
        }

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
