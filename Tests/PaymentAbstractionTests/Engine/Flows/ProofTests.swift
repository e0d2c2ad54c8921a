import PaymentBase
import Testing

@testable import PaymentAbstraction

/// What DESIGN says that a sighting proves, told without looking at the code.
private struct ToldProof {
    let record: AttemptRecord
    let plan: LookupPlan
    let now: Int64
    let holders: [AttemptRecord]
    let rivals: [AttemptRecord]

    enum Judgement: Hashable { case verdict(claim: String?), notMoved, nothing, something, mismatch }

    func judge(_ sighting: LookupResult) -> Judgement {
        switch sighting {
        case .cannotTell: return .nothing
        case .found(let verdict): return judge(verdict, nil)
        case .notSeen:
            // Proven only when the quiet time since `submitted` has passed, and there is such a time.
            guard let quiet = plan.quietTime, let submitted = record.submittedAt else { return .nothing }
            return now >= submitted + quiet ? .notMoved : .nothing
        case .candidates(let seen):
            let free = seen.filter { candidate in
                !holders.contains { isOther($0) && $0.handles.contains(candidate.reference) }
            }
            // Found only if exactly one exists that nobody else has claimed or could claim.
            if free.isEmpty { return .nothing }
            if free.count > 1 || rivals.contains(where: { couldBe(free[0].verdict, $0) }) { return .something }
            return judge(free[0].verdict, free[0].reference)
        }
    }

    private func isOther(_ other: AttemptRecord) -> Bool { other.intent.attempt != record.intent.attempt }

    private func couldBe(_ verdict: Verdict, _ rival: AttemptRecord) -> Bool {
        guard isOther(rival), rival.provider == record.provider, rival.state == .submitted || rival.state == .inDoubt,
            rival.intent.operation == record.intent.operation
        else { return false }
        if rival.intent.amount == record.intent.amount { return true }
        guard case .approved(let approval) = verdict, approval.isPartial else { return false }
        return approval.amount.currency == rival.intent.amount.currency
            && approval.amount.minorUnits < rival.intent.amount.minorUnits
    }

    private func judge(_ verdict: Verdict, _ claim: String?) -> Judgement {
        switch verdict {
        case .declined, .cancelled: return .verdict(claim: claim)
        case .pending(let pending): return pending.lookAgain ? .something : .verdict(claim: claim)
        case .approved(let approval):
            let (said, asked) = (approval.amount, record.intent.amount)
            if said.currency != asked.currency || said.minorUnits < 0 || said.minorUnits > asked.minorUnits {
                return .mismatch
            }
            return said == asked || approval.isPartial ? .verdict(claim: claim) : .mismatch
        }
    }
}

@Suite struct ProofTests {
    static let asked: Int64 = 100
    static let submittedAt: Int64 = 10_000
    static let memory = ProviderIdentity("memory", adapter: "memory", environment: "sandbox", merchant: "m-1")
    static let other = ProviderIdentity("memory", adapter: "memory", environment: "production", merchant: "m-1")

    static func record(
        _ name: String, _ minorUnits: Int64 = asked, _ operation: MoneyOperation = .sale,
        state: AttemptRecord.State = .inDoubt, provider: ProviderIdentity = memory
    ) throws -> AttemptRecord {
        let intent = AttemptIntent(try AttemptID(name), operation, Money(minorUnits: minorUnits, .eur), reference: "o")
        var record = AttemptRecord(intent, provider, round: 1, at: 0, owner: "till")
        (record.state, record.submittedAt) = (state, submittedAt)
        return record
    }

    static var verdicts: [Verdict] {
        var all: [Verdict] = [
            .declined(Decline(.doNotHonor, provider: ProviderMessage(code: "05"))),
            .cancelled(Cancellation(by: .customer)), .pending(Pending(lookAgain: true)),
            .pending(Pending(lookAgain: false)),
        ]
        let amounts: [Money] = [
            .init(minorUnits: 100, .eur), .init(minorUnits: 99, .eur), .init(minorUnits: 101, .eur),
            .init(minorUnits: 0, .eur), .init(minorUnits: -100, .eur), .init(minorUnits: -1, .eur),
            .init(minorUnits: 100, .usd), .init(minorUnits: 99, .usd), .init(minorUnits: .max, .eur),
            .init(minorUnits: .min, .eur),
        ]
        for amount in amounts {
            for isPartial in [false, true] {
                var approval = Approval(amount, references: ["payment": "p-1"])
                approval.isPartial = isPartial
                all.append(.approved(approval))
            }
        }
        return all
    }

