/// What a lookup saw; only the client turns it into an outcome.
public enum LookupResult: Hashable, Sendable {
    /// The attempt itself, by a reference of ours or beyond doubt.
    case found(Verdict)
    /// The approval that the attempt's own message was answered with, given once more by whoever keeps answers and not
    /// what became of them: what was heard since counts more.
    case repeated(Approval)
    /// Look-alikes; at most one of them is it.
    case candidates([Candidate])
    /// What is there now and was not before, as the provider shows only how a payment stands.
    case changed(Verdict)
    /// Nothing of it, in a place where it would have to be by the provider's own document.
    case notSeen
    /// Nothing of it among these, by the provider's names; what that proves hangs on which of them are ours.
    case notAmong(Set<String>)
    /// The provider gives no way to tell, or not now. An answer that can't be read is thrown instead: whoever has to know
    /// asks again then.
    case cannotTell

    /// Something that looks like the attempt.
    public struct Candidate: Hashable, Sendable {
        /// The provider's own name for it; at most one attempt may claim it.
        public let reference: String
        /// What the look-alike came to.
        public let verdict: Verdict
        /// When it was done, by the provider's own clock, in milliseconds since 1970; nil where it doesn't say. Without it a
        /// look-alike may be the second copy of any other that is known.
        public let at: Int64?

        /// Makes a candidate.
        public init(_ reference: String, _ verdict: Verdict, at: Int64? = nil) {
            (self.reference, self.verdict, self.at) = (reference, verdict, at)
        }
    }
}
