/// What an adapter that can list transactions implements. Applications use ``ProviderClient/Transactions``.
public protocol ListDriver: PaymentDriver {
    /// One page of transactions.
    func list(_ query: ListQuery, _ context: LookupContext) async throws -> PaymentDetailsPage
}
