import Foundation
import MemoryProvider
import PaymentBase
import PaymentCore
import PaymentTestTill
import PaymentTransport
import Testing

@testable import PaymentSimulator

@Suite struct StateFileTests {
    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appending(path: "state.json").path)
    }

    private func client(_ sandbox: SimulatedProviders, _ journal: JournalStore) throws -> PaymentClient {
        let configuration = MemoryConfiguration(
            endpoint: SimulatedProviders.origin(of: "memory"), secret: Secret("memory-client-secret"))
        var dependencies = ClientOptions(journal: journal)
        dependencies.clock = sandbox.clock
        return try PaymentClient(MemoryDriver(configuration, sandbox.transport), dependencies)
    }

    @Test func twoRunsMeetTheSameProvider() async throws {
        try await inFolder { path in
            let journal = JournalStore.memory
            let first = try SimulatedProviders(stateFile: path) { [MemoryBackend(clock: $0)] }
            let card = try Cards.good()
            let sale = try await client(first, journal).sale(.cents(5_000), from: card, reference: "o1")
            let id = try #require(sale.payment?.id)
            let pending = try await client(first, journal).sale(.cents(3_015), from: card, reference: "o2")
            guard case .pending = pending else {
                Issue.record("\(pending)")
                return
            }
            let advance: JSON = ["milliseconds": 60_000]
            let request = HTTPRequest(
                "POST", SimulatedProviders.controlOrigin, "/clock/advance",
                headers: ["Content-Type": "application/json"],
                body: advance.bytes())
            #expect(try await first.transport.send(request).status == 200)
            let second = try SimulatedProviders(stateFile: path) { [MemoryBackend(clock: $0)] }
            let kept = try #require(second["memory"] as? MemoryBackend)
            let before = try #require(first["memory"] as? MemoryBackend)
            #expect(kept.snapshot() == before.snapshot())
            #expect(kept.ledger == before.ledger && kept.ledger.movements.count == 1)
            #expect(try await client(second, journal).refund(id, of: .cents(1_500)).payment != nil)
            #expect(kept.ledger.balance(.merchant) == ["EUR": 3_500])
            let third = try SimulatedProviders(stateFile: path) { [MemoryBackend(clock: $0)] }
            #expect(third["memory"]?.ledger == kept.ledger)
            #expect(third.clock.offset == 60_000)
            let cards: JSON = ["cards": ["4111111111111111": "51"]]
            let put = HTTPRequest(
                "PUT", SimulatedProviders.controlOrigin, "/cards/memory", headers: ["Content-Type": "application/json"],
                body: cards.bytes())
            #expect(try await third.transport.send(put).status == 200)
            let fourth = try SimulatedProviders(stateFile: path) { [MemoryBackend(clock: $0)] }
            #expect((fourth["memory"] as? MemoryBackend)?.cards == ["4111111111111111": "51"])
            #expect(
                try await fourth.transport.send(HTTPRequest("POST", SimulatedProviders.controlOrigin, "/reset")).status
                    == 204)
            let fifth = try SimulatedProviders(stateFile: path) { [MemoryBackend(clock: $0)] }
            #expect(fifth["memory"]?.ledger.movements.isEmpty == true)
        }
    }

    @Test(arguments: [
        "", "{", "[]", #"{"version":2}"#, #"{"version":1,"providers":{"memory":{}}}"#,
        #"{"version":1,"companies":{"memory":{}}}"#,
    ])
    func aFileThatIsNoStateIsNamed(text: String) async throws {
        try await inFolder { path in
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            #expect(throws: SimulatorError.self) {
                try SimulatedProviders(stateFile: path) { [MemoryBackend(clock: $0)] }
            }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
    }

    /// A file of before has another name for the providers.
    @Test func anOlderFileIsRead() async throws {
        try await inFolder { path in
            let first = try SimulatedProviders(stateFile: path) { [MemoryBackend(clock: $0)] }
            _ = try await client(first, .memory).sale(.cents(5_000), from: Cards.good(), reference: "o1")
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.contains("\"providers\":{"))
            let older = text.replacing("\"providers\":{", with: "\"companies\":{")
            try older.write(toFile: path, atomically: true, encoding: .utf8)
            let second = try SimulatedProviders(stateFile: path) { [MemoryBackend(clock: $0)] }
            #expect(second["memory"]?.ledger.movements.count == 1)
        }
    }

    @Test func aStateThatCanNotBeWrittenIsSaid() async throws {
        try await inFolder { path in
            let sandbox = try SimulatedProviders(stateFile: path + "/nowhere/state.json") { [MemoryBackend(clock: $0)] }
            let body: JSON = ["secret": "memory-client-secret"]
            let request = HTTPRequest(
                "POST", SimulatedProviders.origin(of: "memory"), "/token",
                headers: ["Content-Type": "application/json"],
                body: body.bytes())
            let response = try await sandbox.transport.send(request)
            #expect(response.status == 500 && String(decoding: response.body, as: UTF8.self).contains("sandboxState"))
        }
    }

    @Test func anImbalanceIsLoud() async throws {
        let sandbox = try SimulatedProviders { _ in [CrookedProvider()] }
        let request = HTTPRequest("GET", SimulatedProviders.origin(of: "crooked"), "/")
        let response = try await sandbox.transport.send(request)
        #expect(response.status == 500 && response.headers[FaultInjector.imbalanceHeader] == "unbalanced")
        #expect(String(decoding: response.body, as: UTF8.self).contains("THE BOOKS DON'T BALANCE"))
        let books = HTTPRequest("GET", SimulatedProviders.controlOrigin, "/providers")
        let seen = try JSONReader().read(try await sandbox.transport.send(books).body)["providers"]?[0]
        #expect(seen?["isBalanced"] == false && seen?["problem"]?.string?.contains("giveaway") == true)
    }
}

