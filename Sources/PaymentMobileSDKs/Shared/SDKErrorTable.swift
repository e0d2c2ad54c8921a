/// The outcome rules of one vendor's kit: pure data, with one pure question.
public struct SDKErrorTable: Sendable {
    /// The rows, in the document's order.
    public let rows: [SDKErrorRule]
    private let places: [String: [Int]]

    /// Takes the rows of a document; of two rows for one error and call, the first counts.
    public init(_ rows: [SDKErrorRule]) {
        self.rows = rows
        places = Dictionary(grouping: rows.indices) { rows[$0].code }
    }

    /// The row that speaks of an error in a call; one that names the call comes before one for all calls.
    public func rule(for code: String, in call: some SDKCall) -> SDKErrorRule? {
        let found = (places[code] ?? []).map { rows[$0] }
        return found.first { $0.calls.contains(call.rawValue) }
            ?? found.first { $0.calls.isEmpty || !call.isAboutMoney }
    }

    /// What an error proves about the money; unknown for one that the document doesn't list.
    public func outcome(of code: String, in call: some SDKCall, seen evidence: SDKEvidence) -> SDKOutcome {
        guard let rule = rule(for: code, in: call) else { return .unknown }
        guard call.isAboutMoney else { return rule.outcomeElsewhere }
        return rule.outcome.weakened(by: evidence, holds: rule.holdsAfterSubmission)
    }
}

/// One row of a kit's outcome table: a documented error and what it proves about the money.
public struct SDKErrorRule: Sendable, Hashable {
    /// The error's documented name; qualified by its type where two types share a name.
    public let code: String
    /// The calls that the row speaks of; empty for every call that is about money.
    public let calls: [String]
    /// What the error proves by its own words in a call that is about money.
    public let outcome: SDKOutcome
    /// Whether "nothing moved" is even after events have shown a submission, since the error speaks of it.
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
        holds: Bool = false, elsewhere: SDKOutcome = .notExecuted, advice: SDKErrorAdvice? = nil, why: String
    ) {
        (self.code, self.calls, self.outcome, self.cause) = (code, calls, outcome, cause)
        (holdsAfterSubmission, outcomeElsewhere) = (holds, elsewhere)
        (self.why, self.citations, self.advice) = (why, citations, advice)
    }
}

/// Why a kit's call failed, in words that no vendor owns.
///
/// The spellings are those of the payment client's own error codes, so that one switch serves all drivers.
public enum SDKErrorCause: String, Sendable, Hashable, CaseIterable {
    /// The request can't be right: an amount, a currency, a reference, a missing member.
    case invalidRequest
    /// Something was set up wrongly: the application, the merchant, the order of the kit's calls.
    case configuration
    /// The token or the credentials were refused.
    case authentication
    /// The merchant or the person may not do this.
    case permission
    /// Something of the same name exists already, or is in a state that forbids the request.
    case conflict
    /// The payment or thing that was asked for is not there.
    case notFound
    /// The payment was stopped before it was decided.
    case cancelled
    /// An answer about the payment took too long.
    case timedOut
    /// The payment's connection failed on the way there or back.
    case network
    /// A service that the payment needs can't be reached or refuses to work now.
    case providerUnavailable
    /// An answer came that can't be read, or the error is not listed.
    case unreadableReply
    /// The vendor of the payment failed without saying how.
    case providerFailed
    /// The card reader can't read now.
    case readerUnavailable
    /// The card reader serves another payment.
    case readerBusy
    /// The phone can't take cards at all, or not as it is set.
    case deviceUnsupported
    /// The phone is not safe enough to take cards.
    case deviceCompromised
    /// The phone's place must be known and is not.
    case locationRequired
    /// The merchant has not accepted the terms for taking cards.
    case termsNotAccepted
    /// The merchant's account is not linked to the phone.
    case accountNotLinked
    /// The card, its issuer or a limit refused the payment.
    case declined
}

/// What a vendor's document advises after an error of a payment; never to be followed while the outcome is unknown.
public struct SDKErrorAdvice: Sendable, Hashable {
    /// Whether the document says to try again.
    public enum Retry: String, Sendable, Hashable, CaseIterable {
        /// Try the payment again at once.
        case again
        /// Try the payment again after a while.
        case later
        /// Try the payment again after something was put right.
        case afterFix
        /// Don't try again: it will fail again, or the document calls it final.
        case never
    }

    /// Whether to try the payment again.
    public let retry: Retry
    /// What to put right first, in our own few words; empty when the document names nothing.
    public let action: String

    /// Takes a document's advice.
    public init(_ retry: Retry, _ action: String = "") { (self.retry, self.action) = (retry, action) }
}

/// A place in a vendor's document, kept as data so that a test can compare the rules with it.
public struct DocumentCitation: Sendable, Hashable, CustomStringConvertible {
    /// The file of the document, such as `seeds/halo.txt`.
    public let document: String
    /// The line of the document, from 1.
    public let line: Int

    /// Names one line of a document.
    public init(_ document: String, _ line: Int) { (self.document, self.line) = (document, line) }

    /// The place in the document as text, such as `seeds/halo.txt:169`.
    public var description: String { "\(document):\(line)" }
}
