/// What a scenario came to at one provider; amounts stand as shares, since every provider is steered by its own.
public struct Observation: Hashable, Sendable {
    /// One side of what was seen.
    public enum Aspect: String, Hashable, Sendable, CaseIterable {
        /// What the application got.
        case result
        /// The provider's own code.
        case code
        /// What the provider booked.
        case books
        /// The payment's events.
        case events
        /// What went over the line.
        case wire
    }

    /// What the application got, in neutral words; or why it was not played.
    public let result: String
    /// The provider's own code of a decline or an error; empty where there is none.
    public let code: String
    /// What the provider booked, in order.
    public let books: [String]
    /// The payment's events, in order.
    public let events: [String]
    /// What went over the line, in order, with neither bodies nor headers.
    public let wire: [String]
    /// Whether it was played.
    public let isPlayed: Bool

    /// One side of it as lines.
    public subscript(aspect: Aspect) -> [String] {
        switch aspect {
        case .result: [result]
        case .code: code.isEmpty ? [] : [code]
        case .books: books
        case .events: events
        case .wire: wire
        }
    }

    static func notPlayed(_ why: String) -> Observation {
        Observation(result: "not played: \(why)", code: "", books: [], events: [], wire: [], isPlayed: false)
    }
}