/// A provider that gives away what the merchant doesn't have.
private final class CrookedProvider: SimulatedProvider {
    private let books = Locked(Ledger())
    let name = "crooked"
    let members = ReplyFields(amounts: [], currencies: [], references: [], words: [])
    var ledger: Ledger { books.withLock { $0 } }

    func refusal(_ refusal: SimulatorRefusal) -> HTTPResponse { HTTPResponse(refusal.status) }
    func reset() { books.withLock { $0 = Ledger() } }

    func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        books.withLock { books in
            books.move(
                LedgerAmount(1, "EUR"), from: .merchant, to: .cardholder, payment: "p", attempt: "a",
                cause: "giveaway", at: 0)
        }
        return .empty()
    }
}

/// State files that another person has prepared.
@Suite struct PlantedStateTests {
    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.path)
    }

    @Test func aPlantedLinkIsNotWrittenThrough() async throws {
        try await inFolder { folder in
            let (path, victim) = ("\(folder)/state.json", "\(folder)/victim")
            try Data("mine".utf8).write(to: URL(filePath: victim))
            try FileManager.default.createSymbolicLink(atPath: path + ".new", withDestinationPath: victim)
            let sandbox = try SimulatedProviders(stateFile: path) { [MemoryBackend(clock: $0)] }
            sandbox.save()
            #expect(try String(contentsOf: URL(filePath: victim), encoding: .utf8) == "mine")
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func aStateThatOthersMayWriteIsRefused() async throws {
        try await inFolder { folder in
            let path = "\(folder)/state.json"
            try SimulatedProviders(stateFile: path) { [MemoryBackend(clock: $0)] }.save()
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
            #expect(throws: SimulatorError.self) {
                try SimulatedProviders(stateFile: path) { [MemoryBackend(clock: $0)] }
            }
        }
    }

    @Test func aNumberAtItsEndIsRefusedAndNeverCounted() async throws {
        try await inFolder { folder in
            let path = "\(folder)/state.json"
            for entry in SimulatorRegistry.entries {
                try? FileManager.default.removeItem(atPath: path)
                try SimulatedProviders(stateFile: path) { [entry.open($0)] }.save()
                let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
                for limit in [Int64.max, Int64.max - 1, -1, .min] {
                    let broken = text.replacing(#/"(nextNumber|tokenCount|readerTokenCount)":\d+/#) {
                        "\"\($0.output.1)\":\(limit)"
                    }
                    if broken == text { continue }
                    try Data(broken.utf8).write(to: URL(filePath: path))
                    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
                    #expect(throws: SimulatorError.self, "\(entry.name) \(limit)") {
                        try SimulatedProviders(stateFile: path) { [entry.open($0)] }
                    }
                }
            }
        }
    }
}

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
