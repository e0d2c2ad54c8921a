/// One operation under one id: everything that is known about it, and the state that follows from that.
///
/// An attempt is a fold over its events. Events are appended and never changed; ``state`` is computed from them alone.
public struct Attempt: Hashable, Sendable {
    /// What was asked for.
    @inlinable public var intent: Intent { asked[0] }
    /// The intent in storage of its own: it never changes, and attempts are copied often.
    @usableFromInline let asked: [Intent]
    /// Everything else, in storage of its own for the same reason: always one.
    private var folded = [Fold()]

    /// How often a process worked on it; a further run needs the proof that the one before executed nothing.
    public var runs: [Run] { folded[0].runs }
    /// Requests that may move money, in the order in which they were opened.
    public var requests: [Request] { folded[0].requests }
    /// What is known about the outcome, and from where.
    public var reports: [Report] { folded[0].reports }
    /// Names that the provider uses for this operation alone. An attempt that is the same as an import has one name, which says
    /// so and which no other attempt can get.
    public var names: [Name] { folded[0].names }
    /// What the driver keeps for a later lookup.
    public var notes: [Note] { folded[0].notes }
    /// Approvals that decide nothing until a person has said which payment they belong to.
    public var disputes: [Dispute] { folded[0].disputes }
    /// The attempt that turned out to be the same; this one is decided then and is in no sum.
    public var absorbedBy: AttemptID? { folded[0].absorbedBy }
    /// The names that it gave up when it was absorbed; a person who withdraws the statement gives them back.
    public var formerNames: [Name] { folded[0].formerNames }
    /// Whether two final reports can't both be true.
    public var isContradicted: Bool { folded[0].isContradicted }
    /// What a person acknowledged.
    public var acknowledged: [Acknowledgement] { folded[0].acknowledged }
    /// Where the attempt is.
    public var state: State { folded[0].state }
    /// When the state changed last; nil before the first run.
    public var changedAt: Instant? { folded[0].changedAt }
    /// Counts what can change money: requests, their ends, reports, disputes, absorptions and releases.
    public var version: Int { folded[0].version }

    /// What the events say.
    fileprivate struct Fold: Hashable, Sendable {
        var runs: [Run] = []
        var requests: [Request] = []
        var reports: [Report] = []
        var names: [Name] = []
        var notes: [Note] = []
        var disputes: [Dispute] = []
        var absorbedBy: AttemptID?
        var formerNames: [Name] = []
        var isContradicted = false
        var acknowledged: [Acknowledgement] = []
        var state = State.running
        var changedAt: Instant?
        var version = 0
    }

    /// An attempt of which nothing but the intent is known.
    public init(_ intent: Intent) { asked = [intent] }

    /// Reads an attempt off its events; nil if they don't begin with the intent, or are about a run or a request that it does
    /// not have.
    public init?(_ events: some Sequence<Event>) {
        var iterator = events.makeIterator()
        guard case .created(let intent)? = iterator.next() else { return nil }
        self.init(intent)
        while let event = iterator.next() {
            guard fits(event) else { return nil }
            apply(event)
        }
    }

    /// Whether an event that was stored can follow: runs and requests are numbered in their order, and what is about one comes
    /// after it.
    private func fits(_ event: Event) -> Bool {
        switch event {
        case .created: false
        case .run(let run): run.number == runs.count + 1
        case .request(let request):
            request.number == requests.count + 1 && runs.indices.contains(request.run &- 1)
        case .closed(let number, _, _): requests.indices.contains(number &- 1)
        case .ended(let number, _, _): runs.indices.contains(number &- 1)
        case .report(let report):
            runs.indices.contains(report.run &- 1) && report.request.map { requests.indices.contains($0 &- 1) } ?? true
        case .named, .note, .disputed, .absorbed, .released, .contradiction, .acknowledged: true
        }
    }

