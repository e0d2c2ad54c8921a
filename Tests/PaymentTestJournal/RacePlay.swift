internal import Dispatch
internal import PaymentBase
internal import PaymentJournalKit
package import PaymentModel
internal import PaymentTestPipes

/// Several processes on one journal, against one provider that lives here.
public struct RacePlay: Sendable {
    private let provider = LedgerProvider()
    private let processes: Int
    private let callers: Int

    /// A race of so many processes, each of which makes so many attempts at once.
    public init(processes: Int, callers: Int) { (self.processes, self.callers) = (processes, callers) }

    /// Serves one child until it is done; kills it after so many of its requests, whose replies are lost.
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
            let isStarted = DedicatedThread.start { [self] in
                let tally = serve(child, killedAt: index == victim ? requests : nil)
                tallies.withLock { $0[index] = tally }
                group.leave()
            }
            if !isStarted { group.leave() }
        }
        group.wait()
        return tallies.withLock { $0 }
    }

    /// Races; one process may be killed in it. Gives what each has to say, nil for the one that was killed.
    ///
    /// - Throws: `JournalViolation` where the books don't agree afterwards.
    public func play(_ place: StorePlace, killing victim: Int?) async throws -> [String?] {
        let plan = RacePlan(processes: processes)
        let store = try await place.open("parent")
        let desk = JournalTestWriter(store.journal, name: "parent")
        for paid in RacePlan.paid {
            try await desk.done(
                try JournalTestWriter.intent(paid, .sale, RacePlan.price),
                provider.execute(paid, Money(minorUnits: RacePlan.price, .eur)), names: ["at-\(paid)"])
        }
        let children = try (0..<processes).map { index in
            try Child(
                "journal-child", ["race", place.word, "child-\(index)", "\(index)", "\(processes)", "\(callers)"])
        }
        let tallies = serve(children, killing: victim, after: 60)
        if let victim { try await store.awaitDeath("child-\(victim)") }
        let after = JournalTestClient(store.journal, owner: "parent", store.journal.processes, at: 60_000)
        let left = try await after.recover { provider.found($0.attempt.text) }
        let found = try await provider.contradictions(store.journal) + store.problems()
        try require(left.isEmpty && found.isEmpty, "\(left) is left, and \(found)")
        // Journal and ledger, compared.
        for paid in RacePlan.paid {
            let family = try await desk.family(paid)
            let back = family.filter { $0.intent.operation == .refund && $0.state == .approved }
            try require(Int64(back.count) * RacePlan.back <= RacePlan.price, "\(paid) was refunded \(back.count) times")
            // Enough of them were tried that all that fits is refunded.
            if victim == nil { try require(back.count == 2, "\(paid) was refunded \(back.count) times") }
        }
        let missing = plan.sales.filter { provider.count($0) != 1 }
        // Only what the dead one alone was to make may be missing; nothing was made twice.
        let own = victim.map { ["sale-\($0)-", "sale-\(($0 + 1) % processes)-"] } ?? []
        let strange = missing.filter { name in provider.count(name) > 0 || !own.contains { name.hasPrefix($0) } }
        try require(strange.isEmpty, "done otherwise than once: \(strange)")
        await store.close()
        for (index, tally) in tallies.enumerated() {
            print("\(processes) processes, number \(index): \(tally ?? "killed")")
        }
        return tallies
    }

    /// What a tally says that no process in a race without deaths has to say.
    public static func strange(_ tally: String?) -> [String] {
        let counts = (tally ?? "killed").split(separator: ";").map { $0.split(separator: "=").map(String.init) }
        let hasAll = counts.contains(["sale approved", "\(RacePlan.salesEach)"])
        let known = ["sale approved", "refund approved", "refund exceeds"]
        return counts.map { $0[0] }.filter { !known.contains($0) } + (hasAll ? [] : ["not all sales"])
    }
}

/// What several processes on one journal attempt: every sale by two of them, and refunds that can't all be had.
package struct RacePlan: Sendable {
    /// What each process attempts, refunds not counted.
    package static let salesEach = 500
    /// How many payments there are to be refunded.
    package static let paidCount = 20
    /// How many refunds of each of them a process tries.
    private static let refundsEach = 2
    /// What a sale costs, and what a refund refunds; two of them fit into a price.
    package static let (price, back): (Int64, Int64) = (5_000, 2_400)

    package let processes: Int

    /// A race of so many processes.
    package init(processes: Int) { self.processes = processes }

    /// Every sale that is attempted.
    package var sales: [String] { (0..<processes).flatMap { block($0) } }

    /// The payments that are there before the race.
    package static let paid = (0..<paidCount).map { "paid-\($0)" }

    /// What one process attempts: its own block of sales, its neighbour's, and refunds, well mixed.
    package func calls(of index: Int) throws -> [Attempt.Intent] {
        var calls = try (block(index) + block((index + 1) % processes)).map {
            try JournalTestWriter.intent($0, .sale, Self.price)
        }
        for paid in Self.paid {
            for number in 0..<Self.refundsEach {
                calls.append(
                    try JournalTestWriter.intent("back-\(index)-\(number)-\(paid)", .refund, Self.back, of: paid))
            }
        }
        let random = SeededRandom(seed: UInt64(index + 1))
        for place in calls.indices.reversed() { calls.swapAt(place, Int(random.next() % UInt64(place + 1))) }
        return calls
    }

    private func block(_ index: Int) -> [String] { (0..<Self.salesEach / 2).map { "sale-\(index)-\($0)" } }
}
