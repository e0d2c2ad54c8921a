/// How the client looks an attempt up.
public struct LookupPlan: Hashable, Sendable {
    /// How often.
    public let everyMilliseconds: Int64
    /// For how long, within the call.
    public let giveUpAfterMilliseconds: Int64
    /// After this since the mark, not seen means never arrived; nil where absence proves nothing.
    public let quietTime: Int64?

    /// Makes a plan.
    public init(everyMilliseconds: Int64, giveUpAfterMilliseconds: Int64 = 30_000, quietTime: Int64? = nil) {
        self.everyMilliseconds = max(1, everyMilliseconds)
        (self.giveUpAfterMilliseconds, self.quietTime) = (giveUpAfterMilliseconds, quietTime)
    }
}