    /// Where an attempt is.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// A process works on it. Only in this state may the owner of the newest run open another request.
        case running
        /// A request may have been executed, and no process works on it.
        case inDoubt
        /// The provider accepted it, and it is not final.
        case pending
        /// Refused or cancelled, finally.
        case declined
        /// Proven: nothing was executed. The same id may run again.
        case notExecuted
        /// Executed.
        case approved
        /// Executed, and failed or undone as a whole later.
        case reversed
    }

    /// Whether its outcome may still become known, or change.
    public var isOpen: Bool { state == .running || state == .inDoubt || state == .pending }

    /// Whether nothing but a late failure can change it.
    public var isDecided: Bool { !isOpen }

    /// What happened to the money, in the words of an error.
    public var outcome: PaymentError.Outcome {
        switch state {
        case .approved: .executed
        case .declined, .notExecuted, .reversed: .notExecuted
        case .running, .inDoubt, .pending: .unknown
        }
    }

    /// Every verdict that was ever recorded, also those that no longer count.
    package var everyVerdict: [Verdict] { reports.compactMap(\.verdict) + disputes.map { .approved($0.approval) } }

    /// The newest run.
    public var newest: Run? { runs.last }
    /// Whether the newest run is over.
    public var isEnded: Bool { runs.last?.end != nil }
    /// Whether the provider did it without being asked by this journal's clients.
    public var isByProvider: Bool { runs.first?.owner == Run.provider }
    /// Whether no client of this journal sent anything for it, but an import or the provider made it.
    public var isImported: Bool { requests.isEmpty && importedUpTo != nil }

    /// Up to which time of the provider an import speaks for it; nil if an import did not make it.
    package var importedUpTo: Int64? { requests.isEmpty ? listedUpTo : nil }

    /// Up to which time of the provider a list that was imported speaks for it.
    package var listedUpTo: Int64? {
        for report in reports {
            if case .imported(let time) = report.evidence { return time }
        }
        return nil
    }

    /// When the first request of the newest run was opened, in milliseconds since 1970; nil if there was none.
    public var submittedAt: Int64? {
        let run = runs.count
        return requests.first { $0.run == run }?.openedAt.wall
    }

    /// What the driver noted under a name, in the run that a lookup is about.
    public func note(_ name: String) -> String? { note(name, run: runInQuestion) }

    /// What the driver noted under a name in a run.
    package func note(_ name: String, run: Int) -> String? {
        notes.last { $0.run == run && $0.name == name }?.value
    }

    /// Applies one event and computes `state` again.
    public mutating func apply(_ event: Event) {
        folded[0].take(event)
        let (before, after) = (state, computedState)
        folded[0].state = after
        if let at = event.at, after != before || changedAt == nil { folded[0].changedAt = at }
    }

    /// The same as it was at a moment, if an end of what it had executed came later; nil if none did.
    package func before(_ moment: Int64) -> Attempt? {
        func isLater(_ report: Report) -> Bool { report.isDecline && report.happenedAt > moment }
        guard hasApproval, reports.contains(where: isLater) else { return nil }
        var then = self
        then.folded[0].reports.removeAll(where: isLater)
        then.folded[0].state = then.computedState
        return then
    }
}

extension Attempt.Fold {
    typealias Event = Attempt.Event
    typealias Run = Attempt.Run
    typealias Request = Attempt.Request
    typealias Report = Attempt.Report
    typealias Instant = Attempt.Instant

    /// Takes what one event says, but for the state that follows.
    fileprivate mutating func take(_ event: Event) {
        if event.changesMoney { version += 1 }
        switch event {
        case .created: break
        case .run(let run): runs.append(run)
        case .request(let request): requests.append(request)
        case .closed(let number, let ending, let at): close(number, ending, at)
        case .ended(let number, let cause, let at): end(number, cause, at)
        case .report(let report) where report.what == .withdrawn: withdraw(report)
        case .report(let report): reports.append(report)
        case .named(let name):
            names.removeAll { $0.isSame(as: name) && $0.isByPerson }
            names.append(name)
        case .note(let note): notes.append(note)
        case .disputed(let dispute): disputes.append(dispute)
        case .absorbed(let other):
            absorbedBy = other
            if other != nil { (formerNames, names) = (names, []) }
        case .released(let gone):
            names.removeAll { gone.contains($0.value) && $0.isByPerson }
            reports.removeAll { $0.carries(gone) && !$0.evidence.isPerson }
        case .contradiction: isContradicted = true
        case .acknowledged(let what, _):
            acknowledged.append(what)
            if what == .contradiction { isContradicted = false }
        }
    }

    /// A person takes statements back: that the reference is free, if that was said, and nothing else then; otherwise what was
    /// said of the execution.
    private mutating func withdraw(_ report: Report) {
        if acknowledged.contains(.reference) { return acknowledged.removeAll { $0 == .reference } }
        reports.removeAll { $0.what == .notExecuted && $0.evidence.isPerson }
        reports.append(report)
    }

