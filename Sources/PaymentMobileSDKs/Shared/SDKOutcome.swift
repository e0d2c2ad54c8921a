/// What an error of a vendor's kit proves about the payment whose call ended with it.
public enum SDKOutcome: String, Sendable, Hashable, CaseIterable {
    /// No money moved by the call, and none will.
    case nothingMoved
    /// The payment was refused for its card, account or amount; no money moved.
    case declined
    /// Nobody can tell from the error; only a lookup can.
    case unknown

    /// What is left of the outcome when the kit's events have shown more than its error admits.
    ///
    /// Events only take certainty away. Once a submission was seen, a plain "nothing moved" no longer stands, unless
    /// the error says by itself that the submission was refused (`holds`); once an approval was seen, nothing stands.
    func weakened(by evidence: SDKEvidence, holds: Bool) -> SDKOutcome {
        switch (evidence, self) {
        case (.nothingSeen, _), (_, .unknown): self
        case (.approved, _): .unknown
        case (.submitted, .declined): .declined
        case (.submitted, .nothingMoved): holds ? .nothingMoved : .unknown
        }
    }
}
