internal import PaymentModel

/// What a scenario came to at one provider; amounts are as shares, since every provider is steered by its own.
public struct ScenarioResult: Hashable, Sendable {
    /// One side of what was seen.
    public enum Aspect: String, Hashable, Sendable, CaseIterable {
        /// What the application got.
        case result
        /// The provider's own code.
        case code
        /// The state of the payment's sums afterwards.
        case amounts
        /// What the provider booked.
        case ledger = "books"
        /// The payment's events.
        case events
        /// What went over the line.
        case messages = "wire"
        /// How long it took, by the simulated clock.
        case time
        /// What there is to print.
        case receipt
        /// What the application is shown of the card.
        case card
        /// What is not known yet.
        case open
    }

    /// What the application got, in neutral words; or why it was not played.
    public let result: String
    /// The provider's own code of a decline or an error; empty where there is none.
    public let code: String
    /// Whether it was played.
    public let isPlayed: Bool
    /// The state of the payment's sums afterwards.
    public internal(set) var amounts: [String] = []
    /// What the provider booked, in order.
    public internal(set) var books: [String] = []
    /// The payment's events, in order.
    public internal(set) var events: [String] = []
    /// What went over the line, in order, with neither bodies nor headers.
    public internal(set) var wire: [String] = []
    /// How long it took, in milliseconds of the simulated clock.
    public internal(set) var milliseconds: Int64 = 0
    /// What there is to print on a receipt, by name.
    public internal(set) var receipt: [String] = []
    /// The card's brand, how it was read, and the rest that the application is shown of it.
    public internal(set) var card: [String] = []
    /// Attempts of which it is not known yet what became of them.
    public internal(set) var open: [String] = []
    /// The till's calls in their order; the last one's answer is the result.
    package internal(set) var calls: [ScenarioCall] = []
    /// Whether every call was done as asked, over the amount that was asked, with nothing open and the books saying the same.
    package internal(set) var isAsAsked = false
    /// What the books hold beyond what the client has recorded, such as `charged twice`; empty if nothing, or while
    /// something is open.
    package internal(set) var cost = ""
    /// What the books hold and the client doesn't know yet, while something is open; empty if nothing.
    package internal(set) var notYetKnown = ""
    /// Why the adapter can't prevent that, as its harness declares it; empty if it doesn't.
    package internal(set) var costReason = ""
    /// What has to be known of it beside the calls and the books.
    package internal(set) var notes: [String] = []

    init(_ result: String, code: String = "", isPlayed: Bool = true) {
        (self.result, self.code, self.isPlayed) = (result, code, isPlayed)
    }

    /// One side of it as lines.
    public subscript(aspect: Aspect) -> [String] {
        switch aspect {
        case .result: [result]
        case .code: code.isEmpty ? [] : [code]
        case .amounts: amounts
        case .ledger: books
        case .events: events
        case .messages: wire
        case .time: isPlayed ? ["\(milliseconds) ms"] : []
        case .receipt: receipt
        case .card: card
        case .open: open
        }
    }

    static func notPlayed(_ why: String) -> ScenarioResult { ScenarioResult("not played: \(why)", isPlayed: false) }
}
