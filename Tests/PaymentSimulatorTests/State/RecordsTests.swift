import PaymentBase
import Testing

@testable import PaymentSimulator

/// What simulated providers keep by name and by time: the order of what becomes due, and what it costs.
@Suite struct RecordsTests {
    private struct Item: Recorded, Equatable {
        var name = ""
        var customer = ""
        var due: Int64?

        var recordName: String { name }
        var otherNames: [String] { [customer] }
        var dueAt: Int64? { due }

        static let members: [PersistedField<Self>] = [
            .init("name", \.name), .init("customer", \.customer), .init("due", \.due),
        ]
    }

    /// Takes everything that is due by a moment, as a provider does: what was taken is not due any more.
    private static func drain(_ records: inout Records<Item>, by now: Int64 = .max) -> [String] {
        var names: [String] = []
        while let (value, at) = records.takeDue(by: now) {
            #expect(value.due == at && at <= now)
            names.append(value.name)
            var done = value
            done.due = nil
            records.keep(done)
        }
        return names
    }

    @Test(arguments: [UInt64(1), 7, 2_024])
    func whatIsDueComesInOrderOfTimeAlsoAfterARestart(seed: UInt64) throws {
        let random = SeededRandom(seed: seed)
        func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        var records = Records<Item>()
        for number in 0..<500 {
            records.keep(Item(name: "i-\(number)", customer: "c", due: Int64(draw(100))))
        }
        // Some are put off or brought forward, some are not due any more.
        for _ in 0..<300 {
            records["i-\(draw(500))"]?.due = draw(2) == 0 ? Int64(draw(100)) : nil
        }
        let waiting = records.oldestFirst.filter { $0.due != nil }
        // The oldest comes first among those of one moment.
        let expected = waiting.enumerated()
            .sorted { ($0.element.due ?? 0, $0.offset) < ($1.element.due ?? 0, $1.offset) }
        var restored = try #require(Records<Item>(kept: records.kept))
        #expect(records.nextDue() == expected.first?.element.due && restored.nextDue() == records.nextDue())
        var taken = Self.drain(&records, by: 50)
        #expect(taken == expected.filter { $0.element.due ?? 0 <= 50 }.map(\.element.name), "seed \(seed)")
        taken += Self.drain(&records)
        #expect(taken == expected.map(\.element.name) && Self.drain(&restored) == taken, "seed \(seed)")
        #expect(records.nextDue() == nil && records.kept == restored.kept)
    }

    @Test func whatIsDueCostsStepsByTheLogarithmOfItsNumber() {
        func steps(_ count: Int) -> Int {
            var records = Records<Item>()
            for number in 0..<count { records.keep(Item(name: "i-\(number)", due: Int64(number * 7_919 % count))) }
            let counter = Locked(0)
            StoreVisits.$counter.withValue(counter) {
                _ = records.takeDue(by: 0)
                records.keep(Item(name: "more", due: 0))
            }
            return counter.withLock { $0 }
        }
        // Twenty doublings: two steps more for each at most, one on the way in and one on the way out.
        #expect(steps(1 << 6) < 24 && steps(1 << 16) - steps(1 << 6) <= 20)
    }

    @Test func whatWasTakenOutIsNotFoundAndComesBackOnce() {
        var records = Records<Item>()
        for name in ["a", "b", "c"] { records.keep(Item(name: name, customer: "x")) }
        records["b"] = nil
        #expect(records.named("x").map(\.name) == ["a", "c"] && records.count(named: "x") == 2 && records.count == 2)
        records.keep(Item(name: "b", customer: "x", due: 5))
        #expect(records.named("x").map(\.name) == ["a", "c", "b"] && records.count(named: nil) == 3)
        #expect(records.page(0, 10, oldestFirst: true).map(\.name) == ["a", "b", "c"])
        #expect(Self.drain(&records) == ["b"])
    }

    @Test func aPageIsLookedAtAndNothingElse() {
        var records = Records<Item>()
        for number in 0..<1_000 { records.keep(Item(name: "i-\(number)", customer: "c-\(number % 2)")) }
        let counter = Locked(0)
        let page = StoreVisits.$counter.withValue(counter) { records.page(10, 5, named: "c-1") }
        #expect(page.map(\.name) == ["i-979", "i-977", "i-975", "i-973", "i-971"])
        #expect(counter.withLock { $0 } == 5)
        #expect(records.page(998, 5).map(\.name) == ["i-1", "i-0"] && records.page(5_000, 5).isEmpty)
        #expect(records.page(-3, 2, oldestFirst: true).map(\.name) == ["i-0", "i-1"])
    }

    @Test func whatHasEndedIsForgottenAFewAtATime() {
        var lapses = ExpiringTokens<Int64>()
        for number in 0..<1_000 { lapses["t-\(number)"] = Int64(number) }
        let counter = Locked(0)
        StoreVisits.$counter.withValue(counter) { lapses.prune(500) }
        #expect(counter.withLock { $0 } == ExpiringTokens<Int64>.looksMax && (996..<1_000).contains(lapses.count))
        #expect(lapses.current("t-500", at: 500) == nil && lapses.current("t-501", at: 500) == 501)
        // Requests that each add one: what has ended doesn't pile up.
        for number in 1_000..<2_000 {
            lapses.prune(Int64(number))
            lapses["t-\(number)"] = Int64(number) + 100
        }
        #expect(lapses.count < 200 && lapses.names.contains("t-1999"))
        lapses["t-1999"] = nil
        lapses["t-1999"] = 5_000
        for _ in 0..<1_000 { lapses.prune(4_000) }
        #expect(lapses.names == ["t-1999"])
        for _ in 0..<3 { lapses.prune(6_000) }
        #expect(lapses.names.isEmpty)
    }

    @Test(arguments: [
        #"{}"#, #"[{"name":"a"}]"#, #"[{"name":1,"customer":"c","due":null}]"#,
        #"[{"name":"a","customer":"c","due":"x"}]"#, #"[[]]"#,
    ])
    func whatIsNoRecordIsNotRead(text: String) throws {
        #expect(Records<Item>(kept: try JSONReader().read(Array(text.utf8))) == nil)
    }
}
