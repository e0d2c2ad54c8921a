extension ProviderClient {
    /// What a provider has on record about its transactions.
    public struct Transactions: Sendable {
        private let provider: ProviderRuntime
        private let context: LookupContext

        init?(_ provider: ProviderRuntime, _ services: Services) {
            if provider.details == nil, provider.list == nil { return nil }
            self.provider = provider
            context = LookupContext(provider: provider, services: services)
        }

        /// What the provider says about a payment; nil when it knows nothing of it.
        public func details(of payment: PaymentSnapshot) async throws(PaymentError) -> PaymentDetails? {
            try await details(payment.references)
        }

        /// What the provider says about what these references name; nil when it knows nothing of it.
        public func details(_ references: PaymentReferences) async throws(PaymentError) -> PaymentDetails? {
            guard let driver = provider.details else { throw missing("details") }
            do { return try await driver.details(references, context) } catch { throw provider.driver.wrapped(error) }
        }

        /// One page of transactions.
        public func list(_ query: ListQuery = ListQuery()) async throws(PaymentError) -> PaymentDetailsPage {
            guard let driver = provider.list else { throw missing("list") }
            guard (1...ListQuery.limitMax).contains(query.limit) else {
                throw PaymentError(
                    .invalidRequest, outcome: .notExecuted,
                    detail: "a page has 1 to \(ListQuery.limitMax) items, not \(query.limit)")
            }
            let foreign = Set(query.filters.map(\.kind)).subtracting(driver.capabilities.listFilters)
            guard foreign.isEmpty else {
                let names = foreign.map(\.rawValue).sorted().joined(separator: ", ")
                throw PaymentError(
                    .unsupported, outcome: .notExecuted, detail: "\(provider.id) can't filter its list by \(names)")
            }
            do { return try await driver.list(query, context) } catch { throw provider.driver.wrapped(error) }
        }

        /// Everything that a query finds, a page at a time.
        public func every(_ query: ListQuery = ListQuery(limit: ListQuery.limitMax)) -> PagedSequence<PaymentDetails> {
            PagedSequence(first: page(query))
        }

        private func page(_ query: ListQuery) -> PagedSequence<PaymentDetails>.Fetch {
            { () async throws(PaymentError) in
                let found = try await list(query)
                return .init(
                    elements: found.items,
                    next: found.next.map { cursor in
                        var further = query
                        further.cursor = cursor
                        return page(further)
                    })
            }
        }

        private func missing(_ what: String) -> PaymentError {
            PaymentError(.unsupported, outcome: .notExecuted, detail: "\(provider.id) has no \(what)")
        }
    }
}