    /// A reply counts beyond what was believed before; nothing takes back what a reply has said.
    private mutating func close(_ number: Int, _ ending: Request.Ending, _ at: Instant) {
        guard requests.indices.contains(number - 1) else { return }
        let known = requests[number - 1].ending
        if known == nil { requests[number - 1].endedAt = at }
        if known == nil || ending == .answered { requests[number - 1].ending = ending }
    }

    private mutating func end(_ number: Int, _ cause: Run.Cause, _ at: Instant) {
        guard runs.indices.contains(number - 1), runs[number - 1].end == nil else { return }
        (runs[number - 1].end, runs[number - 1].endedAt) = (cause, at)
    }
}

extension Attempt {
    /// What is asked for, recorded before anything is sent.
    public struct Intent: Hashable, Sendable {
        /// The id, unique in the whole journal.
        public let attempt: AttemptID
        /// What is to be done.
        public let operation: PaymentOperation
        /// How much.
        public let amount: Money
        /// For a payment, the application's order; nil says that it has none. For a refund or a capture, what it is for.
        public let reference: String?
        /// Which part of the reference a payment is, such as `1 of 2`; empty for the whole.
        public let part: String
        /// For how long the payment keeps its reference after its last change, in milliseconds; nil for ever.
        public let holdsFor: Int64?
        /// The payment that it acts on; nil if it starts one.
        public let payment: PaymentID?
        /// Which references it shares with others, in the application's own words.
        public let scope: String
        /// A digest of what is bought, for whom, and of the stored instrument or card.
        public let digest: String
        /// Whether a capture or refund asks for everything that is left, so that its amount is no content.
        public var isForAll = false
        /// Whether the provider releases the rest after this capture.
        public var isLastCapture = false
        /// Whether a void leaves what was captured and releases the rest; else it undoes all there is.
        public var releasesRest = false
        /// How much of the amount is a tip.
        public var tip: Money?
        /// The kind of source; nil for an operation on a payment.
        public var source: PaymentSource.Kind?
        /// The last four digits of a source, if they are known before a card is read.
        public var last4: String?
        /// Whether nothing real is to happen.
        public var isDryRun = false
        /// Who asked, in the application's own words; no content.
        public var requestedBy: String?
        /// The reader that was asked for, by the name of its provider. A repeat may name another one.
        public var reader: String?
        /// What the application keeps with it; no content.
        public var metadata: [String: String] = [:]

        /// Makes an intent. References are kept in Unicode NFC without outer blanks.
        public init(
            _ attempt: AttemptID, _ operation: PaymentOperation, _ amount: Money, reference: String? = nil,
            part: String = "", holdsFor: Int64? = nil, payment: PaymentID? = nil, scope: String = "",
            digest: String = ""
        ) {
            (self.attempt, self.operation, self.amount, self.payment) = (attempt, operation, amount, payment)
            self.reference = reference.map(ReferenceText.normalized)
            (self.part, self.holdsFor) = (ReferenceText.normalizedPart(part), holdsFor)
            (self.scope, self.digest) = (scope, digest)
        }

        /// The payment that it belongs to: the one it acts on, or the one it starts.
        public var paymentID: PaymentID { payment ?? PaymentID(attempt) }
        /// Whether it starts a payment.
        public var isOrigin: Bool { payment == nil }

        /// Whether the same was asked for. For how long a reference is kept is no content, and neither are the reader, the
        /// person and the metadata: the first request's count.
        public func isSame(as other: Intent) -> Bool {
            attempt == other.attempt && operation == other.operation && isForAll == other.isForAll
                && (isForAll || amount == other.amount) && reference == other.reference && part == other.part
                && payment == other.payment && scope == other.scope && digest == other.digest && tip == other.tip
                && isDryRun == other.isDryRun
        }
    }

    /// One time that a process works on the attempt.
    public struct Run: Hashable, Sendable {
        /// What ended a run.
        public enum Cause: String, Hashable, Sendable, CaseIterable {
            /// The process that ran it.
            case owner
            /// Another process, to which the first one was proven dead.
            case takeOver
            /// A person.
            case person
            /// It was imported.
            case imported
            /// No client of this journal ran it; the provider did it.
            case provider
        }

