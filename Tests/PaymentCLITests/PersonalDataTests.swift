import Foundation
import PaymentBase
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
