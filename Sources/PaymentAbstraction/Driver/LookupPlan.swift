/// How the client looks an operation up.
public struct LookupPlan: Hashable, Sendable {
    /// How often, in milliseconds.
    public let every: Int64
    /// For how long, within the call, in milliseconds.
    public let giveUpAfter: Int64
    /// After so long without a sign of it, counted from the end of the last request, "not found" proves that nothing was
    /// executed; nil if absence proves nothing.
    public let quiet: Int64?
    /// Whether it compares totals, so that nothing else may be open on the payment meanwhile.
    public var comparesTotals = false
    /// Whether the terminal itself is asked about the call, by the message's own name.
    public var asksTerminal = false
    /// By how much the provider's clock and the journal's can differ, in milliseconds.
    public var clockMarginMilliseconds: Int64 = 60_000

    /// Makes a plan.
    public init(every: Int64, giveUpAfter: Int64 = 30_000, quiet: Int64? = nil) {
        self.every = max(1, every)
        (self.giveUpAfter, self.quiet) = (giveUpAfter, quiet)
    }
}
