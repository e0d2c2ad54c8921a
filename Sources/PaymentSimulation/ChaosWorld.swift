internal import PaymentBase
internal import PaymentConformance
internal import PaymentCore
internal import PaymentDriverKit
internal import PaymentJournalKit
internal import PaymentTesting
internal import PaymentTransport

/// Tills, processes, machines, providers and one journal, on one thread and without real time.
final class ChaosWorld: Sendable {
    /// A message of a provider's on its way.
    struct WebhookInFlight: Sendable {
        let provider: Int
        let news: ProviderWebhook
        /// What it is about, where no other entry says the same.
        var attempt: AttemptID?
    }

    /// A call with a waiting caller.
    struct Call: Sendable {
        let order: Int
        let process: Process
        let task: Task<Void, Never>
    }

    struct State: Sendable {
        /// What runs at each till, with its client; nil where nothing does.
        var running: [Int: (process: Process, client: PaymentClient)] = [:]
        /// Which provider a till sends new payments to.
        var active: [Int: Int] = [:]
        var processCount = 0
        var orders: [Int: Order] = [:]
        var calls: [Int: Call] = [:]
        var callCount = 0
        var letters: [WebhookInFlight] = []
        /// The processes that have opened a request of an attempt and have not asked to close it.
        var asking: [AttemptID: Process] = [:]
        /// Requests that are still on their way, by attempt.
        var travelling: [String: Int] = [:]
        /// Attempts whose customer takes nearly all the time that a reader waits.
        var slow: Set<String> = []
        /// Providers whose lines are set to deliver something twice.
        var doubling: Set<Int> = []
        /// Whether a clock was set, or a machine started again: then time that certainly passed is less.
        var hasWrongClock = false
        /// Payments with which something was done at a provider's dashboard.
        var atDashboard: Set<AttemptID> = []
        /// The provider's names of payments that callers got, and who took them.
        var papers: [AttemptID: Payment] = [:]
        /// What messages said was done without us, by the payment that they name, and the journal's writes by then.
        var saidOfDashboards: [String: [ProviderNotice.Subject: Int]] = [:]
        /// The dashboards' own programs and journals, by provider.
        var dashboards: [Int: (client: PaymentClient, journal: InMemoryJournal)] = [:]
        var judge: Oracle
        /// Providers whose terminals were cut off from the issuers once: only a message says what these refused.
        var cutOff: Set<Int> = []
        /// Providers of which a message was lost.
        var silent: Set<Int> = []
        /// What failed afterwards, as a message said by the provider's name.
        var failed: Set<AttemptID> = []
        /// Payments that a person refunded at the provider's pages.
        var byHand: Set<AttemptID> = []
        /// What happened, as a log.
        var log: [String] = []

        /// A message never arrives.
        mutating func lose(_ letter: WebhookInFlight) {
            silent.insert(letter.provider)
            if let about = letter.attempt { judge.loseNote(about) }
            for payment in atDashboard { judge.loseNote(payment) }
            if cutOff.contains(letter.provider) { judge.loseNotes(of: letter.provider) }
        }
    }

    let scheduler: TestScheduler
    let harnesses: [any ConformanceHarness]
    let fixtures: [any ConformanceFixture]
    let identities: [ProviderID]
    let drivers: [any PaymentDriver]
    let reader: (any CardReader)?
    let mutant: Mutant?
    let store: any Journal
    /// The same, if a backup can be made of it.
    var restorable: RestorableJournal? { store as? RestorableJournal }
    let living: LivingProcesses
    /// One machine for all tills, or one for each; then the store has a clock of its own.
    let machines: [SimulatedMachine]
    let storeClock: SimulatedMachine?
    let installations: [InMemoryInstallationStore]
    let keepsLog: Bool
    let state: Locked<State>

