import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// Reports which processes are alive; a test declares some dead.
final class Owners: Sendable {
    private let dead = Locked(Set<String>())
    private let runs = Locked([String: ProcessRuns]())

    func isAlive(_ owner: String) -> Bool { !dead.withLock { $0.contains(owner) } }

    /// What one process sees of the others.
    func process(_ own: String) -> any ProcessRegistry {
        let fresh = ProcessRuns()
        return Process(
            own: own, owners: self,
            runs: runs.withLock { runs in
                defer { runs[own] = runs[own] ?? fresh }
                return runs[own] ?? fresh
            })
    }

    private struct Process: ProcessRegistry {
        let own: String
        let owners: Owners
        let runs: ProcessRuns?
        func isAlive(_ owner: String) -> Bool { owners.isAlive(owner) }
    }

    /// From now on this process is taken for dead.
    func declareDead(_ owner: String) { dead.withLock { _ = $0.insert(owner) } }
}

/// A clock, a provider's ledger and a journal: all that a test needs for its clients.
struct Shop: Sendable {
    var stage: TestScheduler
    let ledger = Ledger()
    let owners: Owners
    var journal: any Journal

    init(stage: TestScheduler = TestScheduler()) {
        (self.stage, owners) = (stage, Owners())
        journal = InMemoryJournal(processes: owners.process("shop"))
    }

    /// A client of one process on the shop's journal, or on a wrapper of it.
    func client(
        _ drivers: any PaymentDriver..., owner: String = "till", over journal: (any Journal)? = nil,
        scope: String = "", processes: (any ProcessRegistry)? = nil, routing: Routing? = nil
    ) throws -> PaymentClient {
        let process = processes ?? owners.process(owner)
        var given = ClientOptions(journal: ProcessJournal(journal ?? self.journal, process))
        // Each process draws its own random numbers.
        let seed = (owner + scope).utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }
        (given.clock, given.random, given.executor) = (stage, SeededRandom(seed: seed), stage)
        given.scope = scope
        let first = drivers.first?.identity.id ?? "p"
        return try PaymentClient(drivers: drivers, routing: routing ?? Routing(active: first), given)
    }

    /// Runs a body on the stage.
    func play<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        try stage.run(body)
    }

    /// Waits by the stage's clock.
    func wait(seconds: Int64) async throws { try await stage.sleep(until: stage.now + seconds * 1_000) }

    /// Starts a call that runs beside the test's body.
    func beside<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
        Task(executorPreference: stage) { await body() }
    }

    /// Lets the clients recover in the background for a while.
    func recover(_ client: PaymentClient, seconds: Int64) async throws {
        let work = beside { await client.runRecovery() }
        try await wait(seconds: seconds)
        work.cancel()
        await work.value
    }

    /// A notice about a movement under the provider's name, made for a payment that the provider calls `original`.
    func notice(
        _ name: String, _ operation: PaymentOperation, _ verdict: Verdict, of original: String
    ) -> ProviderNotice {
        var notice = ProviderNotice(
            .reference(name, [operation]), verdict, at: stage.now, kind: operation.rawValue.uppercased())
        notice.original = original
        return notice
    }
}

extension PaymentClient {
    /// A sale of a typed card.
    func sell(
        _ cents: Int64 = 1_000, _ reference: String = "order-1", attempt: AttemptID? = nil,
        withinSeconds limit: Int64? = nil
    ) async -> Told {
        await Told {
            let request = SaleRequest(.cents(cents), from: try Cards.good(), reference: reference)
            return try await sale(request, attempt: attempt, timeout: limit.map { .seconds($0) })
        }
    }

    /// A refund; of everything that is left when no amount is given.
    func refund(
        _ cents: Int64? = nil, of payment: AttemptID, at account: String? = nil, attempt: AttemptID? = nil
    ) async -> Told {
        await Told {
            try await refund(PaymentID(payment), of: cents.map { .cents($0) }, account: account, attempt: attempt)
        }
    }

    /// What became of an attempt.
    func outcome(of attempt: AttemptID) async -> Told { await Told { try await status(attempt) } }

    /// Takes the webhook that the provider has posted, which must be acknowledged.
    func takeWebhook(_ body: [UInt8] = [], from provider: ProviderID = "p") async {
        await #expect(throws: Never.self) { try await receiveWebhook(body, from: provider) }
    }

    /// The amounts of a payment in the books.
    func amounts(of attempt: AttemptID) async throws -> PaymentAmounts { try await payment(PaymentID(attempt)).amounts }

    /// How an attempt stands in the journal; nil when there is none.
    func standing(of attempt: AttemptID) async throws -> Attempt.State? { try await self.attempt(attempt)?.state }
}

/// A result that is there when a test wants it, and a switch that a test turns.
final class Switch: Sendable {
    private let state: Locked<Bool>

    init(_ isOn: Bool) { state = Locked(isOn) }

    var isOn: Bool { state.withLock { $0 } }

    func turn(_ isOn: Bool) { state.withLock { $0 = isOn } }
}
