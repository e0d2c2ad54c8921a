import PaymentBase
import Testing

/// How a command line names a payment: nobody's money moves because a text fits somebody else's.
@Suite struct NameTests {
    @Test func anEndIsAnEndOnlyBehindAMark() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("10", "EUR", "--attempt", "till-2-order-1001", "--reference", "r1")
        let bare = await shop.run("refund", "order-1001", "5")
        #expect(bare.status == 5, "\(bare.out)")
        #expect(bare.errors.first?.contains("did you mean till-2-order-1001?") == true, "\(bare.errors)")
        #expect(try await shop.json("refund", "…order-1001", "5")["payment"]?.string == "till-2-order-1001")
        #expect(try await shop.json("show", "...order-1001")["payment"]?.string == "till-2-order-1001")
        #expect(await shop.run("show", "…1001").status == 2)
    }

    @Test func anIdThatIsAnothersReferenceIsRefusedUntilOneSaysWhich() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("10", "EUR", "--attempt", "order-5", "--reference", "alpha")
        _ = try await shop.sold("20", "EUR", "--attempt", "zz", "--reference", "order-5")
        for words in [["refund", "order-5", "1"], ["show", "order-5"], ["status", "order-5"], ["void", "order-5"]] {
            let both = await CommandRun.of(words + shop.place)
            #expect(both.status == 5, "\(words): \(both.out)")
            let said = both.errors.joined(separator: "\n")
            for name in ["the id of order-5", "the reference of zz", "id:order-5", "reference:order-5", "payctl list"] {
                #expect(said.contains(name), "\(words): \(said)")
            }
        }
        #expect(try await shop.json("refund", "id:order-5", "1")["payment"]?.string == "order-5")
        #expect(try await shop.json("refund", "reference:order-5", "1")["payment"]?.string == "zz")
        #expect(try await shop.json("show", "zz")["payment"]?.string == "zz")
        // What is called like its own reference is itself.
        _ = try await shop.sold("3", "EUR", "--attempt", "order-6", "--reference", "order-6")
        #expect(try await shop.json("show", "order-6")["payment"]?.string == "order-6")
    }

    @Test func whatFollowedAPaymentIsNoPayment() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("10", "EUR", "--attempt", "p-1")
        _ = try await shop.json("refund", "p-1", "2", "--attempt", "p-2")
        let refund = await shop.run("refund", "p-2", "1")
        #expect(refund.status == 5 && refund.errors.first?.contains("of the payment p-1") == true, "\(refund.errors)")
        #expect(refund.errors.contains { $0.hasPrefix("next") && $0.contains("payctl show p-1") }, "\(refund.errors)")
        #expect(try await shop.json("status", "p-2")["operation"]?.string == "refund")
    }

    @Test func everyCommandTakesEveryFormOfAName() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("10", "EUR", "--reference", "table 4")
        let short = "…" + id.suffix(8)
        for name in [id, "table 4", short] {
            #expect(try await shop.json("status", name)["attempt"]?.string == id)
            #expect(try await shop.json("status", "--attempt", name)["attempt"]?.string == id)
            let decided = await shop.run("resolve", name, "--not-executed", "--because", "b")
            #expect(decided.status == 5 && decided.errors.first?.hasPrefix("conflict") == true, "\(decided.errors)")
            let other = await shop.run("resolve", id, "--same-as", name, "--because", "b")
            #expect(other.status == 5 && other.errors.first?.hasPrefix("conflict") == true, "\(other.errors)")
        }
    }

    @Test func whatIsNotThereIsStatusFiveEverywhere() async throws {
        let shop = try CommandShop()
        for words in [
            ["status", "nosuch"], ["status", "--attempt", "nosuch"], ["show", "nosuch"], ["refund", "nosuch", "1"],
            ["resolve", "nosuch", "--not-executed", "--because", "b"], ["receipt", "nosuch"], ["void", "nosuch"],
            ["capture", "nosuch"], ["adjust", "nosuch", "5"], ["show", "no such table"],
        ] {
            let run = await CommandRun.of(words + shop.place)
            #expect(run.status == 5 && run.errors.contains { $0.hasPrefix("notFound") }, "\(words): \(run.errors)")
        }
        let asked = try await shop.json("status", "nosuch", status: 5)
        #expect(asked["error"]?["outcome"]?.string == "unknown", "it may stand in another journal")
        #expect(try await shop.json("list")["payments"]?.array?.isEmpty == true)
    }
}