    init(
        _ harnesses: [any ConformanceHarness], seed: UInt64, mutant: Mutant?, keepsLog: Bool,
        _ makeStore: (TestScheduler, any ProcessRegistry) -> any Journal
    ) throws {
        let scheduler = TestScheduler(seed: seed)
        (self.scheduler, self.harnesses, self.mutant, self.keepsLog) = (scheduler, harnesses, mutant, keepsLog)
        fixtures = try harnesses.map { harness in
            let fixture = try harness.open(scheduler)
            // In every other world others work on the accounts, too.
            guard seed.isMultiple(of: 2), let troubled = fixture as? any TroubledFixture else { return fixture }
            return troubled.sharingItsAccount()
        }
        drivers = try fixtures.map { try $0.driver(.open) }
        identities = drivers.map(\.identity.id)
        reader = fixtures.lazy.compactMap(\.reader).first
        living = LivingProcesses()
        store = makeStore(scheduler, living)
        let random = SeededRandom(seed: seed)
        let isShared = random.below(2) == 0
        machines = (0..<SimulationPlan.tillsMax).map { number in
            SimulatedMachine(scheduler, number, offset: Int64(random.below(600_000)) - 300_000)
        }
        storeClock = isShared ? nil : SimulatedMachine(scheduler, SimulationPlan.tillsMax, offset: 0)
        installations = machines.map { _ in InMemoryInstallationStore() }
        state = Locked(
            State(
                judge: Oracle(
                    isTwiceDeclared: harnesses.map { $0.declaration.expectedDoubleCharges["request.duplicated"] != nil }
                )
            ))
    }

    func note(_ line: @autoclosure () -> String) {
        guard keepsLog else { return }
        let line = "\(scheduler.now) \(line())"
        state.withLock { $0.log.append(line) }
    }

    func judge<Value: Sendable>(_ body: (inout Oracle) -> Value) -> Value {
        let now = scheduler.now
        return state.withLock { state in
            state.judge.time = now
            return body(&state.judge)
        }
    }

    /// Reads what is new in a provider's books.
    func look(_ provider: Int) {
        let ledger = fixtures[provider].ledger
        judge { $0.read(provider, ledger) }
    }

    func lookAll() { for provider in fixtures.indices { look(provider) } }

    var violation: String? { state.withLock { $0.judge.violation } }

    /// The steps, one after the other, and then everything settles; ends with the first thing that is wrong.
    func play(_ steps: [ChaosStep]) async {
        for step in steps {
            note("\(step)")
            await take(step)
            if step.pause > 0 { try? await scheduler.sleep(until: scheduler.now + step.pause) }
            lookAll()
            if violation != nil { return }
        }
        await settle()
    }

    func wait(_ milliseconds: Int64) async { try? await scheduler.sleep(until: scheduler.now + milliseconds) }
}

// MARK: - Processes

extension ChaosWorld {
    private func machine(of till: Int) -> SimulatedMachine { machines[storeClock == nil ? 0 : till] }

    /// What runs at a till; begun if nothing does.
    func running(_ till: Int) -> (process: Process, client: PaymentClient)? {
        if let running = state.withLock({ $0.running[till] }), !running.process.isGone { return running }
        bury(till)
        let (name, active) = state.withLock { state in
            state.processCount += 1
            let name = "process-\(state.processCount)"
            return (name, state.active[till] ?? 0)
        }
        living.insert(name)
        let process = Process(name, till: till, machine(of: till))
        guard let client = try? client(process, active) else { return nil }
        state.withLock { $0.running[till] = (process, client) }
        return (process, client)
    }

