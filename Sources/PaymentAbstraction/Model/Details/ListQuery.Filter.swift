extension ListQuery {
    /// One condition on a list of transactions.
    public enum Filter: Hashable, Sendable {
        /// Of one settlement batch.
        case batch(String)
        /// Not settled yet.
        case unsettled
        /// Made by one terminal, invoice or user.
        case creator(String)
        /// Made in one way, in the provider's word.
        case channel(String)
        /// Under one reference of the application.
        case reference(String)
        /// Between two moments, in milliseconds since 1970.
        case dates(ClosedRange<Int64>)
        /// Between two amounts.
        case amounts(least: Money, most: Money)
        /// With one outcome, in the provider's word.
        case outcome(String)

        /// The kinds of condition, to say which a provider takes.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// By settlement batch.
            case batch
            /// By not being settled yet.
            case unsettled
            /// By terminal, invoice or user.
            case creator
            /// By the way in which they were made.
            case channel
            /// By the application's reference.
            case reference
            /// By time.
            case dates
            /// By amount.
            case amounts
            /// By outcome.
            case outcome
        }

        /// Which kind it is.
        public var kind: Kind {
            switch self {
            case .batch: .batch
            case .unsettled: .unsettled
            case .creator: .creator
            case .channel: .channel
            case .reference: .reference
            case .dates: .dates
            case .amounts: .amounts
            case .outcome: .outcome
            }
        }
    }
}