        /// Counts from 1.
        public let number: Int
        /// The account that is asked.
        public let account: ProviderIdentity
        /// The process that runs it.
        public let owner: String
        /// When it began.
        public let begunAt: Instant
        /// The generation of the journal in which it began; each restore makes a new one.
        public var generation = ""
        /// Whether the provider can be asked what became of it, so that a pushed decline is a hint to every process.
        public var canLookUp = false
        /// For how long the account keeps a hold, in milliseconds; nil if the provider says when one expires.
        public var holdLifetime: Int64?
        /// The number of the payment's entry that began it.
        public var entry = 0
        /// Of a movement of the provider's own on an imported payment: up to when the import had counted everything.
        public var countedUpTo: Int64?
        /// What ended it; nil while it runs.
        public internal(set) var end: Cause?
        /// When it ended.
        public internal(set) var endedAt: Instant?

        /// The owner of what the provider did without being asked by a client of this journal.
        public static let provider = "provider"

        /// Makes a run; one with an end is over at once.
        public init(
            number: Int, account: ProviderIdentity, owner: String, begunAt: Instant, end: Cause? = nil
        ) {
            (self.number, self.account, self.owner, self.begunAt) = (number, account, owner, begunAt)
            (self.end, endedAt) = (end, end == nil ? nil : begunAt)
        }
    }

    /// A request that may move money, recorded before its first byte leaves.
    public struct Request: Hashable, Sendable {
        /// How a request ended.
        public enum Ending: String, Hashable, Sendable, CaseIterable {
            /// No byte left.
            case notSent
            /// The reply proves that it was refused before it was executed.
            case refused
            /// It was answered.
            case answered
            /// It may have been executed.
            case lost
        }

        /// What a request can execute.
        public enum Cards: String, Hashable, Sendable, CaseIterable {
            /// One card, once at most.
            case one
            /// Several cards one after the other, as a mobile SDK's screen or a terminal shows them.
            case several
        }

        /// Counts from 1 over all runs.
        public let number: Int
        /// The run that opened it.
        public let run: Int
        /// What it can execute.
        public let cards: Cards
        /// The key under which the provider executes it once.
        public let key: String?
        /// For how long after its opening bytes can leave, in milliseconds; nil if nothing limits that, and then absence
        /// proves nothing.
        public let sendLimit: Int64?
        /// When it was opened.
        public let openedAt: Instant
        /// Whether the terminal may approve without the issuer and keep that to itself.
        public var mayBeOffline = false
        /// Within which time after the run's end such a terminal has certainly forwarded what it holds, in milliseconds.
        public var forwardsWithin: Int64?
        /// Whether it returns the part that was approved.
        package var returnsMoney = false
        /// How it ended; nil while it is open.
        public internal(set) var ending: Ending?
        /// When it ended.
        public internal(set) var endedAt: Instant?

        /// Makes an open request.
        public init(
            number: Int, run: Int, cards: Cards = .one, key: String?, sendLimit: Int64?, openedAt: Instant
        ) {
            (self.number, self.run, self.cards) = (number, run, cards)
            (self.key, self.sendLimit, self.openedAt) = (key, sendLimit, openedAt)
        }

        /// Whether it was certainly not executed.
        package var wasNotExecuted: Bool { ending == .notSent || ending == .refused }
    }

    /// A statement about the attempt, and how it is known.
    public struct Report: Hashable, Sendable {
        /// What is said.
        public enum What: Hashable, Sendable {
            /// What the provider made of it.
            case verdict(Verdict)
            /// It was not executed and will not be.
            case notExecuted
            /// A person takes an own statement back.
            case withdrawn
        }

        /// What is said.
        public let what: What
        /// How it is known.
        public let evidence: Evidence
        /// The run that it is about.
        public let run: Int
        /// The request that it is about; nil for the run as a whole.
        public let request: Int?
        /// The number of the payment's entry that first held it.
        public let entry: Int
        /// When it was recorded.
        public let at: Instant

        /// Makes a report.
        public init(
            _ what: What, _ evidence: Evidence, run: Int, request: Int? = nil, entry: Int, at: Instant
        ) {
            (self.what, self.evidence, self.run, self.request) = (what, evidence, run, request)
            (self.entry, self.at) = (entry, at)
        }
    }

