/// What a lookup saw. The rules decide what it proves.
public enum LookupResult: Hashable, Sendable {
    /// The attempt itself, beyond doubt.
    case found(Verdict)
    /// The approval that answered the attempt's own request, from a store that knows nothing of what followed.
    case repeated(Approval)
    /// Movements that look like it; at most one of them is it.
    case candidates([Candidate])
    /// What changed on the payment since it was read before the request.
    case changed(Verdict)
    /// Nothing of it, in a place where the provider documents that it would be shown. `seesBack` says how old a request may
    /// be to be shown there, in milliseconds; nil if that is not limited.
    case notFound(seesBack: Int64?)
    /// The provider can't tell, or not now.
    case cannotTell(String)

    /// A movement that looks like the attempt.
    public struct Candidate: Hashable, Sendable {
        /// The provider's own name for it.
        public let name: String
        /// What became of it.
        public let verdict: Verdict
        /// When it was executed, by the provider's clock, in milliseconds since 1970.
        public let at: Int64?

        /// Makes a candidate.
        public init(_ name: String, _ verdict: Verdict, at: Int64? = nil) {
            (self.name, self.verdict, self.at) = (name, verdict, at)
        }
    }
}
