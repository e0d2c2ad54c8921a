import AllProviders
import Foundation
import MemoryProvider
import PaymentCore
import PaymentProviderKit
import PaymentSQLite
import PaymentSimulator
import Payments
import Testing

/// A client with the journal that a phone has: what it took is known after the application was started again.
@Suite struct AloneTests {
    private func open(
        _ backend: MemoryBackend, _ journal: JournalStore
    ) async throws -> PaymentClient {
        let text = """
            { "active": "till", "journal": { "kind": "sqlite", "path": "state:journal.sqlite" }, "providers": { "till": {
              "adapter": "memory", "environment": "sandbox", "merchant": "m-1" } } }
            """
        let configuration = try ConfigurationReader(.builtin).read(Array(text.utf8), file: "providers.json")
        return try await PaymentClient.open(configuration: configuration) {
            $0.journal = journal
            $0.transport = InProcessTransport([Origin(.http, "memory.sandbox"): backend])
        }
    }

    private func close(_ store: JournalStore) async throws {
        await (try #require(store.journal as? SQLiteJournal)).close()
    }

    @Test func sale_applicationStartedAgain_isKnownAndNotChargedAgain() async throws {
        let folder = try Folder()
        let backend = MemoryBackend(clock: SystemClock())
        let card = try KeyedCard(number: "4111111111111111", expiryMonth: 12, expiryYear: 30, securityCode: "737")
        let first = try await Journals.openAlone(folder.path + "/journal.sqlite")
        let before = try await open(backend, first)
        let attempt = try await before.newAttempt()
        let sale = try await before.sale(
            Money("10.00", .eur), from: .card(card), reference: "order-1", attempt: attempt)
        let id = try #require(sale.payment?.id)
        try await close(first)

        let second = try await Journals.openAlone(folder.path + "/journal.sqlite")
        let after = try await open(backend, second)
        #expect(try await after.status(attempt).payment?.id == id)
        let again = await #expect(throws: PaymentError.self) {
            try await after.sale(Money("10.00", .eur), from: .card(card), reference: "order-1")
        }
        #expect(again?.outcome == .notExecuted)
        let same = try await after.sale(
            Money("10.00", .eur), from: .card(card), reference: "order-1", attempt: attempt)
        #expect(same.payment?.id == id)
        #expect(backend.ledger.balance(.merchant)["EUR"] == 1_000)
        _ = try await after.refund(id, of: Money("4.00", .eur))
        #expect(backend.ledger.balance(.merchant)["EUR"] == 600)
        try await close(second)
    }

    @Test func secondClient_onTheJournalOfTheFirst_takesThePayments() async throws {
        let folder = try Folder()
        let backend = MemoryBackend(clock: SystemClock())
        let card = try KeyedCard(number: "4111111111111111", expiryMonth: 12, expiryYear: 30, securityCode: "737")
        let stores = [
            try await Journals.openAlone(folder.path + "/journal.sqlite"),
            try await Journals.openAlone(folder.path + "/journal.sqlite"),
        ]
        let (older, newer) = (try await open(backend, stores[0]), try await open(backend, stores[1]))
        let refused = await #expect(throws: PaymentError.self) {
            try await older.sale(Money("10.00", .eur), from: .card(card), reference: "order-1")
        }
        #expect(refused?.code == .journal && refused?.outcome == .notExecuted)
        _ = try await newer.sale(Money("10.00", .eur), from: .card(card), reference: "order-1")
        #expect(backend.ledger.balance(.merchant)["EUR"] == 1_000)
        for store in stores { try await close(store) }
    }
}
