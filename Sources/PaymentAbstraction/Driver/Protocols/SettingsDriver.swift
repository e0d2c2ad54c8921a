/// What an adapter whose provider keeps settings implements. Applications use ``ProviderClient/Settings``.
public protocol SettingsDriver: PaymentDriver {
    /// What is on record about the merchant.
    func settings(_ context: LookupContext) async throws -> MerchantSettings
    /// What the access allows, by the provider's names.
    func permissions(_ context: LookupContext) async throws -> Set<String>
}
