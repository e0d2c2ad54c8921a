import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentSimulation
import PaymentTesting
import Testing

/// What is broken on purpose, and what the judge says of it.
@Suite struct PlantedTests {
    /// The longest sequence that still explains itself.
    static let stepsMax = 12

    static let planted: [(mutant: Mutant, words: String)] = [
        (broken("declines") { $0.drive = { LyingDriver(inner: $0, lie: .declines) } }, "is told as refused"),
        (broken("overstates") { $0.drive = { LyingDriver(inner: $0, lie: .overstates) } }, "is told as moved over"),
        (
            broken("sees nothing") { $0.drive = { LyingDriver(inner: $0, lie: .seesNothing) } },
            "is told as nothing moved"
        ),
        (broken("sees all") { $0.drive = { LyingDriver(inner: $0, lie: .seesAll) } }, "is told as moved over"),
        (broken("forgets words") { $0.surround = { surrounded($0, .forgetsWords) } }, "and now nobody can tell"),
        (broken("tells") { $0.surround = { surrounded($0, .tellsEverything) } }, "although nobody had heard"),
        (
            broken("loses news") { $0.news = { ProviderNews(headers: $0.headers, body: Array("{}".utf8)) } },
            "has brought in"
        ),
    ]

    @Test(arguments: planted.indices) func isFoundAndShrunk(_ index: Int) throws {
        let (mutant, words) = Self.planted[index]
        var simulation = try Simulation(MemoryHarness())
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
        _ given: ClientDependencies, _ habit: LyingJournal.Habit
    ) -> ClientDependencies {
        var changed = given
        changed.journal = LyingJournal(inner: given.journal, habit: habit)
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
    var bytesLeaveWithinMilliseconds: Int64? { inner.bytesLeaveWithinMilliseconds }
    var isSoleUser: Bool { inner.isSoleUser }
    func lookupPlan(for operation: PaymentOperation) -> LookupPlan { inner.lookupPlan(for: operation) }
    func classify(_ error: any Error) -> Fault { inner.classify(error) }

    func access(after last: ProviderAccess?, _ context: SessionContext) async throws -> ProviderAccess {
        guard let driver = inner as? any SessionDriver else { throw Missing() }
        return try await driver.access(after: last, context)
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

    func lookup(_ inquiry: Inquiry, _ context: LookupContext) async throws -> LookupResult {
        switch lie {
        case .seesNothing: .notSeen
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
struct LyingJournal: WrappingJournal {
    enum Habit: Sendable { case forgetsWords, tellsEverything }

    let inner: any Journal
    let habit: Habit

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        var changed = entry
        switch habit {
        case .forgetsWords:
            let answer = try await inner.write(entry.withoutWords, id, at: instant)
            // Whoever writes hears what he expects.
            guard entry.withoutWords != entry, let facts = answer.facts else { return answer }
            return .accepted(facts.hearing(entry.parts))
        case .tellsEverything:
            for case .begin(let intent, _) in entry.parts {
                let page = try await inner.page(.reference(intent.reference), scope: "", after: nil, limit: 100)
                changed.told.formUnion(page.rows.map(\.intent.key))
            }
            return try await inner.write(changed, id, at: instant)
        }
    }
}

extension JournalEntry {
    fileprivate var withoutWords: JournalEntry {
        var copy = self
        copy.parts.removeAll { if case .word = $0 { true } else { false } }
        return copy
    }
}

extension AttemptFacts {
    fileprivate func hearing(_ parts: [JournalEntry.Part]) -> AttemptFacts {
        var copy = self
        for case .word(let word) in parts { copy.append(.word(word)) }
        return copy
    }
}
