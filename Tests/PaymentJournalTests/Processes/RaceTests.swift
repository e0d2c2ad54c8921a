import Dispatch
import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentJournal
import PaymentTestPipes
import Testing

/// Several processes on one file, against one provider that lives here.
@Suite(.serialized) struct RaceTests {
    private let provider = LedgerProvider()

    /// Serves one child until it is done; kills it after so many of its requests, unheard.
    private func serve(_ child: Child, killedAt last: Int?) -> String? {
        defer { child.kill() }
        var count = 0
        while let message = try? child.channel.receive() {
            switch message {
            case .step(let name, let units):
                count += 1
                provider.execute(name, Money(minorUnits: units, .eur))
                if count == last { return nil }
                guard (try? child.channel.send(.proceed)) != nil else { return nil }
            case .done(let text):
                child.wait()
                return text
            case .proceed, .reply, .cut, .request: return nil
            }
        }
        return nil
    }

    /// Serves all children, a thread each: one may wait for what another has under way.
    private func serve(_ children: [Child], killing victim: Int?, after requests: Int) -> [String?] {
        let tallies = Locked([String?](repeating: nil, count: children.count))
        let group = DispatchGroup()
        for (index, child) in children.enumerated() {
            group.enter()
            let isStarted = OwnThread.start { [self] in
                let tally = serve(child, killedAt: index == victim ? requests : nil)
                tallies.withLock { $0[index] = tally }
                group.leave()
            }
            if !isStarted { group.leave() }
        }
        group.wait()
        return tallies.withLock { $0 }
    }

    private func race(_ processes: Int, killing victim: Int?) async throws -> [String?] {
        let folder = try Folder()
        let (path, plan) = (folder.file(), RacePlan(processes: processes))
        let locks = try ProcessLocks(besideJournal: path, owner: "parent")
        let journal = try await SQLiteJournal.open(path: path)
        let desk = JournalDesk(journal, name: "parent")
        for paid in RacePlan.paid {
            try await desk.done(
                try JournalDesk.intent(paid, .sale, RacePlan.price),
                provider.execute(paid, Money(minorUnits: RacePlan.price, .eur)), names: ["at-\(paid)"])
        }
        let children = try (0..<processes).map { index in
            try Child("journal-child", ["race", path, "child-\(index)", "\(index)", "\(processes)"])
        }
        let tallies = serve(children, killing: victim, after: 60)
        let after = JournalTill(journal, owner: "parent", locks, at: 60_000)
        #expect(try await after.recover { provider.found($0.attempt.text) } == [])
        #expect(try await provider.contradictions(journal) == [])
        // Journal and ledger, compared.
        for paid in RacePlan.paid {
            let family = try await journal.family(try JournalDesk.key(paid))
            let back = family.filter { $0.intent.operation == .refund && $0.hasMoved }
            #expect(Int64(back.count) * RacePlan.back <= RacePlan.price, "\(paid)")
            // Enough of them were tried that all that fits is given back.
            if victim == nil { #expect(back.count == 2, "\(paid)") }
        }
        let missing = plan.sales.filter { provider.count($0) != 1 }
        // Only what the dead one alone was to make may be missing; nothing was made twice.
        #expect(missing.allSatisfy { provider.count($0) == 0 })
        let own = victim.map { ["sale-\($0)-", "sale-\(($0 + 1) % processes)-"] } ?? []
        #expect(missing.filter { name in !own.contains { name.hasPrefix($0) } } == [])
        #expect(try await journal.check().problems == [])
        await journal.close()
        for (index, tally) in tallies.enumerated() {
            print("\(processes) processes, number \(index): \(tally ?? "killed")")
        }
        return tallies
    }

    @Test(arguments: [2, 4]) func everyAttemptIsDoneOnceWhoeverMakesIt(_ processes: Int) async throws {
        for tally in try await race(processes, killing: nil) {
            let counts = try #require(tally).split(separator: ";").map { $0.split(separator: "=") }
            #expect(counts.contains { $0[0] == "sale approved" && $0[1] == "\(RacePlan.salesEach)" })
            let strange = Set(counts.map { String($0[0]) })
                .subtracting(["sale approved", "refund approved", "refund exceeds"])
            #expect(strange == [])
        }
    }

    @Test func whenOneOfFourDiesTheOthersTakeOver() async throws {
        let tallies = try await race(4, killing: 1)
        #expect(tallies.count { $0 == nil } == 1)
    }
}