    /// How a report is known.
    public enum Evidence: Hashable, Sendable {
        /// The reply to the request itself.
        case reply
        /// The provider was asked; `known` is the number of the payment's last entry at that time.
        case lookup(askedAt: Instant, known: Int)
        /// A message of the provider, with the provider's own time.
        case webhook(id: String, providerTime: Int64?)
        /// A person said so.
        case person(by: String, reason: String, known: Int)
        /// A statement or another system said so; it speaks for everything up to a time of the provider.
        case imported(saidAt: Int64)
    }

    /// A name that the provider uses for one operation alone.
    public struct Name: Hashable, Sendable {
        /// The account that uses it.
        public let account: ProviderIdentity
        /// The name.
        public let value: String
        /// The request to which it belongs; nil if none of this journal's does.
        public let request: Int?
        /// Whether only a person's statement gave it; it goes with that statement.
        public let isByPerson: Bool

        /// The most bytes of a name. A longer one is a note and claims nothing.
        public static let bytesMax = 200

        /// Makes a name.
        public init(account: ProviderIdentity, value: String, request: Int?, isByPerson: Bool = false) {
            (self.account, self.value, self.request, self.isByPerson) = (account, value, request, isByPerson)
        }

        func isSame(as other: Name) -> Bool { value == other.value && account == other.account }
    }

    /// What a driver keeps with a run for a later lookup.
    public struct Note: Hashable, Sendable {
        /// The run that it belongs to.
        public let run: Int
        /// Under which name.
        public let name: String
        /// What.
        public let value: String

        /// Makes a note.
        public init(run: Int, name: String, value: String) { (self.run, self.name, self.value) = (run, name, value) }
    }

    /// An approval that can't be taken as this attempt's: another one has its name, it is older than the first request, or
    /// the provider does not say whether it is a movement of its own.
    public struct Dispute: Hashable, Sendable {
        /// The approval.
        public let approval: Approval
        /// How it is known.
        public let evidence: Evidence
        /// The provider's names in it.
        public let names: [String]
        /// The attempt that has one of the names.
        public let holder: AttemptID?
        /// The number of the payment's entry that holds it.
        public let entry: Int

        /// Makes a dispute.
        public init(approval: Approval, evidence: Evidence, names: [String], holder: AttemptID?, entry: Int) {
            (self.approval, self.evidence, self.names) = (approval, evidence, names)
            (self.holder, self.entry) = (holder, entry)
        }
    }

    /// What a person takes note of, so that it blocks no longer.
    public enum Acknowledgement: Hashable, Sendable {
        /// The amount of a movement in the payment's currency, or the amount that was executed, where it is more than was asked
        /// for and stays so.
        case amount(Money)
        /// The contradiction is seen and settled.
        case contradiction
        /// The payment's reference is free for another payment.
        case reference
        /// The payment may be refunded beside this chargeback.
        case chargeback
    }

    /// One thing that is appended to an attempt's log.
    ///
    /// Events are handed on often: each lies in a box of its own, so that a copy is one count.
    public indirect enum Event: Hashable, Sendable {
        /// The first of all.
        case created(Intent)
        /// A run begins.
        case run(Run)
        /// A request is opened.
        case request(Request)
        /// A request ended.
        case closed(request: Int, Request.Ending, at: Instant)
        /// A run ended.
        case ended(run: Int, Run.Cause, at: Instant)
        /// Something is known about the outcome.
        case report(Report)
        /// The provider uses a name for it.
        case named(Name)
        /// A driver keeps something.
        case note(Note)
        /// An approval can't be taken as this attempt's.
        case disputed(Dispute)
        /// It turned out to be the same as another attempt; nil takes that back.
        case absorbed(by: AttemptID?)
        /// Names that a withdrawn statement of a person gave, with the reports that came under them.
        case released([String])
        /// Two final reports can't both be true.
        case contradiction(at: Instant)
        /// A person took note of something.
        case acknowledged(Acknowledgement, at: Instant)

        var at: Instant? {
            switch self {
            case .run(let run): run.begunAt
            case .request(let request): request.openedAt
            case .closed(_, _, let at), .ended(_, _, let at), .contradiction(let at), .acknowledged(_, let at): at
            case .report(let report): report.at
            case .created, .named, .note, .disputed, .absorbed, .released: nil
            }
        }

        var changesMoney: Bool {
            switch self {
            case .request, .closed, .report, .absorbed, .released, .disputed: true
            case .created, .run, .ended, .named, .note, .contradiction, .acknowledged: false
            }
        }
    }
}
