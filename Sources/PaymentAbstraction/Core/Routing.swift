/// Which provider takes a new payment; the first rule that matches wins.
public struct Routing: Hashable, Sendable {
    /// One rule; what is nil matches everything.
    public struct Rule: Hashable, Sendable {
        /// The currency of the amount.
        public var currency: Currency?
        /// The least amount.
        public var minimum: Money?
        /// The largest amount.
        public var maximum: Money?
        /// The kind of source.
        public var source: PaymentSource.Kind?
        /// The request's label.
        public var routingLabel: String?
        /// Who takes it; those after the first only when nothing was sent and no card was read.
        public var providers: [ProviderID]

        /// Makes a rule that matches everything.
        public init(_ providers: [ProviderID]) { self.providers = providers }

        func matches(_ amount: Money, _ source: PaymentSource.Kind, _ label: String?) -> Bool {
            if let currency, currency != amount.currency { return false }
            if let minimum, minimum.currency != amount.currency || amount.minorUnits < minimum.minorUnits {
                return false
            }
            if let maximum, maximum.currency != amount.currency || amount.minorUnits > maximum.minorUnits {
                return false
            }
            if let wanted = self.source, wanted != source { return false }
            if let wanted = self.routingLabel, wanted != label { return false }
            return true
        }
    }

    /// Who takes what no rule matches.
    public var active: ProviderID
    /// The rules, in order.
    public var rules: [Rule] = []
    /// Providers that take nothing new and still serve the payments that they took.
    public var draining: Set<ProviderID> = []

    /// Sends everything to one provider.
    public init(active: ProviderID) { self.active = active }

    /// All providers that are named.
    var named: Set<ProviderID> { Set([active] + rules.flatMap(\.providers)).union(draining) }

    /// Who may take a new payment, in order.
    public func candidates(_ amount: Money, from source: PaymentSource.Kind, label: String? = nil) -> [ProviderID] {
        let matched = rules.first { $0.matches(amount, source, label) }
        return (matched?.providers ?? [active]).filter { !draining.contains($0) }
    }
}

extension PaymentClient {
    /// Which providers would take a sale or an authorisation, in order; the quote's own where it carries a quote.
    ///
    /// Those after the first are asked only when nothing was sent and no card was read.
    ///
    /// - Throws: `configuration`, nothing moved, when all that the routing names are draining.
    public func route(for request: SaleRequest) throws(PaymentError) -> [ProviderID] {
        if let quoted = request.quote { return [quoted.quote.provider] }
        return try route(for: request.amount, from: request.source.kind, label: request.routingLabel)
    }

    /// Which providers would take a new payment of this amount from this kind of source, in order.
    ///
    /// - Throws: As the form that takes a request.
    public func route(
        for amount: Money, from source: PaymentSource.Kind, label: String? = nil
    ) throws(PaymentError) -> [ProviderID] {
        let candidates = routing.candidates(amount, from: source, label: label)
        if candidates.isEmpty { throw noRoute(amount, source) }
        return candidates
    }

    /// Who takes what has no second choice.
    func first(_ amount: Money, _ source: PaymentSource.Kind) throws(PaymentError) -> ProviderID {
        guard let id = try route(for: amount, from: source).first else { throw noRoute(amount, source) }
        return id
    }

    func noRoute(_ amount: Money, _ source: PaymentSource.Kind) -> PaymentError {
        PaymentError(
            .configuration, outcome: .notExecuted,
            detail: "no provider takes \(amount) from \(source.rawValue): all that the routing names are draining")
    }
}
