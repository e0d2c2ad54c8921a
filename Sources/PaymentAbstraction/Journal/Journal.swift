package import PaymentBase
package import PaymentModel

/// What survives a crash.
///
/// A store has no rule. To write, it loads in one transaction what ``JournalRules/reads(_:)`` names, asks
/// ``JournalRules/decide(_:_:_:at:)``, and appends what comes back.
package protocol Journal: Sendable {
    /// One durable transaction. The same id with the same entry returns the first receipt and writes nothing.
    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer
    /// What the rules would say to an entry now; writes nothing.
    func preview(_ entry: JournalEntry, at instant: Attempt.Instant) async throws(JournalFailure) -> JournalAnswer
    /// One page of attempts.
    func attempts(
        _ query: JournalQuery, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage
    /// A payment with everything that followed.
    func payment(_ id: PaymentID) async throws(JournalFailure) -> StoredPayment?
    /// Takes attempts to which a lookup is owed and that the process can ask about, moves their next lookup forward in
    /// the same write, so that no two processes take one, and leaves this boot's mark. Attempts whose process lives
    /// stay as they are. A journal that was moved gives none, and fails, whatever the limit.
    func takeDue(_ terms: DueTerms, at instant: Attempt.Instant) async throws(JournalFailure) -> JournalPage
    /// The timeline of a payment, in order.
    func timeline(_ payment: PaymentID) async throws(JournalFailure) -> [PaymentEvent]
    /// The events of all payments behind a place, in the order of their rows; the end of the feed if no place is given.
    /// Nil if the place is of another feed, or if what followed it is not kept any more.
    func feed(after position: FeedPosition?, limit: Int) async throws(JournalFailure) -> FeedPage?
    /// One durable transaction over the messages to receivers outside: all of what the body keeps is written, or nothing. The body
    /// may run again where a connection is lost.
    func changeDeliveries<Value: Sendable>(
        _ body: @escaping @Sendable (inout any DeliveryRows) throws -> Value
    ) async throws(JournalFailure) -> Value
    /// Adds events to a payment's timeline that belong to no entry.
    func add(_ events: [PaymentEvent], to payment: PaymentID) async throws(JournalFailure)
    /// The journal's own time; entries carry no other.
    func time(_ ours: Attempt.Instant) async throws(JournalFailure) -> Attempt.Instant
    /// Returns when more is written about an attempt's payment than the entry that the caller knows, or when the task
    /// is cancelled.
    func changed(_ attempt: AttemptID, after entry: Int) async throws(JournalFailure)
    /// The present generation, in which the library draws its ids.
    func generation() async throws(JournalFailure) -> JournalGeneration
    /// Takes numbers out for good; returns the first.
    func draw(_ count: Int64) async throws(JournalFailure) -> Int64
    /// This process's name in the journal, and which other processes are alive.
    var processes: any ProcessRegistry { get }
    /// Where the journal is, for people: its file, its database, or the memory. It holds no secret.
    var place: String { get }
}

/// Which of the attempts to which a lookup is owed a process takes: another one's lookup would be lost.
package struct DueTerms: Hashable, Sendable {
    package let limit: Int
    /// Nil for every scope.
    package var scope: String?
    /// The accounts, each under the name that can ask it; nil for every account.
    package var accounts: [ProviderIdentity]?

    package init(limit: Int, scope: String? = nil, accounts: [ProviderIdentity]? = nil) {
        (self.limit, self.scope, self.accounts) = (limit, scope, accounts)
    }

    /// Whether the process can ask about an attempt.
    package func wants(_ attempt: Attempt) -> Bool {
        if let scope, attempt.intent.scope != scope { return false }
        guard let accounts else { return true }
        // What is decided is looked at because of a message, which may be about any of its runs.
        let runs = attempt.isDecided ? attempt.runsToAsk + [attempt.runInQuestion] : [attempt.runInQuestion]
        return attempt.runs.contains { run in
            runs.contains(run.number) && accounts.contains { $0.isExactly(run.account) }
        }
    }
}

/// Knows which processes are alive.
package protocol ProcessRegistry: Sendable {
    /// The name of this process, which no other start of any process ever has.
    var own: String { get }
    /// Whether the process of that name still runs.
    func isAlive(_ owner: String) -> Bool
    /// On which attempts the process's clients work; nil where that is not known.
    var runs: ProcessRuns? { get }
    /// Whether other processes took this one for dead, so that it begins nothing any more: true once they did, false once the journal is
    /// closed; nil where that does not happen.
    var takenForDead: Promise<Bool>? { get }
}

extension ProcessRegistry {
    package var runs: ProcessRuns? { nil }
    package var takenForDead: Promise<Bool>? { nil }
}

/// The attempts on which the clients of one process work. Another client of it takes over what none of them works on.
package final class ProcessRuns: Sendable {
    private let counts = Locked([AttemptID: Int]())

    package init() {}

    package func begin(_ attempt: AttemptID) { counts.withLock { $0[attempt, default: 0] += 1 } }

    package func end(_ attempt: AttemptID) {
        counts.withLock { counts in
            let left = (counts[attempt] ?? 0) - 1
            counts[attempt] = left > 0 ? left : nil
        }
    }

    package func contains(_ attempt: AttemptID) -> Bool { counts.withLock { $0[attempt] != nil } }
}

/// A payment as a store has it.
package struct StoredPayment: Hashable, Sendable {
    /// All attempts, the absorbed ones as well.
    package let attempts: [Attempt]
    /// The number of the payment's last entry.
    package let entry: Int

    package init(_ attempts: [Attempt], entry: Int) { (self.attempts, self.entry) = (attempts, entry) }
}

/// How a journal fails; what a rule refuses is an answer.
package enum JournalFailure: Error, Hashable, Sendable {
    /// Nothing was written, and nothing is sent. The text holds no content.
    case notWritten(String)
    /// It may have been written: the same entry is written again under its id.
    case writeUnconfirmed(String)
    /// The entry can't be written for its content: it is written once more without names, notes and references.
    case unwritable(String)
    /// What is stored of a payment can't be read; other payments are not affected.
    case unreadable(PaymentID?)
    /// The payment was pruned: its outcome is not known any more, and its ids stay taken.
    case pruned(AttemptID)
}

/// Names one write for ever. It is made of the process's own name and one counter of the process.
package struct WriteID: Hashable, Sendable {
    package let text: String
    package init(_ text: String) { self.text = text }
}

/// A place between two pages; it stays right whatever is written between them.
package struct JournalCursor: Hashable, Sendable {
    /// The store's own number of the last row before it.
    package let number: Int64
    package init(_ number: Int64) { self.number = number }
}

/// Which attempts are read page by page.
package enum JournalQuery: Hashable, Sendable {
    /// One attempt.
    case attempt(AttemptID)
    /// The attempt to which the provider gives this name.
    case named(ProviderName)
    /// Attempts that started a payment, of one scope or of all, newest first.
    case origins(scope: String?)
    /// Attempts that started a payment under a reference, oldest first.
    case reference(scope: String, String)
    /// Attempts that are open, of one scope or of all, oldest first.
    case open(scope: String?)
}

/// A page of attempts.
package struct JournalPage: Hashable, Sendable {
    /// What was found, in order.
    package var attempts: [Attempt]
    /// Payments that can't be read.
    package var unreadable: [PaymentID]
    /// Where the next page begins; nil after the last.
    package var next: JournalCursor?

    package init(_ attempts: [Attempt] = [], unreadable: [PaymentID] = [], next: JournalCursor? = nil) {
        (self.attempts, self.unreadable, self.next) = (attempts, unreadable, next)
    }
}

/// A provider's name for an operation, at one account. Two names are one if their bytes are, as in every database: a
/// provider may use two that a reader can't tell apart.
package struct ProviderName: Hashable, Sendable {
    package let account: ProviderIdentity
    package let value: String
    package init(_ account: ProviderIdentity, _ value: String) { (self.account, self.value) = (account, value) }

    package static func == (one: Self, other: Self) -> Bool {
        one.value.isExactly(other.value) && one.account == other.account
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(account)
        // By its bytes: a string's own hash sorts marks, which costs the square of their number.
        hasher.combine(ExactText(text: value))
    }
}

extension Attempt {
    /// Whether the provider's name is one of its names.
    package func has(_ name: ProviderName) -> Bool {
        names.contains { $0.value == name.value && $0.account == name.account }
    }
}

// MARK: - What a store loads

/// What a store loads, and locks where it can, before it asks the rules about an entry. The unit of loading and locking
/// is the payment.
package struct JournalReads: Hashable, Sendable {
    /// Attempts whose payments are loaded.
    package var attempts: Set<AttemptID> = []
    /// Payments that are loaded.
    package var payments: Set<PaymentID> = []
    /// A reference whose rows are loaded; none of its payments is.
    package var reference: PaymentRecord.Reference?
    /// Names whose attempts are loaded, with the messages that wait for them.
    package var names: Set<ProviderName> = []
    /// An account of which the rows are loaded that something found could be.
    package var matches: ProviderIdentity?
    /// Which part of the reference is asked for.
    package var part = ""

    /// Names of which it is only asked whether a payment had them that was pruned.
    package var pruned: [ProviderName] { reference?.namesBlocking(part: part) ?? [] }

    package init() {}

    /// Whether all of the other is among it.
    package func holds(_ other: JournalReads) -> Bool {
        other.attempts.isSubset(of: attempts) && other.payments.isSubset(of: payments)
            && other.names.isSubset(of: names)
            && (other.reference == nil || other.reference == reference && other.part == part)
            && (other.matches == nil || other.matches == matches)
    }

    /// Adds what a decision turned out to need.
    package mutating func add(_ other: JournalReads) {
        attempts.formUnion(other.attempts)
        payments.formUnion(other.payments)
        names.formUnion(other.names)
        if let reference = other.reference { (self.reference, part) = (reference, other.part) }
        matches = other.matches ?? matches
    }

    /// Whether a message that waits may count now: it waits for an attempt or a name that is loaded.
    package func wants(_ notice: Notice) -> Bool {
        if case .attempt(let id) = notice.subject, attempts.contains(id) { return true }
        return notice.everyName.contains { names.contains(ProviderName(notice.account, $0)) }
    }
}

/// What a store has loaded in its transaction.
package struct JournalSlice: Sendable {
    /// The attempts of all loaded payments, each payment's in order.
    package var attempts: [Attempt] = []
    /// The number of the last entry of each loaded payment.
    package var entries: [PaymentID: Int] = [:]
    /// The attempts that have a name.
    package var holders: [ProviderName: [AttemptID]] = [:]
    /// Messages that wait for a name or an id that the entry speaks of, the oldest first.
    package var notices: [Notice] = []
    /// Names about which more messages came than are kept.
    package var overfull: Set<ProviderName> = []
    /// Names of payments that were forgotten; nothing else gets them.
    package var forgotten: Set<ProviderName> = []
    /// Rows under the entry's reference.
    package var underReference: [PaymentRecord.ReferenceRow] = []
    /// Rows of attempts that something found could be.
    package var matches: [MatchRow] = []
    /// Which boots looked at an attempt since its last request, end or run.
    package var marks: [AttemptID: JournalClock.Marks] = [:]
    /// The owners among the loaded runs that the registry says are alive.
    package var living: Set<String> = []
    /// The journal's generation; each restore makes a new one.
    package var generation = ""
    /// Whether a restore may have lost something, and no person has closed the gap.
    package var hasGap = false
    /// How far the journal's clock can be off.
    package var clock = JournalClock()

    package init() {}

    package func attempt(_ id: AttemptID) -> Attempt? { attempts.first { $0.intent.attempt == id } }
}

/// The attempts of a transaction in the order in which they began, and what the entry appends to each.
///
/// Most entries are about one attempt, and most others about the newest: its id is compared from the end, which costs less than
/// to hash it.
struct PlayedAttempts {
    private var ids: [AttemptID] = []
    private(set) var all: [Attempt] = []
    private var events: [[Attempt.Event]] = []

    subscript(id: AttemptID) -> Attempt? { ids.lastIndex(of: id).map { all[$0] } }

    /// Those to which the entry appends something.
    var changed: [(id: AttemptID, after: Attempt, events: [Attempt.Event])] {
        ids.indices.filter { !events[$0].isEmpty }.map { (ids[$0], all[$0], events[$0]) }
    }

    /// Those to which it appends an event of a kind.
    func ids(where isWanted: (Attempt.Event) -> Bool) -> [AttemptID] {
        ids.indices.filter { events[$0].contains(where: isWanted) }.map { ids[$0] }
    }

    func events(of id: AttemptID) -> [Attempt.Event] { ids.lastIndex(of: id).map { events[$0] } ?? [] }

    mutating func add(_ attempt: Attempt) {
        ids.append(attempt.intent.attempt)
        all.append(attempt)
        events.append([])
    }

    mutating func append(_ event: Attempt.Event, _ id: AttemptID) {
        guard let place = ids.lastIndex(of: id) else { return }
        all[place].apply(event)
        events[place].append(event)
    }
}

/// What a store adds to its moments.
package struct JournalClock: Hashable, Sendable {
    /// The greatest error of the wall clock over a change of boots, in milliseconds; nil for a file, which can continue
    /// on any machine.
    package var greatestError: Int64?

    package init(greatestError: Int64? = nil) { self.greatestError = greatestError }

    /// The uptime at which a process of each boot first looked at an open attempt; of 64 boots at most.
    package typealias Marks = [String: Int64]
    private static let marksMax = 64
    /// How far the wall clocks of two machines may be apart, in milliseconds.
    private static let differenceMax: Int64 = 60_000

    /// Leaves the mark of the present boot, and returns how often the attempt counts as looked at: after the first look of a
    /// boot once at most, since what it has just seen is quiet in minutes, and the next look may be a day and another boot away.
    ///
    /// - Parameter isFile: Whether the journal is one machine's, whose other boots are over. The marks of many machines are
    ///   limited: one that is left out only makes a decision wait, and none begins the looks again then.
    package static func mark(
        _ marks: inout Marks, after looks: Int64, at now: Attempt.Instant, isFile: Bool = false
    ) -> Int64 {
        guard marks[now.boot] == nil else { return looks }
        if isFile { marks = [:] }
        let isFull = marks.count >= marksMax
        if isFull, let other = marks.keys.min() { marks[other] = nil }
        marks[now.boot] = now.uptime
        return isFull ? looks : min(looks, 1)
    }

    /// The least time that certainly passed since an event of the attempt that has the marks, in milliseconds.
    ///
    /// Over another boot only the time counts since the present boot first looked at the attempt: that was after the
    /// event, whatever the boots did before.
    package func atLeast(_ from: Attempt.Instant, _ to: Attempt.Instant, _ marks: Marks) -> Int64 {
        if from.boot == to.boot {
            let (wall, uptime) = (from.wall.until(to.wall), from.uptime.until(to.uptime))
            // A wall clock that was set back says nothing. Clocks of two machines can differ by less, and without the boot's
            // name it can be another machine, of which the uptime says nothing.
            let isSetBack = wall < -Self.differenceMax && !from.boot.isEmpty
            return max(0, isSetBack ? uptime : min(wall, uptime))
        }
        return marks[to.boot].map { max(0, $0.until(to.uptime)) } ?? 0
    }

    /// Whether one clock, which was not set in between, gave two moments.
    package static func isSame(_ from: Attempt.Instant, _ to: Attempt.Instant) -> Bool {
        guard from.boot == to.boot else { return false }
        let (wall, uptime) = (from.wall.until(to.wall), from.uptime.until(to.uptime))
        return uptime.until(wall).magnitude <= differenceMax.magnitude
    }

    /// The most time that can have passed, in milliseconds; nil if nothing bounds it.
    func atMost(_ from: Attempt.Instant, _ to: Attempt.Instant) -> Int64? {
        if from.boot == to.boot { return max(from.wall.until(to.wall), from.uptime.until(to.uptime)) }
        return greatestError.map { max(0, from.wall.until(to.wall)).addingSaturating($0) }
    }
}

extension Int64 {
    /// The time to another moment, which stays at the end of the range where it can't be held.
    package func until(_ other: Int64) -> Int64 {
        let (time, overflow) = other.subtractingReportingOverflow(self)
        return overflow ? (other > self ? .max : .min) : time
    }
}

// MARK: - What a store writes

/// Everything that a store writes for an entry.
package struct JournalDecision: Hashable, Sendable {
    /// What is appended to one attempt.
    package struct Change: Hashable, Sendable {
        /// The attempt with everything appended.
        package let after: Attempt
        /// What was appended.
        package let events: [Attempt.Event]
        /// What the attempt's row of candidates is now; nil if it has none.
        package let match: MatchRow?
        /// Whether a lookup is owed to it.
        package let isLookedUpAgain: Bool
        /// Whether a request, an end or a run of it is new, so that the marks of other boots go.
        package let clearsMarks: Bool
    }

    /// The answer.
    package var answer: JournalAnswer
    /// What is appended, attempt by attempt; all of one payment.
    package var changes: [Change] = []
    /// The payment's row under its reference, if it has one.
    package var row: PaymentRecord.ReferenceRow?
    /// Attempts to which a lookup is owed now.
    package var looks: Set<AttemptID> = []
    /// Messages that are kept until one of their names appears.
    package var keeps: [Notice] = []
    /// Why a message counts for nothing; a line of the timeline.
    package var filed: String?
    /// A name about which more messages came than are kept.
    package var overfull: ProviderName?
    /// Kept messages that counted now.
    package var removes: [Notice] = []
    /// What a person is shown.
    package var alerts: [JournalAlert] = []
    /// Attempts whose new state no step of their own run shows in time, for the timeline.
    package var news: [Attempt] = []
    /// Who closed the gap that a restore opened.
    package var gapClosedBy: String?
    /// What only the decision showed to be needed: the store reads that as well and starts over.
    package var needs = JournalReads()
    /// The payment to whose timeline a message belongs that changes no attempt.
    package var about: PaymentID?

    /// Whether anything is written.
    package var isEmpty: Bool {
        changes.isEmpty && keeps.isEmpty && looks.isEmpty && filed == nil && overfull == nil && gapClosedBy == nil
            && removes.isEmpty
    }

    /// The payment to whose log the entry belongs.
    package var payment: PaymentID? { changes.first?.after.intent.paymentID ?? about }

    /// Whether a report was not recorded, since it proves nothing.
    package var countsForNothing: Bool {
        switch answer {
        case .refused: true
        case .written(_, let receipt): receipt.refusal != nil && changes.isEmpty
        case .known, .kept, .hint: false
        }
    }
}

/// What is raised and shown to a person.
package enum JournalAlert: Hashable, Sendable {
    /// Two final reports can't both be true.
    case contradiction(AttemptID)
    /// Another amount than was asked for, and nothing in the answer explains it.
    case otherAmount(AttemptID)
    /// A movement in another currency than the payment's.
    case otherCurrency(AttemptID)
    /// The provider gave a name that another attempt has.
    case nameTaken(AttemptID, String)
    /// An approval that may be another payment's.
    case disputed(AttemptID, holder: AttemptID?)
    /// A device approved something that no request had opened.
    case unopened(AttemptID)
    /// Payments under one reference and part that are active at once.
    case activeTwice([PaymentID])
    /// More messages came about an unknown name than are kept.
    case messagesDropped(String)
    /// Several attempts have a message's names.
    case severalFit([AttemptID])
    /// A movement of which a person has to say which one it is.
    case unclear(AttemptID)
    /// The customer's bank took money back.
    case chargedBack(AttemptID)
}

/// What the journal says to an entry.
package enum JournalAnswer: Hashable, Sendable {
    /// Written; the attempt as it is now, and what this very entry wrote.
    case written(Attempt, WriteReceipt)
    /// The attempt was begun before with the same content; nothing was written.
    case known(Attempt)
    /// Nothing was written.
    case refused(JournalRefusal, Attempt?)
    /// It names nothing that is known, and is kept until something has its name.
    case kept
    /// It proves nothing alone: the attempt is to be looked up.
    case hint(Attempt, [JournalAlert] = [])

    /// The attempt as it is now, if there is one.
    package var attempt: Attempt? {
        switch self {
        case .written(let attempt, _), .known(let attempt), .hint(let attempt, _): attempt
        case .refused(_, let attempt): attempt
        case .kept: nil
        }
    }

    /// What the entry wrote.
    package var receipt: WriteReceipt? { if case .written(_, let receipt) = self { receipt } else { nil } }

    /// What a person is shown.
    package var alerts: [JournalAlert] {
        switch self {
        case .written(_, let receipt): receipt.alerts
        case .hint(_, let alerts): alerts
        case .known, .refused, .kept: []
        }
    }
}

/// What one entry wrote of its command's attempt. A repeated write gets the receipt of the first time, so that a
/// process never takes another process's request for its own.
package struct WriteReceipt: Hashable, Sendable {
    /// The run that it began or wrote in.
    package var run: Int?
    /// The request that it opened.
    package var request: Int?
    /// What happened is written, and the report does not count for this reason.
    package var refusal: JournalRefusal?
    /// The number that the entry has in its payment.
    package var entry = 0
    /// Whether nothing was written.
    package var isEmpty = false
    /// Whether the payment has no other attempt; false also where that is not known.
    package var isAlone = false
    /// What a person is shown.
    package var alerts: [JournalAlert] = []

    package init(run: Int? = nil, request: Int? = nil, refusal: JournalRefusal? = nil) {
        (self.run, self.request, self.refusal) = (run, request, refusal)
    }
}

/// Why the rules refuse an entry, or a report in it.
package indirect enum JournalRefusal: Hashable, Sendable {
    /// The id was used for something else.
    case conflict
    /// The reference is paid, or may be: names the attempt that has it.
    case referenceInUse(AttemptID, Attempt.State)
    /// These attempts have to be decided first.
    case blocked(by: [AttemptID])
    /// More than what is left; these open attempts reserve a part of it.
    case exceeds(left: Money, open: [AttemptID])
    /// The payment's state does not allow it.
    case notAllowed(String)
    case noSuchPayment
    case noSuchAttempt
    /// The money is at these accounts.
    case otherAccount([ProviderIdentity])
    /// Another run is the newest, the run is over, or the attempt is decided.
    case fenced
    /// An earlier request may have been executed.
    case inDoubt
    /// The payment changed since the driver read it.
    case changed
    /// The journal was restored from a backup that may have lost this attempt.
    case mayBeLost
    /// The provider's name belongs to another attempt, or what was executed is older than the first request.
    case claimed(by: AttemptID?)
    /// What is imported may be this open attempt.
    case mayBe(AttemptID)
    /// These movements could be it.
    case couldMatch([Candidate])
    /// Its process is alive, and a request of it may be open.
    case runs(at: String)
    /// The id of the write belongs to another entry.
    case notWritten(String)
    /// A second copy of an executed request is refused like this, so that the refusal proves nothing.
    case ofCopy
    /// The report proves nothing.
    case noProof(String)
    /// It is about a payment that was pruned, which the provider calls so.
    case pruned(String)

    /// A movement that could be an attempt.
    package struct Candidate: Hashable, Sendable {
        package let name: String
        package let amount: Money?
        package init(_ name: String, _ amount: Money?) { (self.name, self.amount) = (name, amount) }
    }
}

/// How numbers continue in a journal that was restored or copied.
package enum JournalNumbers {
    /// By how much the generations are apart: a sixth of what a message's name of six digits to the base of 36 has room for, so
    /// that six generations go by before one comes round. A generation has a hundred million numbers, more than a lost time can
    /// have drawn.
    package static let ofGeneration: Int64 = 362_797_056
    /// After what time the first number of a generation comes round, in milliseconds: three days. A terminal remembers a
    /// message's name for two.
    private static let roundMilliseconds: Int64 = 259_200_000

    /// The first number of the generation behind the one that a number is of; nil when there is none.
    ///
    /// Each millisecond has another one: a copy that is restored twice would else give out the same numbers twice.
    package static func next(after number: Int64, at wall: Int64) -> Int64? {
        let (first, overflow) = (number / ofGeneration + 1).multipliedReportingOverflow(by: ofGeneration)
        let (later, isTooLate) = first.addingReportingOverflow(max(0, wall) % roundMilliseconds)
        return overflow || isTooLate ? nil : later
    }
}