    static var sightings: [LookupResult] {
        let decline = Verdict.declined(Decline(.doNotHonor, provider: ProviderMessage(code: "05")))
        var all: [LookupResult] = [.notSeen, .cannotTell, .candidates([])]
        for verdict in verdicts {
            all.append(.found(verdict))
            all.append(.candidates([.init("p-1", verdict)]))
            all.append(.candidates([.init("p-1", verdict), .init("p-2", decline)]))
            all.append(.candidates([.init("p-2", decline), .init("p-1", verdict), .init("p-3", decline)]))
        }
        return all
    }

    /// Nobody; another who holds one or two of the references by name, note or claim; and the attempt itself.
    static func holders() throws -> [[AttemptRecord]] {
        var byReference = try record("h-1")
        byReference.state = .concluded(.approved(Approval(.init(minorUnits: 5, .eur), references: ["payment": "p-1"])))
        var byNote = try record("h-2")
        byNote.notes = ["found": "p-2"]
        var byClaim = try record("h-3")
        byClaim.claim = "p-3"
        var itself = try record("mine")
        itself.notes = ["found": "p-1"]
        return [[], [byReference], [byNote], [byClaim], [byNote, byClaim], [itself], [itself, byReference]]
    }

    static func rivals() throws -> [[AttemptRecord]] {
        [
            [], [try record("mine")], [try record("r-1")], [try record("r-1", state: .submitted)],
            [try record("r-1", state: .begun)], [try record("r-1", state: .notMoved)],
            [try record("r-1", 101)], [try record("r-1", 99)], [try record("r-1", 100, .authorize)],
            [try record("r-1", provider: other)], [try record("mine"), try record("r-1", .max)],
            [try record("r-1", 5), try record("r-2")],
        ]
    }

    @Test func everyCombinationProvesWhatWasTold() throws {
        let plans: [(plan: LookupPlan, now: Int64)] = [
            (LookupPlan(everyMilliseconds: 1), .max / 2), (LookupPlan(everyMilliseconds: 1, quietTime: 5_000), 14_999),
            (LookupPlan(everyMilliseconds: 1, quietTime: 5_000), 15_000),
            (LookupPlan(everyMilliseconds: 1, quietTime: 0), 10_000),
            (LookupPlan(everyMilliseconds: 1, quietTime: 0), 9_999),
        ]
        var unsent = try Self.record("mine", state: .begun)
        unsent.submittedAt = nil
        let (holders, rivals) = (try Self.holders(), try Self.rivals())
        var count = 0
        for mine in [try Self.record("mine"), try Self.record("mine", state: .submitted), unsent] {
            for (plan, now) in plans {
                for held in holders {
                    for open in rivals {
                        let told = ToldProof(record: mine, plan: plan, now: now, holders: held, rivals: open)
                        for sighting in Self.sightings {
                            let proof = Proof.of(sighting, mine, plan, now: now, holders: held, rivals: open)
                            count += 1
                            let expected = told.judge(sighting)
                            guard Self.judgement(proof) != expected else { continue }
                            Issue.record("\(proof) instead of \(expected) for \(sighting), rivals \(open)")
                            return
                        }
                    }
                }
            }
        }
        print("flow Proof: \(count) combinations")
        #expect(count == 3 * 5 * 7 * 12 * (3 + 4 * Self.verdicts.count))
    }

    private static func judgement(_ proof: Proof) -> ToldProof.Judgement {
        switch proof {
        case .verdict(_, let claim): .verdict(claim: claim)
        case .notMoved: .notMoved
        case .nothing: .nothing
        case .something: .something
        case .mismatch: .mismatch
        }
    }

    /// A rival that asked for more may be the one whose part was approved.
    @Test func aPartOfARivalsAmountIsNotTakenForOurs() throws {
        var part = Approval(Money(minorUnits: 100, .eur))
        part.isPartial = true
        let proof = Proof.of(
            .candidates([.init("p-1", .approved(part))]), try Self.record("mine"), LookupPlan(everyMilliseconds: 1),
            now: 20_000, holders: [], rivals: [try Self.record("r-1", 200)])
        #expect(proof == .something)
    }
}
