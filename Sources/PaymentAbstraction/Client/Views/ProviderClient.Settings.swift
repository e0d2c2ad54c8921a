extension ProviderClient {
    /// What a provider has on record about the merchant.
    public struct Settings: Sendable {
        let driver: any SettingsDriver
        let context: LookupContext

        /// The settings.
        public func read() async throws(PaymentError) -> MerchantSettings {
            do { return try await driver.settings(context) } catch { throw driver.wrapped(error) }
        }

        /// What the access allows, by the names of the provider.
        public func permissions() async throws(PaymentError) -> Set<String> {
            do { return try await driver.permissions(context) } catch { throw driver.wrapped(error) }
        }
    }
}
