extension ProviderView {
    /// Payments that were taken without a network.
    public struct Offline: Sendable {
        private let driver: any OfflineDriver
        private let context: LookupContext

        init?(_ provider: OpenProvider, _ services: Services) {
            guard let driver = provider.offline else { return nil }
            self.driver = driver
            context = LookupContext(provider: provider, services: services)
        }

        /// What waits to be forwarded.
        public func queue() async throws(PaymentError) -> OfflineQueue {
            do { return try await driver.offlineQueue(context) } catch { throw driver.wrapped(error) }
        }

        /// Forwards what waits; says how many went.
        public func forward() async throws(PaymentError) -> Int {
            do { return try await driver.forward(context) } catch { throw driver.wrapped(error) }
        }
    }
}
