/// What an adapter that can say more about a transaction implements. Applications use ``ProviderClient/Transactions``.
public protocol DetailsDriver: PaymentDriver {
    /// What the provider says about what these references name; nil when it knows nothing of it.
    func details(_ references: PaymentReferences, _ context: LookupContext) async throws -> PaymentDetails?
}
