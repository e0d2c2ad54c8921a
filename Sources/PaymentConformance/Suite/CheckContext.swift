internal import PaymentBase
public import PaymentCore
public import PaymentDriverKit
package import PaymentJournalKit
public import PaymentTesting
internal import PaymentTransport

/// What a check works with: a fresh provider, a client over the driver under test, and verbs that read like the check.
public struct CheckContext: Sendable {
    /// The one thread and its clock.
    public let scheduler: TestScheduler
    /// The provider.
    public let fixture: any ConformanceFixture
    /// What its author declared.
    public let declaration: ConformanceProfile
    /// What the client writes down; outlives a restart.
    package let journal: any Journal
    /// The processes over the journal.
    let processes: ProcessTable
    /// What went over the line.
    public let log = WireLog()
    /// The client over the driver under test.
    public let client: PaymentClient
    /// The driver under test.
    public let driver: any PaymentDriver
    let mutant: Mutant?
    let numbers: Locked<Int>
    let mishaps: Locked<[RequestFault]>
    /// The calls of the till that a scenario keeps; those of a restarted process are among them.
    private(set) var calls = ScenarioCalls()
    /// Where money comes from, if the provider takes any from there; nil for the usual.
    private(set) var preferred: PaymentSource.Kind?

    /// What a check does to single exchanges.
    enum RequestFault: Sendable {
        case hold(ending: String, reached: Promise<Bool>, opened: Promise<Bool>)
        case lose(ending: String, isDone: Bool)
        case rewrite(Interceptor)
    }

    /// Everything that a till answers when the provider asks.
    public static var defaultHandlers: QuestionHandlers { defaultHandlers {} }

    /// The same, and learns whenever something is asked.
    static func defaultHandlers(_ asked: @escaping @Sendable () -> Void) -> QuestionHandlers {
        var answers = QuestionHandlers()
        answers.handle(ThreeDSecureChallenge.self) { _ in
            asked(); return .init(result: Secret("ok"))
        }
        answers.handle(RequestedFields.self) { question in
            asked(); return answered(question.fields)
        }
        answers.handle(PartialApprovalOffer.self) { _ in
            asked(); return true
        }
        answers.handle(CascadeConsent.self) { _ in
            asked(); return true
        }
        return answers
    }

    private static func answered(_ fields: [RequestedFields.Field]) -> [String: PersonalData] {
        Dictionary(fields.map { ($0.name, PersonalData("till@example.org")) }, uniquingKeysWith: { first, _ in first })
    }

    init(
        _ harness: any ConformanceHarness, seed: UInt64?, mutant: Mutant?, from source: PaymentSource.Kind? = nil,
        _ makeJournal: (TestScheduler, ProcessTable) -> any Journal = { InMemoryJournal(processes: $1) }
    ) throws {
        let (scheduler, processes) = (TestScheduler(seed: seed), ProcessTable())
        try self.init(
            scheduler, try harness.open(scheduler), harness.declaration,
            ObservedJournal(makeJournal(scheduler, processes)), processes, mutant, Self.defaultHandlers, Locked(0)
        ) { $0 }
        preferred = source
    }

    private init(
        _ scheduler: TestScheduler, _ fixture: any ConformanceFixture, _ declaration: ConformanceProfile,
        _ journal: any Journal,
        _ processes: ProcessTable, _ mutant: Mutant?,
        _ answers: QuestionHandlers, _ numbers: Locked<Int>, _ change: (ClientOptions) -> ClientOptions
    ) throws {
        (self.scheduler, self.fixture, self.declaration) = (scheduler, fixture, declaration)
        (self.journal, self.processes) = (journal, processes)
        (self.mutant, self.numbers) = (mutant, numbers)
        mishaps = Locked([])
        let connection = Self.mishapTap(mishaps).before(log.interceptor)
        let interceptor = mutant?.interceptor.map { $0().before(connection) } ?? connection
        let shipped = try fixture.driver(interceptor)
        driver = mutant?.wrapDriver.map { $0(shipped) } ?? shipped
        var dependencies = ClientOptions(journal: ProcessJournal(journal, processes.start()))
        (dependencies.clock, dependencies.executor) = (scheduler, scheduler)
        dependencies.random = SeededRandom(seed: UInt64(numbers.withLock { $0 } + 1))
        (dependencies.reader, dependencies.answers) = (fixture.reader, answers)
        dependencies.answers.handle(PaymentLink.self) { [visitor = fixture.visitor] page in
            await visitor(page)
            return true
        }
        dependencies = change(dependencies)
        if let surround = mutant?.changeOptions { dependencies = surround(dependencies) }
        client = try PaymentClient(driver, dependencies)
    }

