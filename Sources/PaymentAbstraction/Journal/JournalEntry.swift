package import PaymentDriverKit

/// What is written in one transaction, about one payment.
package struct JournalEntry: Hashable, Sendable {
    /// What is to be written.
    package var command: JournalCommand
    /// Steps for the payment's timeline, in the same row. Steps without an entry wait for the next one.
    package var timeline: [PaymentEvent]

    package init(_ command: JournalCommand, timeline: [PaymentEvent] = []) {
        (self.command, self.timeline) = (command, timeline)
    }
}

extension JournalDecision {
    /// What a store adds to the payment's timeline beside the entry's own events: what the rules raised, and how an attempt is
    /// now, if no run shows that.
    package func events(at now: Attempt.Instant) -> [PaymentEvent] {
        var events = news.map { attempt in
            let kind = attempt.news
            return PaymentEvent(
                kind, at: now.wall, payment: attempt.intent.paymentID, attempt: attempt.intent.attempt,
                provider: attempt.newest?.account.id, attributes: attempt.attributes(of: kind))
        }
        if let filed {
            events.append(PaymentEvent(.webhook, at: now.wall, payment: payment, attributes: ["filed": filed]))
        }
        for alert in alerts {
            let (kind, attempt, attributes) = alert.event
            events.append(
                PaymentEvent(kind, at: now.wall, payment: payment, attempt: attempt, attributes: attributes))
        }
        return events
    }
}

/// What is to be written; each case lies in a box of its own, so that a copy is one count.
package indirect enum JournalCommand: Hashable, Sendable {
    /// Opens a request, and begins the attempt if it is the first: before its first byte leaves.
    case request(OpenRequest)
    /// How a request ended, what the provider answered, and whether the run is over.
    case finish(Finish)
    /// What a lookup, a person or an import says about an attempt.
    case report(AttemptID, Finding)
    /// What a message of the provider says; which attempt it is about is resolved in the transaction.
    case notice(Notice)
    /// Ends a run that its own process does not end.
    case takeOver(AttemptID, run: Int, TakeOver)
    /// A person compared the providers' lists of the time that a restore lost.
    case closeGap(by: String)
}

/// Why a run is ended by another process than its own.
package enum TakeOver: Hashable, Sendable {
    /// The registry proves that its process is dead, or the journal was restored since.
    case died
    /// Its own process says that none of its clients works on it any more.
    case abandoned(by: String)
    /// A person says so, where nothing can prove it.
    case isGone(by: String, reason: String)
    /// A person ends the run of a living process: only while no request of it is open.
    case idle(by: String)

    var cause: Attempt.Run.Cause {
        switch self {
        case .died, .abandoned: .takeOver
        case .isGone, .idle: .person
        }
    }
}

/// What the journal needs to begin an attempt.
package struct Begin: Hashable, Sendable {
    /// What is asked for.
    package let intent: Attempt.Intent
    /// The account that is asked.
    package let account: ProviderIdentity
    /// The version of the payment that the driver read before it asked for this; nil if it read nothing.
    package var paymentVersion: Int?
    /// Whether the provider shows only totals, so that nothing else may be open on the payment.
    package var showsTotalsOnly = false
    /// For how long the account keeps a hold, in milliseconds.
    package var holdLifetime: Int64?
    /// Whether the account can be asked what became of it.
    package var canLookUp = false
    /// The run that this one follows in the same call: it executed nothing, and ends in this entry.
    package var follows: Int?

    package init(_ intent: Attempt.Intent, _ account: ProviderIdentity, paymentVersion: Int? = nil) {
        (self.intent, self.account, self.paymentVersion) = (intent, account, paymentVersion)
    }

    /// Whether an attempt waits for this run: the process's last run executed nothing, and was left open for the next one.
    package func follows(_ held: Attempt, of owner: String) -> Bool {
        guard let run = held.newest, run.number == follows, run.owner == owner else { return false }
        return run.end == nil && held.state == .running && !held.isInDoubt(run: run.number)
    }
}

/// How a request ended, and the provider's names in its reply: they belong to this request.
package struct Closing: Hashable, Sendable {
    package let request: Int
    package let ending: Attempt.Request.Ending
    package var names: [String]

    package init(_ request: Int, _ ending: Attempt.Request.Ending, names: [String] = []) {
        (self.request, self.ending, self.names) = (request, ending, names)
    }
}

