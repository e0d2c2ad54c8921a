/// How the client looks an operation up.
public struct LookupPlan: Hashable, Sendable {
    /// How often, in milliseconds.
    public let everyMilliseconds: Int64
    /// For how long, within the call, in milliseconds.
    public let giveUpAfterMilliseconds: Int64
    /// After so long without a sign of it, counted from the end of the last request, "not found" proves that nothing was
    /// executed; nil if absence proves nothing.
    public let quietTime: Int64?
    /// Whether it compares totals, so that nothing else may be open on the payment meanwhile.
    public var isByDifference = false
    /// Whether the terminal itself is asked about the call, by the message's own name.
    public var asksTerminal = false
    /// By how much the provider's clock and the journal's can differ, in milliseconds.
    public var clockMarginMilliseconds: Int64 = 60_000

    /// Makes a plan.
    public init(everyMilliseconds: Int64, giveUpAfterMilliseconds: Int64 = 30_000, quietTime: Int64? = nil) {
        self.everyMilliseconds = max(1, everyMilliseconds)
        (self.giveUpAfterMilliseconds, self.quietTime) = (giveUpAfterMilliseconds, quietTime)
    }
}