    /// A new process over the same journal and provider: whatever was only in memory is gone.
    public func restarted(
        answers: QuestionHandlers = CheckContext.defaultHandlers, _ change: (ClientOptions) -> ClientOptions = { $0 }
    ) throws -> CheckContext {
        numbers.withLock { $0 += 1_000 }
        var fresh = try CheckContext(
            scheduler, fixture, declaration, journal, processes, mutant, answers, numbers, change)
        (fresh.calls, fresh.preferred) = (calls, preferred)
        return fresh
    }

    /// The same, with one thing given to it that is another.
    func restarted<Value>(
        _ member: WritableKeyPath<ClientOptions, Value>, _ value: Value
    ) throws -> CheckContext {
        try restarted { given in
            var given = given
            given[keyPath: member] = value
            return given
        }
    }

    /// A fresh attempt id, the same in each run.
    public func attempt() throws -> AttemptID {
        try AttemptID("check-\(numbers.withLock { number in number += 1; return number })")
    }

    /// The provider under test.
    public var view: ProviderClient {
        get throws { try client.provider(driver.identity.id) }
    }

    /// Whether the provider declares a capability, by its name in the capability table.
    public func has(_ capability: String) throws -> Bool { try view.capabilityTable[capability] }

    /// Lets time pass.
    public func wait(_ milliseconds: Int64) async throws {
        try await scheduler.sleep(until: scheduler.now + milliseconds)
    }

    /// What became of an attempt. Of a request that shows several cards, a decline that is found counts a quiet period after
    /// the call at the earliest: another card of it may have been approved.
    func settled(_ attempt: AttemptID) async throws -> PaymentResult {
        let held = try await client.attempt(attempt)
        guard let held, held.isOpen, held.requests.contains(where: { $0.cards == .several }) else {
            return try await client.status(attempt)
        }
        if let result = try? await client.status(attempt), case .declined = result { return result }
        let quiet = driver.lookupPlan(for: held.intent.operation)?.quiet ?? 0
        try await wait(quiet + (driver.capabilities.sendLimit ?? 0) + Self.secondMilliseconds)
        return try await client.status(attempt)
    }

    /// Lets so much time pass that what comes next can't be a second copy of what went before.
    func letCopiesPass() async throws {
        let leaves = driver.capabilities.sendLimit ?? 0
        try await wait(leaves + Self.copyMilliseconds + Self.secondMilliseconds)
    }

    /// How long after its last byte a copy of a request can be executed, in milliseconds.
    private static let copyMilliseconds: Int64 = 60_000
    /// Providers' clocks may tell whole seconds only.
    private static let secondMilliseconds: Int64 = 1_000

    // MARK: - The line

    private static func mishapTap(_ mishaps: Locked<[RequestFault]>) -> Interceptor {
        Interceptor { (request, next) async throws(TransportFailure) in
            var taps: [Interceptor] = []
            for mishap in mishaps.withLock({ $0 }) {
                switch mishap {
                case .hold(let ending, let reached, let opened):
                    guard request.path.hasSuffix(ending) || ending.isEmpty else { continue }
                    reached.fulfill(true)
                    _ = await opened.value()
                case .lose(let ending, let isDone):
                    guard request.path.hasSuffix(ending) else { continue }
                    mishaps.withLock { $0.removeAll { if case .lose = $0 { true } else { false } } }
                    if isDone { _ = try await next(request) }
                    throw .maybeSent(.other)
                case .rewrite(let interceptor): taps.append(interceptor)
                }
            }
            guard let interceptor = taps.first else { return try await next(request) }
            return try await interceptor.send(request, next)
        }
    }
}