    func client(_ process: Process, _ active: Int, scope: String = "") throws -> PaymentClient {
        let drivers = try fixtures.indices.map { provider in
            let interceptor = line(process, provider)
            let between = mutant?.interceptor.map { $0().before(interceptor) } ?? interceptor
            let shipped = try fixtures[provider].driver(between)
            return mutant?.wrapDriver.map { $0(shipped) } ?? shipped
        }
        let journal = FaultyJournal(
            inner: store, process: process, processes: living.process(name: process.name), storeClock: storeClock,
            heard: { [self] fault, attempt in
                note("journal of \(process.name): \(fault)")
                guard let attempt else { return }
                judge { $0.visit(attempt, "journal: \(fault.word)") }
            },
            writes: { [self] entry in
                guard case .finish(let finish) = entry.command, finish.closing != nil || finish.endsRun else { return }
                state.withLock { state in
                    if state.asking[finish.attempt] === process { state.asking[finish.attempt] = nil }
                }
            },
            wrote: { [self] entry, answer in
                note("\(process.name) writes \(entry.words): \(answer.word)")
                guard case .written = answer, let attempt = entry.command.attempt else { return }
                wrote(entry.command, attempt, process)
            })
        var dependencies = ClientOptions(journal: journal)
        (dependencies.clock, dependencies.executor) = (process.clock, scheduler)
        dependencies.random = SeededRandom(seed: UInt64(process.name.utf8.reduce(7) { $0 &* 31 &+ Int($1) }))
        (dependencies.reader, dependencies.answers) = (reader.map { moody($0, process) }, CheckContext.defaultHandlers)
        dependencies.answers.handle(PaymentLink.self) { [self] page in
            await visit(page)
            return true
        }
        (dependencies.installations, dependencies.scope) = (installations[process.till], scope)
        if let surround = mutant?.changeOptions { dependencies = surround(dependencies) }
        var routing = Routing(active: identities[active])
        routing.draining = []
        var either = Routing.Rule(identities)
        either.routingLabel = Order.either
        if identities.count > 1 { routing.rules = [either] }
        return try PaymentClient(drivers: drivers, routing: routing, dependencies)
    }

    /// A process has written something. A person decides no attempt of which a living process has a request open.
    private func wrote(_ command: JournalCommand, _ attempt: AttemptID, _ process: Process) {
        switch command {
        case .request:
            state.withLock { $0.asking[attempt] = process }
            judge { $0.opened(attempt) }
        case .takeOver(_, _, .idle), .report(_, .person(.executed, _, _, _, _)),
            .report(_, .person(.notExecuted, _, _, _, _)):
            guard let asking = state.withLock({ $0.asking[attempt] }), !asking.isGone, living.isAlive(asking.name)
            else {
                return
            }
            judge { $0.accuse("a person decides \(attempt), of which \(asking.name) has a request open") }
        case .finish, .report, .notice, .takeOver, .closeGap: break
        }
    }

    /// Ends what runs at a till, at once.
    func kill(_ till: Int) {
        state.withLock { $0.running[till] }?.process.die()
        bury(till)
    }

    /// Forgets a process that is gone, and every caller that waited in it.
    func bury(_ till: Int) {
        let left: [Call] = state.withLock { state in
            guard let gone = state.running[till]?.process, gone.isGone else { return [] }
            state.running[till] = nil
            living.remove(gone.name)
            let calls = state.calls.filter { $0.value.process === gone }
            for (number, call) in calls {
                state.calls[number] = nil
                if let order = state.orders[call.order] { state.judge.left(order.attempt, "process gone") }
            }
            return calls.sorted { $0.key < $1.key }.map(\.value)
        }
        for call in left { call.task.cancel() }
    }

    /// A process ends as it should.
    func finish(_ till: Int) async {
        guard let running = state.withLock({ $0.running[till] }) else { return }
        _ = try? await running.client.flush()
        running.process.die()
        bury(till)
    }
}

/// The processes of a world that are alive.
final class LivingProcesses: ProcessRegistry {
    private let names = Locked(Set<String>())
    private let ghosts = Locked(Set<String>())

    /// The world itself is no process.
    var own: String { "world" }
    func isAlive(_ owner: String) -> Bool {
        names.withLock { $0.contains(owner) } || ghosts.withLock { $0.contains(owner) }
    }

    /// Nothing proves any more that a process is dead.
    func forgetDeath(of owner: String) { ghosts.withLock { _ = $0.insert(owner) } }
    func insert(_ name: String) { names.withLock { _ = $0.insert(name) } }
    func remove(_ name: String) { names.withLock { _ = $0.remove(name) } }

    /// The registry as one process sees it.
    func process(name: String) -> any ProcessRegistry { Named(own: name, all: self) }

    private struct Named: ProcessRegistry {
        let own: String
        let all: LivingProcesses
        func isAlive(_ owner: String) -> Bool { all.isAlive(owner) }
    }
}

extension JournalEntry {
    /// What is written, for the log.
    fileprivate var words: String {
        let kind = String("\(command)".prefix { $0 != "(" })
        return "\(command.attempt?.text ?? "a name") \(kind)"
    }
}

