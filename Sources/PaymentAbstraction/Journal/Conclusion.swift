/// What is to be written about an attempt, with how it is known; a claim and its outcome are one write.
public struct Conclusion: Hashable, Sendable {
    /// What the attempt shall become.
    public let state: AttemptRecord.State
    /// How it is known.
    public let evidence: AttemptRecord.Evidence
    /// When the provider said so, in milliseconds since 1970.
    public let eventAt: Int64
    /// The look-alike that was taken to be this attempt.
    public var claim: String?
    /// Notes that a person or an import adds.
    public var notes: [String: String] = [:]

    /// Concludes with a state.
    public init(_ state: AttemptRecord.State, by evidence: AttemptRecord.Evidence, at instant: Int64) {
        (self.state, self.evidence, eventAt) = (state, evidence, instant)
    }
}
