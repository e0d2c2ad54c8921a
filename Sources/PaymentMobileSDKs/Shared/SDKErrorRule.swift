/// One row of a kit's outcome table: a documented error and what it proves about the money.
public struct SDKErrorRule: Sendable, Hashable {
    /// The error's documented name; qualified by its type where two types share a name.
    public let code: String
    /// The calls that the row speaks of; empty for every call that is about money.
    public let calls: [String]
    /// What the error proves by its own words in a call that is about money.
    public let outcome: SDKOutcome
    /// Whether "nothing moved" stands even after events have shown a submission, since the error speaks of it.
    public let holdsAfterSubmission: Bool
    /// What the error proves in a call that moves no money: a list, a preparation, a session.
    public let outcomeElsewhere: SDKOutcome
    /// What kind of failure of the payment it is.
    public let cause: SDKErrorCause
    /// Why the row proves that of the money.
    public let why: String
    /// Where the document says it.
    public let citations: [DocumentCitation]
    /// What the document advises, if anything.
    public let advice: SDKErrorAdvice?

    /// Makes a row of an outcome table.
    public init(
        _ code: String, _ outcome: SDKOutcome, _ cause: SDKErrorCause, _ citations: [DocumentCitation],
        calls: [String] = [],
        holds: Bool = false, elsewhere: SDKOutcome = .nothingMoved, advice: SDKErrorAdvice? = nil, why: String
    ) {
        (self.code, self.calls, self.outcome, self.cause) = (code, calls, outcome, cause)
        (holdsAfterSubmission, outcomeElsewhere) = (holds, elsewhere)
        (self.why, self.citations, self.advice) = (why, citations, advice)
    }
}
