import Foundation
import MemoryProvider
import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import PaymentTransport
import Testing

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
