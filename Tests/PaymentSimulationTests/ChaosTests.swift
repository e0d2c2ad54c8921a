import PaymentBase
import PaymentConformance
import PaymentCore
import PaymentDriverKit
import PaymentHarnesses
import PaymentJournalKit
import PaymentSimulation
import PaymentTesting
import Testing

@Suite struct ChaosTests {
    static let harnesses = HarnessRegistry.builtin.harnesses

    /// A short look at every provider, alone and beside another one.
    @Test(arguments: harnesses.indices) func nothingIsWrong(_ index: Int) throws {
        let harness = Self.harnesses[index]
        let other = Self.harnesses[(index + 1) % Self.harnesses.count]
        for (seed, beside) in [(UInt64(1), nil), (2, other)] {
            let simulation = try ChaosTest(harness, beside: beside)
            let run = try simulation.run(seed: seed, operations: 100)
            #expect(run.violation == nil, "\(harness.name), seed \(seed)")
            #expect(run.calls > 20)
        }
    }

    @Test func aSeedIsEnoughToSeeItAgain() throws {
        var simulation = try ChaosTest(MemoryHarness(), beside: NIHarness())
        simulation.keepsLog = true
        for seed in 1...4 as ClosedRange<UInt64> {
            let (one, other) = (
                try simulation.run(seed: seed, operations: 150), try simulation.run(seed: seed, operations: 150)
            )
            #expect(one.log == other.log)
            #expect(one.visits == other.visits)
            #expect(one.log.count > 150)
        }
        let (one, other) = (
            try simulation.run(seed: 1, operations: 150), try simulation.run(seed: 2, operations: 150)
        )
        #expect(one.log != other.log)
    }

    @Test func whatIsNotWrongIsNotShrunk() throws {
        let simulation = try ChaosTest(MemoryHarness())
        let run = try simulation.run(seed: 1, operations: 20)
        #expect(try simulation.shrunk(run).steps == run.steps)
    }

    /// Every fault, every death and every answer is met by some attempt.
    @Test func rareThingsHappen() throws {
        let simulation = try ChaosTest(MemoryHarness())
        var due: Set<String> = [
            "begun again", "process gone", "caller leaves", "fails later", "message applied",
            "journal: not written", "journal: slow", "journal: fate unknown, kept", "journal: fate unknown, lost",
            "journal: unwritable", "journal: away", "line: unreachable", "line: refused", "line: request lost",
            "line: reply lost", "line: request late", "line: reply torn", "told moved", "told refused",
            "told nothing moved", "told pending", "told unknown", "told behind another",
        ]
        var rare = [
            "gets the id of", "in another currency", "without a reference", "refunds of",
            "another application hears",
            "is backed up", "is restored", "at the dashboard", "the next card refuses", "its lease lapses",
            "nothing happens for",
        ]
        for seed in 1...200 as ClosedRange<UInt64> where !due.isEmpty || !rare.isEmpty {
            let run = try simulation.run(seed: seed, operations: 200)
            due.subtract(run.visits.values.flatMap(\.keys))
            let steps = run.steps.map(\.description)
            rare.removeAll { word in steps.contains { $0.contains(word) } }
        }
        #expect(due.isEmpty && rare.isEmpty, "never seen: \(due.sorted() + rare)")
    }
}

/// What is broken on purpose, and what the judge says of it.
@Suite struct PlantedTests {
    /// The longest sequence that still explains itself.
    static let stepsMax = 12

    static let planted: [(mutant: Mutant, words: String)] = [
        (broken("declines") { $0.wrapDriver = { LyingDriver(inner: $0, lie: .declines) } }, "is reported as refused"),
        (
            broken("overstates") { $0.wrapDriver = { LyingDriver(inner: $0, lie: .overstates) } },
            "is reported as moved over"
        ),
        (
            broken("sees nothing") { $0.wrapDriver = { LyingDriver(inner: $0, lie: .seesNothing) } },
            "is reported as nothing moved"
        ),
        (broken("sees all") { $0.wrapDriver = { LyingDriver(inner: $0, lie: .seesAll) } }, "is reported as moved over"),
        (
            broken("forgets verdicts") { $0.changeOptions = { surrounded($0, .forgetsVerdicts) } },
            "and now it is not known"
        ),
        (broken("forgets references") { $0.changeOptions = { surrounded($0, .forgetsReferences) } }, "had it already"),
        (
            broken("loses news") {
                $0.changeWebhook = { ProviderWebhook(headers: $0.headers, body: Array("{}".utf8)) }
            },
            "has brought in"
        ),
    ]

