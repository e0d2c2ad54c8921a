public import PaymentAbstraction
public import PaymentBase

/// How a registered card stands: when and over what it is charged, in the provider's words.
public struct EcommpayRegistration: Hashable, Sendable {
    /// What the provider calls it.
    public let id: SavedInstrument.ID
    /// The provider's word for its state, such as `active`.
    public let status: String
    /// The kind of charges that the customer agreed to.
    public let kind: CardOnFileTerms.Kind?
    /// The currency of the charges.
    public let currency: Currency?
    /// What is charged each time, where that is fixed.
    public let amount: Money?
    /// The unit of time between two charges.
    public let period: String?
    /// How many of these units lie between two charges.
    public let interval: Int?
    /// The day of the first charge.
    public let start: CalendarDate?
    /// The time of day of the charges.
    public let time: String?
    /// When it ends, as the provider writes it.
    public let until: String?
    /// When it was charged last, as the provider writes it.
    public let lastCharge: String?

    /// Whether nothing is charged by it any more.
    public var isEnded: Bool { EcommpayMapping.cancelled.contains(status) }

    init?(_ json: JSON?) {
        guard let json, let id = EcommpayRefusal.text(json["id"]), let status = json["status"]?.string else {
            return nil
        }
        (self.id, self.status) = (.init(rawValue: id), status)
        kind = EcommpayMapping.kinds.first { $0.letter == json["type"]?.string }?.kind
        let currency = json["currency"]?.string.flatMap { Currency.known($0) }
        let units = EcommpayRefusal.text(json["amount"]).flatMap { Int64($0) }
        amount = currency.flatMap { currency in
            units.flatMap { try? Money(minorUnits: $0, currency).believable() }
        }
        self.currency = currency
        period = json["period"]?.string
        interval = EcommpayRefusal.text(json["period_interval"]).flatMap { Int($0) }
        start = json["start_date"]?.string.flatMap { CalendarDate(iso: $0) }
        (time, until) = (json["start_time"]?.string, json["valid_thru"]?.string)
        lastCharge = json["last_payment_at"]?.string
    }

    /// Whether it shows what was asked for, as far as it shows that at all.
    func fits(_ terms: CardOnFileTerms, _ recurrence: EcommpayRecurrence?) -> Bool {
        (terms.amount == nil || terms.amount == amount) && (terms.period == nil || terms.period == period)
            && (terms.until.map { until?.hasPrefix($0) ?? false } ?? true)
            && (recurrence?.interval == nil || recurrence?.interval == interval)
            && (recurrence?.start == nil || recurrence?.start == start)
    }
}
