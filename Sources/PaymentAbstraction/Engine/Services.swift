internal import PaymentBase

/// What the application gave, shared by everything that a client does.
struct Services: Sendable {
    let journal: any Journal
    let clock: any PaymentClock
    let random: any RandomSource
    let reader: (any CardReader)?
    let answers: Answers
    let executor: (any TaskExecutor)?
    let tokens: any TokenStore
    let owner: String
    let owners: any OwnerRegistry
    let settlementLock: (any SettlementLock)?
    let deadline: Duration
    let events: EventHub
    let installation: InstallationKeeper
    let numbers: NumberKeeper
    /// Outcomes that the journal could not take yet.
    let unwritten: Unwritten
    /// What each provider does with the rest after a capture.
    let captures: [ProviderID: CaptureRule]

    init(_ given: ClientDependencies, captures: [ProviderID: CaptureRule]) {
        self.captures = captures
        journal = given.journal
        (clock, random) = (given.clock, given.random)
        (reader, answers, executor) = (given.reader, given.answers, given.executor)
        (tokens, owners, settlementLock) = (given.tokens, given.owners, given.settlementLock)
        deadline = given.deadline
        owner = given.owner ?? TimeOrderedID.make(now: given.clock.now, random: given.random)
        events = EventHub()
        installation = InstallationKeeper(given.installations, given.random, given.clock)
        numbers = NumberKeeper(given.numbers ?? given.journal as? any NumberSource)
        unwritten = Unwritten()
    }

    private init(_ other: Services, journal: any Journal) {
        self.journal = journal
        (clock, random) = (other.clock, other.random)
        (reader, answers, executor) = (other.reader, other.answers, other.executor)
        (tokens, owner, owners) = (other.tokens, other.owner, other.owners)
        settlementLock = other.settlementLock
        deadline = other.deadline
        (events, installation, captures) = (other.events, other.installation, other.captures)
        numbers = other.numbers
        unwritten = Unwritten()
    }

    /// The same, writing to a journal that nobody keeps: for runs in which nothing real happens.
    func rehearsing() -> Services { Services(self, journal: MemoryJournal()) }

    /// One journal call; what it throws becomes an error of ours, and the caller says what that means for the money.
    func writing<Value: Sendable>(
        _ attempt: AttemptID?, _ outcome: PaymentError.Outcome = .nothingMoved,
        _ body: (any Journal) async throws -> Value
    ) async throws(PaymentError) -> Value {
        do { return try await body(journal) } catch JournalFailure.lostRound {
            throw PaymentError(
                .conflict, outcome: outcome, attempt: attempt, retry: .afterStatusCheck,
                detail: "somebody else has taken this attempt over; ask for its status")
        } catch {
            throw PaymentError(
                .journal, outcome: outcome, attempt: attempt,
                detail: "the journal failed (\(Self.words(error))); put it in order before trying again")
        }
    }

    private static func words(_ error: any Error) -> String {
        guard let failure = error as? JournalFailure else { return "\(type(of: error))" }
        switch failure {
        case .lostRound: return "the attempt was taken over"
        case .noSuchAttempt: return "no such attempt"
        case .store(let words): return words
        }
    }

    /// One attempt's record.
    func record(
        _ attempt: AttemptID, _ outcome: PaymentError.Outcome = .nothingMoved
    ) async throws(PaymentError) -> AttemptRecord? {
        try await writing(attempt, outcome) { journal in try await journal.records(.attempt(attempt)).first }
    }

    /// A payment's attempts, the origin first.
    func family(
        _ payment: PaymentID, _ outcome: PaymentError.Outcome = .nothingMoved
    ) async throws(PaymentError) -> [AttemptRecord] {
        try await writing(payment.attempt, outcome) { journal in try await journal.records(.payment(payment)) }
    }

    /// Whether another process works on an attempt now.
    func isElsewhere(_ record: AttemptRecord) -> Bool {
        guard record.owner != owner else { return false }
        switch record.state {
        case .begun, .submitted: return owners.isAlive(record.owner)
        case .inDoubt, .notMoved, .concluded: return false
        }
    }
}
