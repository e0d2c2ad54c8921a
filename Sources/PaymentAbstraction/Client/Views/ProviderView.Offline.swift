extension ProviderView {
    /// Payments that were taken without a network.
    public struct Offline: Sendable {
        let driver: any OfflineDriver
        let context: LookupContext

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
