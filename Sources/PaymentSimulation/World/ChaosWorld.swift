internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentConformance
internal import PaymentTesting
internal import PaymentTransport

/// Tills, processes, machines, providers and one journal, on one thread and without real time.
final class ChaosWorld: Sendable {
    /// A message of a provider's on its way.
    struct WebhookInFlight: Sendable {
        let provider: Int
        let news: ProviderWebhook
        /// What it is about, where nobody else says the same.
        var attempt: AttemptID?
    }

    /// A call that somebody waits for.
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
        /// Requests that are still on their way, by attempt.
        var travelling: [String: Int] = [:]
        /// Providers whose lines have been told to deliver something twice.
        var doubling: Set<Int> = []
        var judge: Oracle
        /// What happened, for whoever wants to read it.
        var log: [String] = []
    }

    let scheduler: TestScheduler
    let harnesses: [any ConformanceHarness]
    let fixtures: [any ConformanceFixture]
    let identities: [ProviderID]
    let drivers: [any PaymentDriver]
    let reader: (any CardReader)?
    let mutant: Mutant?
    let store: any Journal
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
        fixtures = try harnesses.map { try $0.open(scheduler) }
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

    private func client(_ process: Process, _ active: Int) throws -> PaymentClient {
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
            wrote: { [self] entry, answer in note("\(process.name) writes \(entry.words): \(answer.word)") })
        var dependencies = ClientOptions(journal: journal)
        (dependencies.clock, dependencies.executor) = (process.clock, scheduler)
        dependencies.random = SeededRandom(seed: UInt64(process.name.utf8.reduce(7) { $0 &* 31 &+ Int($1) }))
        (dependencies.reader, dependencies.answers) = (reader, CheckContext.defaultHandlers)
        dependencies.answers.handle(PaymentLink.self) { [self] page in
            await visit(page)
            return true
        }
        dependencies.installations = installations[process.till]
        if let surround = mutant?.changeOptions { dependencies = surround(dependencies) }
        var routing = Routing(active: identities[active])
        routing.draining = []
        return try PaymentClient(drivers: drivers, routing: routing, dependencies)
    }

    /// Ends what runs at a till, at once.
    func kill(_ till: Int) {
        state.withLock { $0.running[till] }?.process.die()
        bury(till)
    }

    /// Forgets a process that is gone, and everybody who waited in it.
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

    /// The world itself is no process.
    var own: String { "world" }
    func isAlive(_ owner: String) -> Bool { names.withLock { $0.contains(owner) } }
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
        }
    }
}