extension JournalAnswer {
    /// What came of it, for the log.
    fileprivate var word: String {
        if case .refused(let refusal, _) = self { return "refused, " + String("\(refusal)".prefix(80)) }
        return String("\(self)".prefix { $0 != "(" }) + (attempt.map { ", \($0.state)" } ?? "")
    }
}

extension JournalFault {
    fileprivate var word: String {
        switch self {
        case .notWritten: "not written"
        case .keptUnknown: "fate unknown, kept"
        case .lostUnknown: "fate unknown, lost"
        case .slow: "slow"
        case .unwritable: "unwritable"
        case .away: "away"
        }
    }
}

extension ChaosWorld {
    /// What lies between a process and a provider.
    func line(_ process: Process, _ provider: Int) -> Interceptor {
        Interceptor { [self] (request, next) async throws(TransportFailure) in
            if process.passes() { throw .notSent(.cancelled) }
            let attempt = CurrentAttempt.id
            let leftAt = judge { $0.tick() }
            let fault = process.nextLineFault()
            if let fault { strike(fault, attempt, process) }
            note("\(process.name) sends \(request.method) \(request.path) for \(attempt ?? "no attempt")")
            begin(attempt)
            defer { end(attempt) }
            let carry: @Sendable (Int64) async throws(TransportFailure) -> HTTPResponse = {
                [self] hundredths async throws(TransportFailure) in
                if hundredths > 0 { await wait(latest(provider, attempt) * hundredths / 100) }
                judge { $0.carry(attempt, leftAt, from: process.name) }
                defer {
                    let isTwin = attempt.map { fixtures[provider].duplicatedRequests.contains($0) } ?? false
                    judge { judge in if isTwin { judge.doubled(attempt, by: provider) } }
                    look(provider)
                    judge { $0.answered(attempt) }
                }
                return try await next(request)
            }
            var response: HTTPResponse
            switch fault {
            case .refused: throw .notSent(.connectionRefused)
            case .unreachable(let milliseconds):
                await wait(milliseconds)
                throw .notSent(.connectionRefused)
            case .requestLost: throw .maybeSent(.connectionReset)
            case .replyLost:
                _ = try await carry(0)
                throw .maybeSent(.connectionReset)
            case .late(let hundredths):
                travel(attempt) { _ = try? await carry(hundredths) }
                throw .maybeSent(.connectionReset)
            case .slow(let hundredths): response = try await carry(hundredths)
            case .replySlow(let milliseconds):
                response = try await carry(0)
                await wait(milliseconds)
            case .torn:
                response = try await carry(0)
                response.body = Array(response.body.prefix(response.body.count / 2))
            case nil: response = try await carry(0)
            }
            if process.passes() { throw .maybeSent(.cancelled) }
            note("\(process.name) gets \(response.status)")
            return response
        }
    }

    /// Something is on its way, whatever becomes of its sender.
    private func travel(_ attempt: String?, _ body: @escaping @Sendable () async -> Void) {
        begin(attempt)
        Task(executorPreference: scheduler) { [self] in
            await body()
            end(attempt)
        }
    }

    private func begin(_ attempt: String?) { state.withLock { $0.travelling[attempt ?? "", default: 0] += 1 } }

    private func end(_ attempt: String?) { state.withLock { $0.travelling[attempt ?? "", default: 0] -= 1 } }

    private func strike(_ fault: LineFault, _ attempt: String?, _ process: Process) {
        note("line of \(process.name): \(fault)")
        guard let attempt = attempt.flatMap({ try? AttemptID($0) }) else { return }
        judge { $0.visit(attempt, "line: \(fault.word)") }
    }
}

extension LineFault {
    fileprivate var word: String {
        switch self {
        case .refused: "refused"
        case .requestLost: "request lost"
        case .replyLost: "reply lost"
        case .late: "request late"
        case .slow: "request slow"
        case .replySlow: "reply slow"
        case .torn: "reply torn"
        case .unreachable: "unreachable"
        }
    }
}