/// Opens a request that may move money.
package struct OpenRequest: Hashable, Sendable {
    package let attempt: AttemptID
    /// The process that opens it.
    package let owner: String
    /// The account that is asked.
    package let account: ProviderIdentity
    /// Set for the first request of a run.
    package var begin: Begin?
    /// The run that the request belongs to; set for every later request.
    package var run: Int?
    /// How the request before it ended.
    package var closing: Closing?
    /// What it can execute.
    package var cards = Attempt.Request.Cards.one
    /// The key under which the provider executes it once.
    package var key: String?
    /// For how long the provider keeps such a key, in milliseconds; nil for ever.
    package var keyLifetime: Int64?
    /// For how long its bytes can leave, in milliseconds; nil if nothing limits that.
    package var sendLimit: Int64?
    /// How long it may take from its last byte to its execution, in milliseconds; nil if that is not known.
    package var transit: Int64?
    /// Whether the terminal may approve without the issuer and keep that to itself.
    package var mayBeOffline = false
    /// Within which time after the run's end such a terminal has certainly forwarded what it holds, in milliseconds.
    package var forwardsWithin: Int64?
    /// What finds the operation again.
    package var notes: [String: String] = [:]
    /// Names that the request gives to the operation, known before it is sent.
    package var names: [String] = []
    /// Whether it returns what the same run has taken.
    package var returnsMoney = false

    package init(_ attempt: AttemptID, owner: String, account: ProviderIdentity, sendLimit: Int64?) {
        (self.attempt, self.owner, self.account, self.sendLimit) = (attempt, owner, account, sendLimit)
    }

    /// Opens the first request of a run.
    package init(_ begin: Begin, owner: String, sendLimit: Int64?) {
        self.init(begin.intent.attempt, owner: owner, account: begin.account, sendLimit: sendLimit)
        self.begin = begin
    }
}

/// Records how a request ended and what is known now; may end the run.
package struct Finish: Hashable, Sendable {
    package let attempt: AttemptID
    /// The process that writes.
    package let owner: String
    /// The account that was asked.
    package let account: ProviderIdentity
    /// Set if no request was opened. Such a finish passes the rule of the id only; if it approves, not even that.
    package var begin: Begin?
    /// The run that it belongs to.
    package var run: Int?
    /// How the last request ended.
    package var closing: Closing?
    /// What the provider answered.
    package var verdict: Verdict?
    /// What an error said that a copy of an executed request gets as well.
    package var copyRefusal: CopyRefusal?
    /// What finds an unfinished operation again.
    package var notes: [String: String] = [:]
    /// Whether the run is over. One that executed nothing stays open while its call may ask the next provider, so that no
    /// process reads that the attempt is over.
    package var endsRun = true

    package init(_ attempt: AttemptID, owner: String, account: ProviderIdentity) {
        (self.attempt, self.owner, self.account) = (attempt, owner, account)
    }

    /// A refusal that a second copy of an executed request gets as well.
    package enum CopyRefusal: String, Hashable, Sendable, CaseIterable {
        /// About the copy or the key itself: the provider has this already.
        case alreadyThere
        /// What an executed follow-up leaves for its copy: exceeds, conflict, not found.
        case nothingLeft
    }
}

/// What is learned about an attempt in another way than by a reply or a message.
package enum Finding: Hashable, Sendable {
    /// The provider was asked. `names` are the provider's names in what it showed.
    case lookup(LookupResult, Basis, LookupTerms, names: [String])
    /// A person says what became of it.
    case person(ManualResolution, Basis, quietPeriod: Int64?, by: String, reason: String)
    /// A statement or another system says so.
    case imported(ImportedMovement)

    /// What the asker knew: an answer about an older run or request proves nothing about the present one.
    package struct Basis: Hashable, Sendable {
        package let account: ProviderIdentity
        /// The run that the question was about.
        package let run: Int
        /// The last request that was known.
        package let lastRequest: Int
        /// The number of the payment's last entry that was known.
        package let known: Int
        /// Whether the run was over when the question was asked; so no clocks are compared.
        package let isEnded: Bool
        package let askedAt: Attempt.Instant
        /// Whether it was asked for by a name of the run, or by the run's own message.
        package var isByName = false
        /// Whether the terminal itself answered about that call.
        package var isByTerminal = false

        /// Since when every run that sent something was asked about; nil if one was not: a message names none of them.
        package var allAskedSince: Attempt.Instant?

        package init(
            _ attempt: Attempt, run: Int? = nil, known: Int, account: ProviderIdentity, askedAt: Attempt.Instant
        ) {
            (self.account, self.run) = (account, run ?? attempt.runInQuestion)
            (lastRequest, self.known) = (attempt.requests.count, known)
            (isEnded, self.askedAt) = (attempt.isEnded, askedAt)
            let asked = self.run
            allAskedSince = attempt.runsToAsk.allSatisfy { $0 == asked } ? askedAt : nil
        }
    }
}

/// What a driver declares about lookups at its account.
package struct LookupTerms: Hashable, Sendable {
    /// After so long without a sign of it, absence proves that nothing was executed, in milliseconds; nil if absence proves
    /// nothing.
    package var quietPeriod: Int64?
    /// Whether no other system and no person works on the account.
    package var isExclusive: Bool
    /// By how much the provider's clock and the journal's can differ, in milliseconds.
    package var clockMargin: Int64 = 60_000
    /// Whether the provider registers an attempt's id once, and a decline under it stays.
    package var takesIDOnce = false

    package init(quietPeriod: Int64?, isExclusive: Bool = false) {
        (self.quietPeriod, self.isExclusive) = (quietPeriod, isExclusive)
    }
}

