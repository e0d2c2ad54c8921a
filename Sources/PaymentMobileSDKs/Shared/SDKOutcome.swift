/// What an error of a vendor's kit proves about the payment whose call ended with it.
public enum SDKOutcome: String, Sendable, Hashable, CaseIterable {
    /// The call did not execute the payment, and it will not do so later.
    case notExecuted
    /// The payment was refused for its card, account or amount; no money moved.
    case declined
    /// The error doesn't say; only a lookup can.
    case unknown

    /// What is left of the outcome when the kit's events have shown more than its error admits.
    ///
    /// Events only take certainty away. Once a submission was seen, a plain "nothing moved" no longer is, unless
    /// the error says on its own that the submission was refused (`holds`); once an approval was seen, nothing is.
    func weakened(by evidence: SDKEvidence, holds: Bool) -> SDKOutcome {
        switch (evidence, self) {
        case (.nothingSeen, _), (_, .unknown): self
        case (.approved, _): .unknown
        case (.submitted, .declined): .declined
        case (.submitted, .notExecuted): holds ? .notExecuted : .unknown
        }
    }
}

/// What a kit's events have shown of a payment by the time that its call ends.
///
/// Silence proves nothing: ``nothingSeen`` leaves an error to its own words and adds no certainty.
public enum SDKEvidence: Int, Sendable, Hashable, CaseIterable {
    /// No event said that the payment had left the phone.
    case nothingSeen
    /// An event said that the payment was on its way or exists at the vendor.
    case submitted
    /// An event said that the payment was approved.
    case approved

    /// Takes the stronger of two sights of a payment; an approval is never unseen.
    public mutating func raise(to other: SDKEvidence) {
        if other.rawValue > rawValue { self = other }
    }
}

/// A documented call of a vendor's kit, as its outcome table knows it.
public protocol SDKCall: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {
    /// Whether an error of the call leaves a question about money: it pays, takes back, or stops a payment.
    var isAboutMoney: Bool { get }
}
