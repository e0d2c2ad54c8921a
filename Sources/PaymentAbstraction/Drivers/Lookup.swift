public import PaymentModel

/// How the client looks an operation up.
public struct LookupPlan: Hashable, Sendable {
    /// How often, in milliseconds.
    public let every: Int64
    /// For how long, within the call, in milliseconds.
    public let giveUpAfter: Int64
    /// After so long without a sign of it, counted from the end of the last request, "not found" proves that nothing was
    /// executed; nil if absence proves nothing.
    public let quiet: Int64?
    /// Whether it compares totals, so that nothing else may be open on the payment in the meantime.
    public var comparesTotals = false
    /// Whether the terminal itself is asked about the call, by the message's own name.
    public var asksTerminal = false
    /// Whether the provider registers an attempt's id once, refuses it from then on, and never changes a decline under it.
    ///
    /// Then a found decline that names the id as a reference excludes all requests of the attempt, also those whose replies
    /// were lost. Leave it false where a declined id can be paid again.
    public var takesIDOnce = false
    /// By how much the provider's clock and the journal's can differ, in milliseconds.
    public var clockMarginMilliseconds: Int64 = 60_000

    /// Makes a plan.
    public init(every: Int64, giveUpAfter: Int64 = 30_000, quiet: Int64? = nil) {
        self.every = max(1, every)
        (self.giveUpAfter, self.quiet) = (giveUpAfter, quiet)
    }
}

/// What a lookup is about: the attempt, and the payment that it acts on.
public struct LookupRequest: Hashable, Sendable {
    /// What the journal holds about the attempt.
    public let record: Attempt
    /// The run that is asked about.
    let run: Int
    /// The kind of name by which the account finds what a person named.
    let manualName: String
    /// The payment without this attempt; nil if the attempt itself starts it.
    public let payment: PaymentSnapshot?
    /// How many milliseconds ago the first request of the run in question was opened, at least; nil if there is none.
    public let millisecondsSinceSent: Int64?
    /// Whether the clock that is read now is the one by which the request was opened, and was not set since.
    let isSameClock: Bool

    package init(
        record: Attempt, run: Int, payment: PaymentSnapshot?, millisecondsSinceSent: Int64?,
        manualName: String = Attempt.personReference, isSameClock: Bool = true
    ) {
        (self.record, self.run, self.payment, self.manualName) = (record, run, payment, manualName)
        (self.millisecondsSinceSent, self.isSameClock) = (millisecondsSinceSent, isSameClock)
    }

    /// The attempt's own id.
    public var attempt: AttemptID { record.intent.attempt }
    /// What was asked for.
    public var amount: Money { record.intent.amount }
    /// What was noted under a name.
    public func note(_ name: String) -> String? { record.note(name, run: run) }
    /// What the provider, or a person, has said of the run that is asked about; nil if nothing was said.
    public var verdict: Verdict? {
        guard case .approved(var approval)? = said,
            let account = record.runs.first(where: { $0.number == run })?.account
        else { return said }
        approval.references.name(record.nameByPerson(at: account), manualName)
        return .approved(approval)
    }

    private var said: Verdict? {
        if record.runs.count == 1 { return record.verdict }
        if let known = record.executions.first(where: { $0.runs.contains(run) }) { return known.report.verdict }
        return record.reports.last { $0.run == run && $0.verdict != nil && record.counts($0) }?.verdict
    }
    /// The requests that were opened at the account that is asked.
    public var requests: [Attempt.Request] {
        guard let account = record.runs.first(where: { $0.number == run })?.account else { return [] }
        let runs = Set(record.runs.filter { $0.account == account }.map(\.number))
        return record.requests.filter { runs.contains($0.run) }
    }
    /// When the first request of the run was opened, in milliseconds since 1970.
    public var submittedAt: Int64? { record.requests.first { $0.run == run }?.openedAt.wall }
    /// When the run began, in milliseconds since 1970.
    public var createdAt: Int64 { record.runs.first { $0.number == run }?.begunAt.wall ?? 0 }

    /// When a provider's list can have dated it, whichever clock is wrong, in milliseconds since 1970: for what is only shown to a
    /// person.
    ///
    /// Our clock may be ahead by as much as the list's newest time is before our now, and behind by any time where that is after
    /// our now. The clock of another machine, or one that was set since, shows neither: then it is a day on both sides.
    ///
    /// - Parameters:
    ///   - newest: The newest time in the list; nil if none can be read.
    ///   - now: What our clock says now.
    ///   - margin: How far the two clocks may always be apart, in milliseconds.
    ///   - limit: How long after the last request it can be executed, in milliseconds.
    public func couldBeDated(
        newest: Int64?, now: Int64, margin: Int64, within limit: Int64
    ) -> ClosedRange<Int64> {
        let last = max(createdAt, requests.last?.openedAt.wall ?? createdAt)
        guard isSameClock else {
            return createdAt.addingSaturating(-Self.dayMilliseconds)...last.addingSaturating(Self.dayMilliseconds)
        }
        let newest = newest ?? now
        let dayAgo = now.addingSaturating(-Self.dayMilliseconds)
        let ahead = newest >= now ? 0 : newest <= dayAgo ? Self.dayMilliseconds : now - newest
        let first = createdAt.addingSaturating(-margin).addingSaturating(-ahead)
        let isBehind = newest > now.addingSaturating(margin)
        return first...(isBehind ? .max : max(first, last.addingSaturating(limit)))
    }

    /// How far a provider's time is from when it was sent, so that the likeliest look-alike comes first.
    public func distance(to time: Int64) -> UInt64 {
        let (distance, overflow) = time.subtractingReportingOverflow(submittedAt ?? createdAt)
        return overflow ? .max : distance.magnitude
    }

    /// No time zone is further away, in milliseconds.
    private static let dayMilliseconds: Int64 = 86_400_000
}

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
    /// Nothing of it, in a place where the provider documents that it would be shown. `seesBack` is the age in milliseconds up
    /// to which the provider still shows a request; nil if that is not limited.
    case notFound(seesBack: Int64?)
    /// The provider can't say, or not now. `shown` has the provider's names for what it shows and could be the attempt: a person
    /// who says that nothing was executed has to name each.
    case cannotTell(String, shown: [String] = [])

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
