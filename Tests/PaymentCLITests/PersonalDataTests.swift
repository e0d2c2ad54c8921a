import Foundation
import PaymentBase
import PaymentJournalKit
import PaymentModel
import PaymentSQLite
import Testing

/// What a journal keeps of a person is what `journal personal` lists, and nothing else.
@Suite struct PersonalDataTests {
    /// How many attempts have each kind of data.
    private static func counts(_ shop: CommandShop) async throws -> [String: Int64] {
        let told = try await shop.json("journal", "personal")
        var counts: [String: Int64] = [:]
        for row in try #require(told["held"]?.array) {
            counts[row["kind"]?.string ?? ""] = row["attempts"]?.int64
        }
        return counts
    }

    @Test func sale_withEverythingAboutACustomer_keepsWhatIsListed() async throws {
        let shop = try CommandShop()
        #expect(try await Self.counts(shop).values.allSatisfy { $0 == 0 })
        let card = #"{"number":"5555555555554444","month":12,"year":2030,"code":"737","holder":"Planted Holder"}"#
        let run = await shop.run(
            "sale", "20", "EUR", "--provider", "ecommpay", "--source", "card", "--card", "-", "--reference", "order-1",
            "--attempt", "s-1", "--customer", "planted-customer", "--email", "planted@example.org", "--phone",
            "+4930123456789", input: card)
        #expect(run.status == 0, "\(run.errors)")
        let counts = try await Self.counts(shop)
        #expect(counts["cardDigits"] == 1 && counts["references"] == 1 && counts["staff"] == 0, "\(counts)")
        let export = await shop.run("journal", "export").text
        let places = [try JournalFiles(shop).text, export]
        for planted in ["5555555555554444", "Planted Holder", "planted@example.org", "4930123456789", "198.51.100"] {
            #expect(places.allSatisfy { !$0.contains(planted) }, "\(planted) is kept")
        }
        #expect(places.allSatisfy { $0.contains("order-1") } && export.contains("4444"))
    }

    /// An adapter notes the beginning of a card before anything is answered.
    @Test func tokenizedCard_isListedWithItsFirstDigits() async throws {
        let shop = try CommandShop(
            configuration: #"""
                {"active": "ecommpay", "journal": {"kind": "sqlite", "path": "state:p.sqlite"},
                  "providers": {"ecommpay": {"adapter": "ecommpay", "environment": "simulated", "merchant": "1234",
                    "settings": {"link": "gate"}}}}
                """#)
        _ = try await shop.json("tokenize", "EUR", "--source", "card", "--customer", "planted-customer")
        let counts = try await Self.counts(shop)
        #expect(counts["cardBeginning"] == 1 && counts["customers"] == 1 && counts["notes"] == 1, "\(counts)")
    }

    /// A message that waits for its payment has a card and a customer in it as well.
    @Test func messageThatWaits_isCountedAndForgotten() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("20", "EUR")
        let names = try FileManager.default.contentsOfDirectory(atPath: shop.state)
        let file = try #require(names.first { $0.hasSuffix(".sqlite") })
        let journal = try await SQLiteJournal.open(path: "\(shop.state)/\(file)", processes: SingleProcess("test"))
        let account = ProviderIdentity("memory", adapter: "memory", environment: "sandbox", merchant: "m-1")
        let verdict = Verdict.approved(Approval(Money(minorUnits: 100, .eur)))
        let notice = Notice("message-1", account, .name("unknown"), [.sale], verdict, at: nil, names: ["unknown"])
        _ = try await journal.write(
            JournalEntry(.notice(notice)), WriteID("message-1"),
            at: Attempt.Instant(wall: 1_700_000_000_000, uptime: 0))
        await journal.close()
        #expect(try await shop.json("journal", "personal")["messages"]?.int64 == 1)
        #expect(try await shop.json("journal", "prune", "--before", "2024-01-01")["messages"]?.int64 == 1)
        #expect(try await shop.json("journal", "personal")["messages"]?.int64 == 0)
    }

    @Test func roles_ofASchema_areStatementsForEachRole() async throws {
        let run = await CommandRun.of(["journal", "roles", "--schema", "shop"])
        #expect(run.status == 0)
        #expect(run.text.contains(#"GRANT SELECT, INSERT ON shop.entry TO "shop_till";"#))
        #expect(run.text.contains(#"GRANT DELETE ON shop.entry TO "shop_pruning";"#))
        #expect(!run.text.contains(#"GRANT DELETE ON shop.entry TO "shop_till";"#))
        let refused = await CommandRun.of(["journal", "roles", "--schema", "x; DROP TABLE entry"])
        #expect(refused.status == 2)
    }
}
