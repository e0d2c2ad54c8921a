extension ProviderClient {
    /// A provider's list of the merchant's devices.
    public struct Devices: Sendable {
        let driver: any DeviceDriver
        let context: LookupContext

        /// All devices.
        public func list() async throws(PaymentError) -> [DeviceSummary] {
            do { return try await driver.devices(context) } catch { throw driver.wrapped(error) }
        }

        /// One device; nil when the provider does not know it.
        public func device(_ id: String) async throws(PaymentError) -> DeviceSummary? {
            do { return try await driver.device(id, context) } catch { throw driver.wrapped(error) }
        }

        /// Takes the number of a terminal off the device that had it.
        public func unbind(terminal: String) async throws(PaymentError) {
            do { try await driver.unbind(terminal: terminal, context) } catch { throw driver.wrapped(error) }
        }
    }
}
