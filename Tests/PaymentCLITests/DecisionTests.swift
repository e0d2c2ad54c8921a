import Foundation
import PaymentBase
import Testing

/// A person decides only what the provider can't tell, and says nothing that the provider contradicts.
@Suite struct DecisionTests {
    private let shop: CommandShop

    init() throws { shop = try CommandShop() }

    private func sandbox(_ words: String...) async {
        let run = await CommandRun.of(["sandbox"] + words + ["--state", shop.state])
        #expect(run.status == 0, "\(run.errors)")
    }

    /// A sale at ARISE whose request was lost: ARISE lists nothing, which proves nothing.
    private func saleInDoubt(_ attempt: String) async {
        await sandbox("fault", "request.lost", "--provider", "arise", "--path", "*/transactions/sale", "--times", "9")
        let sale = await shop.run(
            "sale", "10", "USD", "--provider", "arise", "--source", "card", "--card", "visa", "--reference", attempt,
            "--attempt", attempt)
        #expect(sale.status == 3, "\(sale.out) \(sale.errors)")
        await sandbox("fault", "--clear")
    }

    @Test func resolve_providerCanTell_recordsNothingOfThePerson() async throws {
        await sandbox("fault", "reply.lost", "--provider", "arise", "--path", "*/transactions/sale")
        await sandbox("fault", "status.503-before", "--provider", "arise", "--path", "*/transactions", "--times", "400")
        let sale = await shop.run(
            "sale", "10", "USD", "--provider", "arise", "--source", "card", "--card", "visa", "--reference", "o-1",
            "--attempt", "s-1")
        #expect(sale.status == 3, "\(sale.out) \(sale.errors)")
        await sandbox("fault", "--clear")
        let no = await shop.run("resolve", "s-1", "--not-executed", "--because", "the clerk is sure")
        #expect(no.status == 5 && no.errors.first?.contains("could tell: it is approved") == true, "\(no.errors)")
        let record = try await shop.json("show", "s-1")
        #expect(record["status"]?.string == "approved", "\(record)")
        #expect(record["attempts"]?[0]?["evidence"]?.string == "lookup")
    }

    @Test func resolve_nameThatTheProviderDoesNotKnow_isRefusedUnlessThePersonInsists() async throws {
        await saleInDoubt("s-1")
        let unknown = await shop.run("resolve", "s-1", "--executed", "no-such-name", "--because", "x")
        #expect(unknown.status == 3 && unknown.errors.first?.contains("arise knows no payment") == true)
        #expect(try await shop.json("show", "s-1")["status"]?.string == "inDoubt")
        let insists = await shop.run("resolve", "s-1", "--executed", "no-such-name", "--because", "x", "--anyway")
        #expect(insists.status == 0, "\(insists.errors)")
        #expect(try await shop.json("show", "s-1")["status"]?.string == "approved")
    }

    @Test func resolve_nameOfAnotherOrdersPayment_isRefused() async throws {
        let other = try await shop.json(
            "sale", "10", "USD", "--provider", "arise", "--source", "card", "--card", "visa", "--reference", "order-7",
            "--attempt", "other-1")
        #expect(other["status"]?.string == "approved")
        let shown = try await shop.json("show", "other-1")
        let name = try #require(shown["attempts"]?[0]?["names"]?.object?.members.first?.value.string)
        await saleInDoubt("s-1")
        let taken = await shop.run("resolve", "s-1", "--executed", name, "--because", "x", "--anyway")
        #expect(taken.status == 3, "\(taken.out) \(taken.errors)")
        #expect(try await shop.json("show", "s-1")["status"]?.string == "inDoubt")
        let more = await shop.run("resolve", "s-1", "--executed", name, "--amount", "12", "--because", "x")
        #expect(more.status == 3 && more.errors.first?.contains("over 10.00 USD at arise") == true, "\(more.errors)")
    }

    @Test func resolve_amountInAnotherCurrency_isRefused() async throws {
        await saleInDoubt("s-1")
        let euros = await shop.run("resolve", "s-1", "--executed", "x", "--amount", "10 EUR", "--because", "y")
        #expect(euros.status == 2 && euros.errors.first?.contains("is in EUR") == true, "\(euros.errors)")
        #expect(try await shop.json("show", "s-1")["status"]?.string == "inDoubt")
    }

    @Test func recover_lookupFailed_proposesNoDecision() async throws {
        await saleInDoubt("s-1")
        await sandbox("fault", "status.503-before", "--provider", "arise", "--path", "*/transactions", "--times", "400")
        let failed = await shop.run("recover")
        #expect(failed.status == 3 && !failed.text.contains("or decide"), "\(failed.out)")
        await sandbox("fault", "--clear")
        let vain = await shop.run("recover")
        #expect(vain.status == 3 && vain.text.contains("or decide  payctl resolve s-1"), "\(vain.out)")
    }
}
