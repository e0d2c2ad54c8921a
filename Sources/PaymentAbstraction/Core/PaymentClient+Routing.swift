public import PaymentModel

extension PaymentClient {
    /// Which providers would take a sale or an authorisation, in order; the quote's own where it carries a quote, and the
    /// keeper of a stored card, which means something to that one alone.
    ///
    /// Those after the first are asked only when nothing was sent and no card was read.
    ///
    /// - Throws: `configuration`, nothing moved, when all that the routing names are draining, or the quote's own is.
    public func route(for request: SaleRequest) throws(PaymentError) -> [ProviderID] {
        if let quoted = request.quote {
            try checkTakesNew(quoted.quote.provider)
            return [quoted.quote.provider]
        }
        if let keeper = keeper(of: request.source) { return [keeper] }
        return try route(for: request.amount, from: request.source.kind, label: request.routingLabel)
    }

    /// Which providers would take a new payment of this amount from this kind of source, in order.
    ///
    /// - Throws: `configuration`, nothing moved, when all that the routing names are draining.
    public func route(
        for amount: Money, from source: PaymentSource.Kind, label: String? = nil
    ) throws(PaymentError) -> [ProviderID] {
        let candidates = routing.candidates(amount, from: source, label: label)
        if candidates.isEmpty { throw noRoute(amount, source) }
        return candidates
    }

    /// The provider that keeps a stored card, where it may take a new payment whatever the routes name.
    private func keeper(of source: PaymentSource) -> ProviderID? {
        guard source.kind == .saved, let keeper = source.tokenProvider, !routing.isForced else { return nil }
        return providers[keeper] == nil || routing.draining.contains(keeper) ? nil : keeper
    }

    /// The provider of an operation that is offered to one alone.
    func first(_ amount: Money, _ source: PaymentSource.Kind) throws(PaymentError) -> ProviderID {
        guard let id = routing.candidates(amount, from: source).first else { throw noRoute(amount, source) }
        return id
    }

    /// A draining provider takes nothing new: a quote names one, and not the routes.
    func checkTakesNew(_ id: ProviderID) throws(PaymentError) {
        guard routing.draining.contains(id) else { return }
        throw PaymentError.notExecuted(.configuration, "\(id) is draining and takes nothing new.")
    }

    func noRoute(_ amount: Money, _ source: PaymentSource.Kind) -> PaymentError {
        PaymentError(
            .configuration, outcome: .notExecuted,
            detail: "No provider takes \(amount) from \(source.rawValue): each one in the routing is draining.")
    }
}