    @Test(arguments: planted.indices) func isFoundAndShrunk(_ index: Int) throws {
        let (mutant, words) = Self.planted[index]
        var simulation = try ChaosTest(MemoryHarness())
        simulation.mutant = mutant
        for seed in 1...200 as ClosedRange<UInt64> {
            let run = try simulation.run(seed: seed, operations: 120)
            guard let violation = run.violation, violation.contains(words) else { continue }
            let shrunk = try simulation.shrunk(run)
            #expect(shrunk.violation?.contains(words) == true)
            #expect(shrunk.steps.count <= Self.stepsMax, "\(shrunk.steps)")
            // The same steps without what is broken are right.
            simulation.mutant = nil
            #expect(try simulation.replay(shrunk).violation == nil)
            return
        }
        Issue.record("\(mutant.id) is not found")
    }

    private static func broken(_ id: String, _ change: (inout Mutant) -> Void) -> Mutant {
        var mutant = Mutant(id, "broken on purpose", caughtBy: "simulation")
        change(&mutant)
        return mutant
    }

    private static func surrounded(
        _ given: ClientOptions, _ habit: LyingJournal.Habit
    ) -> ClientOptions {
        var changed = given
        changed.journal = JournalStore(LyingJournal(inner: given.journal.journal, habit: habit))
        return changed
    }
}

/// A driver that says something else than its provider.
struct LyingDriver: SaleDriver, RefundDriver, WebhookDriver, SessionDriver {
    enum Lie: Sendable { case declines, overstates, seesNothing, seesAll }

    let inner: any PaymentDriver
    let lie: Lie

    var identity: ProviderIdentity { inner.identity }
    var capabilities: Capabilities { inner.capabilities }
    var secrets: [Secret] { inner.secrets }
    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { inner.lookupPlan(for: operation) }
    func classify(_ error: any Error) -> RequestFailure { inner.classify(error) }

    var accessAddresses: [String] { (inner as? any SessionDriver)?.accessAddresses ?? [] }
    func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        guard let driver = inner as? any SessionDriver else { throw Missing() }
        return try await driver.accessToken(replacing: last, context)
    }

    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        guard let driver = inner as? any SaleDriver else { throw Missing() }
        let verdict = try await driver.sale(request, context)
        guard case .approved(let approval) = verdict else { return verdict }
        switch lie {
        case .declines: return .declined(Decline(.doNotHonor, provider: ProviderMessage(code: "05")))
        case .overstates:
            let more = Money(minorUnits: approval.amount.minorUnits + 100, approval.amount.currency)
            return .approved(Approval(more, references: approval.references))
        case .seesNothing, .seesAll: return verdict
        }
    }

    func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        guard let driver = inner as? any RefundDriver else { throw Missing() }
        return try await driver.refund(request, context)
    }

    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        switch lie {
        case .seesNothing: .notFound(seesBack: nil)
        case .seesAll: .found(.approved(Approval(inquiry.amount)))
        case .overstates:
            .found(.approved(Approval(Money(minorUnits: inquiry.amount.minorUnits + 100, inquiry.amount.currency))))
        case .declines: try await inner.lookup(inquiry, context)
        }
    }

    func notices(in message: WebhookMessage) throws -> [ProviderNotice] {
        guard let driver = inner as? any WebhookDriver else { throw Missing() }
        return try driver.notices(in: message)
    }

    struct Missing: Error {}
}

/// A journal that does something else than it says.
struct LyingJournal: JournalWrapper {
    enum Habit: Sendable { case forgetsVerdicts, forgetsReferences }

    let inner: any Journal
    let habit: Habit

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        var changed = entry
        switch (habit, entry.command) {
        case (.forgetsVerdicts, .finish(var finish)):
            let verdict = finish.verdict
            finish.verdict = nil
            changed.command = .finish(finish)
            let answer = try await inner.write(changed, id, at: instant)
            // The process that writes gets what it expects.
            guard let verdict, case .written(var held, let receipt) = answer, let run = held.newest else {
                return answer
            }
            held.apply(.report(.init(.verdict(verdict), .reply, run: run.number, entry: receipt.entry, at: instant)))
            return .written(held, receipt)
        case (.forgetsReferences, .request(var open)):
            guard let begin = open.begin, begin.intent.isOrigin else { break }
            open.begin = Begin(begin.intent.withoutReference, begin.account)
            changed.command = .request(open)
        default: break
        }
        return try await inner.write(changed, id, at: instant)
    }
}

extension Attempt.Intent {
    fileprivate var withoutReference: Self {
        var copy = Self(attempt, operation, amount, scope: scope, digest: digest)
        (copy.source, copy.last4) = (source, last4)
        return copy
    }
}
