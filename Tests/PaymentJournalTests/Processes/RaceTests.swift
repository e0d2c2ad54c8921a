import Dispatch
import Foundation
import PaymentAbstraction
import PaymentBase
import PaymentJournal
import PaymentSandbox
import PaymentTestPipes
import PaymentTestTill
import Testing

/// Several processes on one file, against one provider that lives here.
@Suite(.serialized) struct RaceTests {
    private let backend = MemoryBackend(clock: SystemClock())

    /// A client of this process over the file, now or later.
    private func client(
        _ journal: SQLiteJournal, _ path: String, _ owner: String, later milliseconds: Int64 = 0
    ) throws -> PaymentClient {
        var given = ClientDependencies(journal: journal)
        (given.clock, given.owner) = (LaterClock(milliseconds: milliseconds), owner)
        given.owners = try ProcessLocks(besideJournal: path, owner: owner)
        return try PaymentClient(Till().driver(InProcessTransport([Till.origin: backend])), given)
    }

    /// Serves all children until they are done; kills one after so many of its requests, unheard.
    private func serve(_ children: [Child], killing victim: Int?, after requests: Int) -> [RaceTally?] {
        let tallies = Locked([RaceTally?](repeating: nil, count: children.count))
        let group = DispatchGroup()
        for (index, child) in children.enumerated() {
            // A thread each: one child may wait for what another has under way.
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

    private func serve(_ child: Child, killedAt last: Int?) -> RaceTally? {
        defer { child.kill() }
        var count = 0
        while let message = try? child.channel.receive() {
            switch message {
            case .request(let request):
                count += 1
                let answer = try? SchedulerJournal.wait { [backend] in await backend.answer(request) }
                if count == last { return nil }
                guard case .reply(let response) = answer, (try? child.channel.send(.reply(response))) != nil else {
                    return nil
                }
            case .done(let text):
                child.wait()
                return try? RaceTally(text)
            case .step, .proceed, .reply, .cut: return nil
            }
        }
        return nil
    }

    private func race(_ processes: Int, killing victim: Int?) throws -> (tallies: [RaceTally?], books: Books) {
        let folder = try Folder()
        let (path, plan) = (folder.file(), RacePlan(processes: processes))
        let opened = try SQLiteJournal.onStage(path)
        let before = try client(opened.journal, path, "before")
        try SchedulerJournal.wait {
            for paid in try RacePlan.paid() {
                _ = try await before.sale(
                    RacePlan.price, from: Cards.good(), reference: "order-\(paid)", attempt: paid)
            }
        }
        let children = try (0..<processes).map { index in
            try Child("journal-child", ["race", path, "child-\(index)", "\(index)", "\(processes)"])
        }
        let tallies = serve(children, killing: victim, after: 60)
        let after = try client(opened.journal, path, "after", later: 60_000)
        let left = try SchedulerJournal.wait { try await after.recover() }
        #expect(left == [])
        let books = try Books(opened.journal, backend, plan)
        opened.close()
        for (index, tally) in tallies.enumerated() {
            guard let tally else { continue }
            let (longest, p99) = tally.slowest
            print(
                "\(processes) processes, number \(index): \(tally.waits.count) journal calls, "
                    + "longest \(longest) µs, p99 \(p99) µs; \(tally.counts.sorted { $0.key < $1.key })")
        }
        return (tallies, books)
    }

    /// Journal and ledger, compared.
    private struct Books {
        var notOnce: [String] = []
        var overRefunded: [String] = []
        var different: [String] = []
        /// Attempts whose record and whose movements don't tell the same story.
        var contradictory: [String] = []
        let isBalanced: Bool

        init(_ journal: SQLiteJournal, _ backend: MemoryBackend, _ plan: RacePlan) throws {
            let ledger = backend.ledger
            let moves = Dictionary(grouping: ledger.movements, by: \.attempt)
            isBalanced = ledger.isBalanced
            for sale in try plan.sales() where moves[sale.text]?.count != 1 {
                notOnce.append("\(sale): \(moves[sale.text]?.count ?? 0)")
            }
            for sale in try plan.sales() {
                let record = try SchedulerJournal.wait { try await journal.records(.attempt(sale)).first }
                if record?.approval?.amount != RacePlan.price { different.append("\(sale)") }
            }
            for paid in try RacePlan.paid() {
                let family = try SchedulerJournal.wait { try await journal.records(.payment(PaymentID(paid))) }
                let recorded = family.filter { $0.intent.operation == .refund }
                    .reduce(Int64(0)) { $0 + ($1.approval?.amount.minorUnits ?? 0) }
                let moved = family.flatMap { moves[$0.intent.attempt.text] ?? [] }.filter { $0.cause == "refund" }
                    .reduce(Int64(0)) { $0 + $1.amount.minorUnits }
                if recorded != moved { different.append("\(paid): journal \(recorded), ledger \(moved)") }
                if moved > RacePlan.price.minorUnits { overRefunded.append("\(paid): \(moved)") }
                // Enough of them were tried that all that fits is given back.
                if moved != 2 * RacePlan.back.minorUnits { different.append("\(paid): only \(moved)") }
            }
            contradictory = try Self.contradictions(journal, ledger)
        }

        /// Every record beside the ledger, and every movement beside the journal.
        private static func contradictions(_ journal: SQLiteJournal, _ ledger: Ledger) throws -> [String] {
            let moves = Dictionary(grouping: ledger.movements, by: \.attempt)
            let families = try SchedulerJournal.wait {
                var families: [[AttemptRecord]] = []
                for origin in try await journal.records(.page(after: nil, limit: .max)) {
                    families.append(try await journal.records(.payment(origin.intent.paymentID)))
                }
                return families
            }
            var found: [String] = []
            var known: Set<String> = []
            for family in families {
                let reference = family.first?.approval?.references["payment"]
                for record in family {
                    known.insert(record.intent.attempt.text)
                    let said = record.approval.map { approval in
                        [
                            record.intent.operation.rawValue, "\(approval.amount.minorUnits)",
                            approval.amount.currency.code, reference ?? "no reference",
                        ]
                    }
                    let done = (moves[record.intent.attempt.text] ?? []).map { move in
                        [move.cause, "\(move.amount.minorUnits)", move.amount.currency, move.payment]
                    }
                    let isSettled =
                        !record.isUndecided
                        && record.approval?.amount ?? record.intent.amount
                            == record.intent.amount
                    if done != (said.map { [$0] } ?? []) || !isSettled {
                        found.append("\(record.intent.attempt) is \(record.state), and moved \(done)")
                    }
                }
            }
            return found + Set(moves.keys).subtracting(known).map { "\($0) is not in the journal" }
        }
    }

    @Test(arguments: [2, 4]) func everyAttemptIsDoneOnceWhoeverMakesIt(_ processes: Int) throws {
        let (tallies, books) = try race(processes, killing: nil)
        for tally in tallies {
            let counts = try #require(tally).counts
            #expect(counts["sale approved"] == RacePlan.salesEach)
            #expect(Set(counts.keys).subtracting(["sale approved", "refund approved", "exceeds nothingMoved"]) == [])
        }
        #expect(books.notOnce == [])
        #expect(books.overRefunded == [])
        #expect(books.different == [])
        #expect(books.contradictory == [])
        #expect(books.isBalanced)
    }

    @Test func whenOneOfFourDiesTheOthersTakeOver() throws {
        let (tallies, books) = try race(4, killing: 1)
        #expect(tallies.count { $0 == nil } == 1)
        for tally in tallies.compactMap(\.self) {
            let strange = tally.counts.keys.filter { !$0.hasSuffix("approved") && !$0.hasPrefix("exceeds") }
            // What the dead one had sent may be unknown for the quiet time, and is never told as anything else.
            #expect(Set(strange).subtracting(["inDoubt unknown", "inDoubt nothingMoved"]) == [])
        }
        #expect(books.notOnce.filter { !$0.hasPrefix("sale-1-") && !$0.hasPrefix("sale-2-") } == [])
        #expect(books.notOnce.filter { !$0.hasSuffix(": 0") } == [])
        #expect(books.overRefunded == [])
        #expect(books.contradictory == [])
        #expect(books.isBalanced)
    }

    @Test func aRefundGoesToWhoeverTookThePayment() throws {
        let folder = try Folder()
        let (a, b) = (MemoryBackend(clock: SystemClock()), MemoryBackend(clock: SystemClock()))
        let path = folder.file()
        let child = try Child("journal-child", ["sale", path, "child", "sold"])
        while case .request(let request)? = try child.channel.receive() {
            guard case .reply(let response) = try SchedulerJournal.wait({ await a.answer(request) }) else { break }
            try child.channel.send(.reply(response))
        }
        #expect(child.wait() == .exited(0))
        let opened = try SQLiteJournal.onStage(path)
        defer { opened.close() }
        var given = ClientDependencies(journal: opened.journal)
        given.owners = try ProcessLocks(besideJournal: path, owner: "parent")
        given.owner = "parent"
        var routing = Routing(active: "other")
        routing.draining = ["memory"]
        let (first, second) = (
            Till().driver(InProcessTransport([Till.origin: a])),
            Till().driver(InProcessTransport([Till.origin: b]), name: "other")
        )
        let client = try PaymentClient(drivers: [first, second], routing: routing, given)
        try SchedulerJournal.wait {
            _ = try await client.refund(PaymentID(try AttemptID("sold")), of: RacePlan.back)
            _ = try await client.sale(RacePlan.price, from: Cards.good(), reference: "next")
        }
        #expect(a.ledger.movements.map(\.cause) == ["sale", "refund"])
        #expect(b.ledger.movements.map(\.cause) == ["sale"])
    }
}
