/// What the customer agreed to when a card was put on file.
public struct CardOnFileTerms: Hashable, Sendable {
    /// The three kinds that card schemes tell apart.
    public enum Kind: String, Hashable, Sendable {
        /// Regular amounts at regular times.
        case recurring
        /// The customer asks each time.
        case customerInitiated
        /// The merchant asks when something is due.
        case unscheduled
    }

    /// What kind of charges the customer agreed to.
    public let kind: Kind
    /// When the agreement ends, as `YYYY-MM-DD`.
    public var until: String?
    /// How often, for regular ones, as the provider names it.
    public var period: String?
    /// The amount of each charge, for regular ones.
    public var amount: Money?

    /// Makes terms of one kind.
    public init(_ kind: Kind) { self.kind = kind }
}
