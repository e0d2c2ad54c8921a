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
    /// Providers that take no new sales, not even on their quotes, and still serve the payments that they took. Debits of the
    /// cards that they keep continue: no customer is there who could give another card.
    public var draining: Set<ProviderID> = []
    /// Whether the caller named the active provider for this call: no other one takes it then, not even a card's keeper.
    package var isForced = false

    /// Sends everything to one provider.
    public init(active: ProviderID) { self.active = active }

    /// All providers that are named.
    package var named: Set<ProviderID> { Set([active] + rules.flatMap(\.providers)).union(draining) }

    /// Who may take a new payment, in order.
    public func candidates(_ amount: Money, from source: PaymentSource.Kind, label: String? = nil) -> [ProviderID] {
        let matched = rules.first { $0.matches(amount, source, label) }
        return (matched?.providers ?? [active]).filter { !draining.contains($0) }
    }
}