extension CheckContext {
    /// A till that never made any of these payments, before the same provider.
    static func elsewhere(_ context: CheckContext) throws -> CheckContext {
        let processes = ProcessTable()
        return try CheckContext(
            context.scheduler, context.fixture, context.declaration, InMemoryJournal(processes: processes), processes,
            context.mutant, defaultHandlers, Locked(50_000)
        ) { $0 }
    }
}

/// The journal of a check, which notices when a client is about to send the first byte that may move money.
///
/// What a driver reads beforehand (settings, the state of a payment) is thereby distinguished from the exchange that a
/// check is about. It can also make one write fail.
final class ObservedJournal: JournalWrapper {
    let inner: any Journal
    private let waiting = Locked<[@Sendable () -> Void]>([])
    private let each = Locked<[@Sendable () -> Void]>([])
    private let fault = Locked<(left: Int, isKept: Bool)?>(nil)
    private let count = Locked(0)

    init(_ inner: any Journal = InMemoryJournal()) { self.inner = inner }

    /// How many writes there were.
    var writes: Int { count.withLock { $0 } }

    /// Makes one write fail, after so many others: it is lost, or it is kept and only the word that it is comes to
    /// nothing.
    func failWrite(after skipped: Int, isKept: Bool) { fault.withLock { $0 = (skipped, isKept) } }

    private func writing<Value>(
        _ work: () async throws(JournalFailure) -> Value
    ) async throws(JournalFailure) -> Value {
        count.withLock { $0 += 1 }
        let failing: Bool? = fault.withLock { fault in
            guard let now = fault else { return nil }
            fault = now.left == 0 ? nil : (now.left - 1, now.isKept)
            return now.left == 0 ? now.isKept : nil
        }
        guard let isKept = failing else { return try await work() }
        guard isKept else { throw .notWritten("the walk makes this write fail") }
        _ = try await work()
        throw .writeUnconfirmed("the walk makes this write fail")
    }

    /// Runs something once, just before the next first exchange that may move money.
    func beforeMoney(_ work: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(work) } }

    /// Runs something before every exchange that may move money.
    func beforeEachMoney(_ work: @escaping @Sendable () -> Void) { each.withLock { $0.append(work) } }

    /// Whether something still waits for an exchange that may move money.
    var isWaiting: Bool { waiting.withLock { !$0.isEmpty } }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        let answer = try await writing { () async throws(JournalFailure) in
            try await inner.write(entry, id, at: instant)
        }
        guard case .request = entry.command, answer.receipt?.request != nil else { return answer }
        let work = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for step in work + each.withLock({ $0 }) { step() }
        return answer
    }

    func draw(_ count: Int64) async throws(JournalFailure) -> Int64 {
        try await writing { () async throws(JournalFailure) in try await inner.draw(count) }
    }
}

extension Journal {
    /// An attempt as the journal has it.
    func record(_ attempt: AttemptID) async throws -> Attempt? {
        try await attempts(.attempt(attempt), after: nil, limit: 1).attempts.first
    }

    /// A payment's attempts, the origin first.
    func records(of payment: PaymentID) async throws -> [Attempt] {
        try await self.payment(payment).map { PaymentRecord($0.attempts).attempts } ?? []
    }

    /// Attempts of one kind, at most so many.
    func records(_ query: JournalQuery, limit: Int) async throws -> [Attempt] {
        try await attempts(query, after: nil, limit: limit).attempts
    }
}

/// What a check found wrong.
public struct CheckFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// Says what was wrong, without naming a secret.
    public init(_ description: String) { self.description = description }
}

/// Why a check says nothing about this provider.
public struct NotApplicable: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// Gives the reason.
    public init(_ description: String) { self.description = description }
}
