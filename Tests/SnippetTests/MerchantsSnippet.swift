import AllProviders
import MemoryProvider
import PaymentBase
import PaymentCore
import PaymentModel
import PaymentProviderKit
import PaymentSimulator
import PaymentTransport
import Payments
import Testing

/// The guide on many merchants: its code, and what it promises.
@Suite struct MerchantsSnippet {
    actor Merchants {
        private let journal: JournalStore
        private var clients: [String: PaymentClient] = [:]

        init(_ journal: JournalStore) { self.journal = journal }

        func add(_ name: String, _ settings: [UInt8]) async throws {
            let read = try ConfigurationReader(.builtin).read(settings, file: "the settings of \(name)")
            clients[name] = try await PaymentClient.open(configuration: read) { [journal] in
                $0.journal = journal
                $0.scope = name
            }
        }

        func client(of name: String) -> PaymentClient? { clients[name] }

        func remove(_ name: String) async throws { try await clients.removeValue(forKey: name)?.flush() }
    }

    private static func settings(_ merchant: String) -> [UInt8] {
        Array(
            """
            { "active": "till", "journal": { "kind": "memory" }, "providers": { "till": {
              "adapter": "memory", "environment": "sandbox", "merchant": "\(merchant)" } } }
            """.utf8)
    }

    /// As `add` of the guide does it, over a simulated provider.
    private static func client(
        _ name: String, _ journal: JournalStore, _ backend: MemoryBackend
    ) async throws -> PaymentClient {
        let read = try ConfigurationReader(.builtin).read(settings(name), file: name)
        return try await PaymentClient.open(configuration: read) {
            $0.journal = journal
            $0.scope = name
            $0.transport = InProcessTransport([Origin(.http, "memory.sandbox"): backend])
        }
    }

    private static let card = Result {
        try KeyedCard(number: "4111111111111111", expiryMonth: 12, expiryYear: 30, securityCode: "737")
    }

    private static func sell(_ client: PaymentClient, _ reference: String) async throws -> PaymentID {
        let sale = try await client.sale(Money("1.00", .eur), from: .card(card.get()), reference: reference)
        return try #require(sale.payment?.id)
    }

    @Test func settings_thatAreWrong_stopTheirMerchantAlone() async throws {
        let merchants = Merchants(.memory)
        try await merchants.add("one", Self.settings("m-1"))
        let error = await #expect(throws: PaymentError.self) {
            try await merchants.add("two", Array("{ \"active\": 1 }".utf8))
        }
        #expect(error?.code == .configuration && error?.detail.contains("the settings of two") == true)
        #expect(await merchants.client(of: "one") != nil)
        #expect(await merchants.client(of: "two") == nil)
        try await merchants.remove("one")
        #expect(await merchants.client(of: "one") == nil)
    }

    /// A hundred merchants sell under the same reference while others come and go: each is charged once, and sees its own alone.
    @Test func merchants_ofOneJournal_sellUnderTheSameReference_andSeeTheirOwnAlone() async throws {
        let (journal, backend) = (JournalStore.memory, MemoryBackend(clock: SystemClock()))
        let ids = try await withThrowingTaskGroup(of: (String, PaymentID).self) { group in
            for number in 0..<100 {
                group.addTask {
                    let name = "merchant-\(number)"
                    return (name, try await Self.sell(try await Self.client(name, journal, backend), "order-1"))
                }
            }
            return try await group.reduce(into: [String: PaymentID]()) { $0[$1.0] = $1.1 }
        }
        #expect(ids.count == 100 && Set(ids.values).count == 100)
        #expect(backend.ledger.balance(.merchant)["EUR"] == 10_000)
        let again = try await Self.client("merchant-7", journal, backend)
        #expect(try await again.payments(reference: "order-1").map(\.id) == [try #require(ids["merchant-7"])])
        await #expect(throws: PaymentError.self) {
            _ = try await again.payment(try #require(ids["merchant-8"]))
        }
        let twice = await #expect(throws: PaymentError.self) { _ = try await Self.sell(again, "order-1") }
        #expect(twice?.code == .referenceInUse)
        #expect(backend.ledger.balance(.merchant)["EUR"] == 10_000)
    }
}
