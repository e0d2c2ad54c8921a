import Foundation
import PaymentAbstraction
import PaymentBase
import PaymentTestTill
import Testing

@testable import PaymentCLI

/// What `payctl reconcile` proposes for an attempt in doubt.
@Suite struct ProposalTests {
    private func proposed(
        _ month: ReconciledMonth, _ change: (inout Statement) -> Void = { _ in }
    ) throws -> ReconciledItem {
        var statement = try month.listed()
        change(&statement)
        let found = try month.reconciled(statement).differences.filter { $0.attempt?.text == "sale-20" }
        return try #require(found.count == 1 ? found.first : nil, "\(found)")
    }

    private func addUnclaimed(to statement: inout Statement) {
        var row = statement.payments[3]
        (row.names, row.payment, row.reference, row.moved) = (["mp-unknown"], "mp-unknown", nil, .cents(4_200))
        statement.add(row, at: "item 99")
    }

    @Test func absent_neverLookedUp_isRecovered() throws {
        let month = try ReconciledMonth()
        try month.sell(40, [20: .requestLost])
        let found = try proposed(month)
        #expect(found.group == .onlyInJournal && found.proposal == .recover)
    }

    @Test func absent_lookedUpInVain_isResolvedOnlyBesideNoUnclaimedMoney() throws {
        let month = try ReconciledMonth()
        try month.sell(40, [20: .requestLost])
        try month.noteLook(20)
        let alone = try proposed(month)
        #expect(alone.group == .onlyInJournal && alone.proposal == .resolve && alone.name == nil)
        let beside = try proposed(month) { addUnclaimed(to: &$0) }
        #expect(beside.proposal == .ask && beside.because?.contains("item 99") == true, "\(beside)")
        let unread = try proposed(month) { $0.refuse("line 3", "it is cut off") }
        #expect(unread.proposal == .ask, "\(unread)")
    }

    @Test func sameReferenceAndAmount_lookedUpInVain_namesThatRow() throws {
        let month = try ReconciledMonth()
        try month.sell(40, [20: .replyLost])
        let row = try #require(try month.listed().payments.first { $0.reference == "order-20" })
        #expect(try proposed(month).proposal == .recover)
        try month.noteLook(20)
        let found = try proposed(month)
        #expect(found.proposal == .resolve && found.name != nil && found.name == row.names.first, "\(found)")
        // It is no longer the only row that could be it.
        let two = try proposed(month) { statement in
            var other = row
            (other.names, other.payment, other.moved) = (["mp-unknown"], "mp-unknown", .cents(1))
            statement.add(other, at: "item 99")
        }
        #expect(two.proposal == .recover, "\(two)")
        // It moved nothing there, as far as its word can be read.
        let pending = try proposed(month) { statement in
            for index in statement.listings.indices where statement.listings[index].reference == "order-20" {
                statement.listings[index].state = .pending
            }
        }
        #expect(pending.proposal == .recover, "\(pending)")
    }

    /// The same in every format, as a person types it.
    @Test func statementShowsUnclaimedMoney_lineToTypeNeverSaysNotMoved() async throws {
        let plain = try CommandShop()
        let text = try String(contentsOfFile: plain.path, encoding: .utf8)
        let merchant = "\"adapter\": \"arise\","
        let shop = try CommandShop(
            configuration: text.replacing(
                merchant,
                with: "\(merchant) \"settings\": { \"soleUser\": false, \"referenceEcho\": \"none\" },"))
        func fault(_ words: String...) async {
            _ = await CommandRun.of(["sandbox", "fault"] + words + ["--state", shop.state])
        }
        func silenceLookups() async {
            await fault(
                "status.503-before", "--provider", "arise", "--path", "/pay-api/v1/transactions", "--times", "60")
        }
        await fault("reply.lost", "--provider", "arise", "--path", "*/sale")
        await silenceLookups()
        let sale = await shop.run(
            "sale", "100", "USD", "--provider", "arise", "--source", "card", "--card", "visa", "--reference",
            "order-5", "--attempt", "doubt-1")
        #expect(sale.status == 3, "\(sale.errors)")
        await fault("--clear")

        /// What is proposed, after a look at every format.
        func proposal() async throws -> String? {
            let began = try await shop.json("show", "doubt-1")["begunAt"]?.string ?? ""
            let day = String(began.prefix(10))
            let formats = ["txt", "json", "html", "md", "xml"]
            let files = formats.map { "\(shop.folder)/books.\($0)" }
            let run = await CommandRun.of(
                ["reconcile", "arise", "--from", day, "--to", day] + shop.place + files.flatMap { ["--report", $0] })
            #expect(run.status == 1, "\(run.errors)")
            for file in files {
                let text = try String(contentsOfFile: file, encoding: .utf8)
                #expect(text.contains("doubt-1") && !text.contains("not-moved"), "\(file): \(text)")
            }
            let json = try JSONReader().read(Array(try Data(contentsOf: URL(filePath: files[1]))))
            return json["differences"]?.array?.first { $0["attempt"]?.string == "doubt-1" }?["proposal"]?.string
        }
        #expect(try await proposal() == "recover")
        // A look that the provider doesn't answer is none.
        await silenceLookups()
        #expect(await shop.run("recover").status == 3)
        await fault("--clear")
        #expect(try await proposal() == "recover")
        #expect(await shop.run("recover").status == 3)
        #expect(try await proposal() == "ask")
    }
}