/// One thing that a till wants done, as its owner has it on paper: it survives the till's program.
struct Order: Sendable {
    let number: Int
    let attempt: AttemptID
    let operation: PaymentOperation
    /// How much; nil for all that is left.
    let amount: Money?
    let source: PaymentSource?
    let reference: String
    /// The payment that it acts on: the attempt that began it.
    let origin: AttemptID?
    /// Which provider its till used.
    let provider: Int
    /// Which part of the reference it pays; empty for the whole.
    var part = ""
    /// The customer, where the provider wants one.
    var customer: String?
    /// What is said of the customer, where the provider takes no payment without it.
    var contact: CustomerContact?
    /// How the reference is typed, where that differs from how it is kept.
    var spelling: String?
    /// Whether it has no reference at all.
    var isUnnamed = false
    /// Whether less may be approved.
    var acceptsPartial = false
    /// What a refund is for.
    var reason: String?
    /// How long its caller waits; then either provider may take it.
    var limit: Duration?
    /// Whether it is done at the provider's own dashboard, without the journal.
    var isAtDashboard = false

    /// The label by which the routing lets either provider take a sale.
    static let either = "either"

    /// Whether one excludes the other while it is active: payments under one reference and part, and refunds or captures of
    /// one amount.
    func excludes(_ other: Order) -> Bool {
        if isAtDashboard || other.isAtDashboard || isUnnamed || other.isUnnamed { return false }
        if origin == nil { return part.isEmpty || other.part.isEmpty || part == other.part }
        return reason == other.reason
    }

    /// Asks a client for it.
    func call(_ client: PaymentClient) async throws(PaymentError) -> PaymentResult {
        let payment = origin.map { PaymentID($0) }
        switch (operation, amount, source, payment) {
        case (.sale, let amount?, let source?, _):
            return try await client.sale(request(amount, source), attempt: attempt, timeout: limit)
        case (.authorize, let amount?, let source?, _):
            return try await client.authorize(request(amount, source), attempt: attempt)
        case (.capture, _, _, let payment?):
            return try await client.capture(payment, of: amount, attempt: attempt)
        case (.refund, _, _, let payment?):
            return try await client.refund(payment, of: amount, reference: reason, attempt: attempt)
        case (.unlinkedRefund, let amount?, let source?, let payment?):
            var request = UnlinkedRefundRequest(amount, to: source, reference: reason ?? reference)
            request.payment = payment
            return try await client.refundUnlinked(request, attempt: attempt)
        case (.void, _, _, let payment?): return try await client.void(payment, attempt: attempt)
        case (.adjust, let amount?, _, let payment?):
            return try await client.adjust(payment, to: amount, attempt: attempt)
        case (.tipAdjustment, let amount?, _, let payment?):
            return try await client.adjustTip(payment, to: amount, attempt: attempt)
        default: throw PaymentError.notExecuted(.invalidRequest, "the simulation has no such call")
        }
    }

    private func request(_ amount: Money, _ source: PaymentSource) -> SaleRequest {
        let order = isUnnamed ? .unreferenced : OrderReference(spelling ?? reference, part: part)
        var request = SaleRequest(amount, from: source, reference: order)
        (request.customer, request.contact) = (customer, contact)
        request.acceptsPartialApproval = acceptsPartial
        request.routingLabel = limit == nil ? nil : Self.either
        return request
    }

    /// The same sale under the same id, for another customer.
    func callForAnother(_ client: PaymentClient) async throws(PaymentError) -> PaymentResult {
        guard let amount, let source, origin == nil else {
            throw PaymentError.notExecuted(.invalidRequest, "the simulation has no such call")
        }
        var request = request(amount, source)
        request.customer = "another customer"
        return operation == .authorize
            ? try await client.authorize(request, attempt: attempt) : try await client.sale(request, attempt: attempt)
    }
}

/// One run of a till's program: what it has in memory is gone with it.
final class Process: Sendable {
    private struct State {
        var isGone = false
        /// After how many writes and exchanges it dies; nil for not at all.
        var diesAfter: Int?
        var line: [(skip: Int, fault: LineFault)] = []
        var journal: [(skip: Int, fault: JournalFault)] = []
        /// Entries whose content the journal can't take, and how often the journal did anything else wrong.
        var unwritable: [JournalEntry] = []
        var troubleCount = 0
        var refusesCard = false
        var troubled: Set<AttemptID> = []
    }

    let name: String
    let till: Int
    let clock: SimulatedMachine
    private let state = Locked(State())

