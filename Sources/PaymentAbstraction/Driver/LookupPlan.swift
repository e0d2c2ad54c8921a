/// How the client looks an attempt up.
public struct LookupPlan: Hashable, Sendable {
    /// How often.
    public let everyMilliseconds: Int64
    /// For how long, within the call.
    public let giveUpAfterMilliseconds: Int64
    /// After so long without anything of it, counted from the end of the last exchange, not seen means never arrived;
    /// nil where absence proves nothing.
    public let quietTime: Int64?
    /// Whether it is found by what has changed since, so that nothing else of ours may happen to the payment meanwhile.
    public var isByDifference = false

    /// How long after the last of several exchanges a refusal that is found counts, where no quiet time says so: longer
    /// than any provider works on a request that has arrived, in milliseconds.
    public static let refusalQuietMilliseconds: Int64 = 60_000

    /// Makes a plan.
    public init(everyMilliseconds: Int64, giveUpAfterMilliseconds: Int64 = 30_000, quietTime: Int64? = nil) {
        self.everyMilliseconds = max(1, everyMilliseconds)
        (self.giveUpAfterMilliseconds, self.quietTime) = (giveUpAfterMilliseconds, quietTime)
    }
}