/// A movement that a statement or another system shows.
package struct ImportedMovement: Hashable, Sendable {
    /// What it is here.
    package let begin: Begin
    /// What became of it.
    package let verdict: Verdict
    /// The provider's names.
    package var names: [String] = []
    /// Up to which time of the provider's the statement speaks.
    package let saidAt: Int64
    /// When the provider executed it.
    package var paidAt: Int64?
    /// What was refunded of an imported payment before: written in the same entry, so that no payment is there without it.
    package var refunded: Attempt.Intent?
    /// What the customer's bank took back of it before: written in the same entry, each under the provider's name.
    package var chargebacks: [Chargeback] = []
    /// What the account's driver declares.
    package var terms = LookupTerms(quietPeriod: nil)
    /// Whether it is refused where it does not fit beside what its payment has.
    package var hasToFit = false

    /// Money that a customer's bank took back: a movement of the provider's own, as its message makes one.
    package struct Chargeback: Hashable, Sendable {
        /// What it is here; its id is made of the provider's name, so that a message about it finds it.
        let intent: Attempt.Intent
        /// The provider's name of it.
        let name: String
        /// When it was taken, by the provider's time.
        let at: Int64
    }

    package init(_ begin: Begin, _ verdict: Verdict, saidAt: Int64) {
        (self.begin, self.verdict, self.saidAt) = (begin, verdict, saidAt)
    }
}

/// One verified message of a provider about one operation.
package struct Notice: Hashable, Sendable {
    /// How the operation can be found.
    package enum Subject: Hashable, Sendable {
        case attempt(AttemptID)
        case name(String)
    }

    /// Names the message: a digest of what its signature covers.
    package let id: String
    /// The account whose secret verified it.
    package let account: ProviderIdentity
    package let subject: Subject
    /// The operations that it can be about; empty for any.
    package let operations: Set<PaymentOperation>
    /// What it says; nil makes it a hint, which proves nothing and causes a lookup.
    package let verdict: Verdict?
    /// The provider's own time of what it says, in milliseconds since 1970.
    package let providerTime: Int64?
    /// The provider's names in the verdict.
    package var names: [String]
    /// What the provider calls the payment that the operation acts on.
    package var original: String?
    /// The amount of what failed or was refused, if the message says it.
    package var amount: Money?
    /// Whether a capture at its account releases what is left of the hold.
    package var capturesOnce = false

    /// More messages about one unknown name become one mark, which causes a lookup when the name appears.
    package static let keptMax = 64

    package init(
        _ id: String, _ account: ProviderIdentity, _ subject: Subject, _ operations: Set<PaymentOperation>,
        _ verdict: Verdict?, at time: Int64?, names: [String] = [], original: String? = nil
    ) {
        (self.id, self.account, self.subject, self.operations) = (id, account, subject, operations)
        (self.verdict, providerTime, self.names, self.original) = (verdict, time, names, original)
    }

    /// All names in it.
    package var values: [String] {
        guard case .name(let name) = subject, !name.isEmpty, !names.contains(name) else { return names }
        return names + [name]
    }

    /// All that it names: what it is about, and what that acts on.
    package var everyName: [String] { values + (original.map { [$0] } ?? []) }

    /// By which a journal knows the message.
    package var key: String { "\(EventCodec.key(account)) \(id)" }

    var evidence: Attempt.Evidence { .webhook(id: id, providerTime: providerTime) }

    /// Whether it says less about the same than an approval does, so that it gives way to one.
    func isLess(than approval: Notice) -> Bool {
        values == approval.values && subject == approval.subject && account == approval.account
            && verdict?.approval == nil
    }

    /// Whether two messages are one: the same content under one signature.
    package func isSame(as other: Notice) -> Bool { account == other.account && id == other.id }
}

extension JournalCommand {
    /// The attempt that it is about, where it names one.
    package var attempt: AttemptID? {
        switch self {
        case .request(let open): open.attempt
        case .finish(let finish): finish.attempt
        case .report(let id, _), .takeOver(let id, _, _): id
        case .notice(let notice): if case .attempt(let id) = notice.subject { id } else { nil }
        case .closeGap: nil
        }
    }
}

extension JournalEntry {
    /// By which a log knows the write: a message by its own id, any other write by the id that its process gave it.
    package func key(_ id: WriteID) -> String { if case .notice(let notice) = command { notice.key } else { id.text } }

    /// Distinguishes two commands under one write id, within the process that made the id.
    package var content: Int64 { if case .notice = command { 0 } else { Int64(command.hashValue) } }

    /// Whether it ends an id before its first request, and with nothing executed: what may have been executed under the id before
    /// is not looked for then.
    package var spendsID: Bool {
        guard case .finish(let finish) = command else { return false }
        return finish.spendsID
    }

    /// Whether it asks that something be done that may have been done before.
    package var asksForMore: Bool { if case .request = command { true } else { spendsID } }
}

extension Finish {
    var spendsID: Bool { begin != nil && (verdict?.isDecline ?? true) }
}