    init(_ name: String, till: Int, _ clock: SimulatedMachine) {
        (self.name, self.till, self.clock) = (name, till, clock)
    }

    var isGone: Bool { state.withLock { $0.isGone } }

    func die() { state.withLock { $0.isGone = true } }

    func die(after count: Int) { state.withLock { $0.diesAfter = count } }

    func arm(_ fault: LineFault, after skip: Int) { state.withLock { $0.line.append((skip, fault)) } }

    func arm(_ fault: JournalFault, after skip: Int) { state.withLock { $0.journal.append((skip, fault)) } }

    /// Nothing more goes wrong with it.
    func calm() { state.withLock { ($0.line, $0.journal, $0.diesAfter, $0.refusesCard) = ([], [], nil, false) } }

    /// A moment at which it may die; says whether it has.
    func passes() -> Bool {
        state.withLock { state in
            guard let left = state.diesAfter else { return state.isGone }
            state.diesAfter = left - 1
            if left <= 0 { (state.isGone, state.diesAfter) = (true, nil) }
            return state.isGone
        }
    }

    func nextLineFault() -> LineFault? { state.withLock { Self.next(&$0.line) } }

    /// How often its journal failed, except for the content of an entry.
    var troubleCount: Int { state.withLock { $0.troubleCount } }

    /// The next card that is read refuses on its own.
    func refuseNextCard() { state.withLock { $0.refusesCard = true } }

    func takesCard() -> Bool {
        state.withLock { state in
            defer { state.refusesCard = false }
            return !state.refusesCard
        }
    }

    func hadTrouble(with attempt: AttemptID) -> Bool { state.withLock { $0.troubled.contains(attempt) } }

    func isUnwritable(_ entry: JournalEntry) -> Bool { state.withLock { $0.unwritable.contains(entry) } }

    /// What goes wrong with an entry. Only an outcome with names can have content that the journal can't take.
    func nextJournalFault(_ entry: JournalEntry) -> JournalFault? {
        state.withLock { state in
            guard let fault = Self.next(&state.journal) else { return nil }
            if case .away(let count) = fault, count > 1 { state.journal.insert((0, .away(count - 1)), at: 0) }
            guard fault == .unwritable else {
                state.troubleCount += 1
                if let attempt = entry.command.attempt { state.troubled.insert(attempt) }
                return fault
            }
            guard case .finish(let finish) = entry.command, finish.closing?.names.isEmpty == false else { return nil }
            state.unwritable.append(entry)
            return fault
        }
    }

    /// The first fault, once what it lets through has passed.
    private static func next<Fault>(_ faults: inout [(skip: Int, fault: Fault)]) -> Fault? {
        guard let first = faults.first else { return nil }
        if first.skip > 0 {
            faults[0].skip -= 1
            return nil
        }
        return faults.removeFirst().fault
    }
}

/// A machine's clock, which can be set, and which begins again when the machine is started again.
final class SimulatedMachine: PaymentClock {
    private struct State {
        var offset: Int64 = 0
        var bootedAt: Int64
        var bootCount = 1
    }

    private let scheduler: TestScheduler
    private let number: Int
    private let state: Locked<State>

    init(_ scheduler: TestScheduler, _ number: Int, offset: Int64) {
        (self.scheduler, self.number) = (scheduler, number)
        // It was started some while ago.
        state = Locked(State(offset: offset, bootedAt: scheduler.now - 3_600_000))
    }

    var now: Int64 { scheduler.now + state.withLock { $0.offset } }
    var uptime: Int64 { scheduler.now - state.withLock { $0.bootedAt } }
    var boot: String { "machine-\(number)-\(state.withLock { $0.bootCount })" }

    func sleep(until instant: Int64) async throws {
        try await scheduler.sleep(until: scheduler.now + max(0, instant - now))
    }

    /// Its clock is right again.
    func correct() { state.withLock { $0.offset = 0 } }

    func set(by milliseconds: Int64) { state.withLock { $0.offset += milliseconds } }

    func reboot() {
        let now = scheduler.now
        state.withLock { ($0.bootedAt, $0.bootCount) = (now, $0.bootCount + 1) }
    }
}
