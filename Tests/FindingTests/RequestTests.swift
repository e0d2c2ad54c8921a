import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentModel
import PaymentTestTill
import Testing

/// What is one request and what is another: ids, references, contents, decisions.
@Suite struct RequestTests {
    private let shop = Shop()
    private let attempt: AttemptID

    init() throws { attempt = try AttemptID("sale-1") }

    private func instrument(_ owner: String) -> SavedInstrument.ID { SavedInstrument.ID("card-of-\(owner)", of: "p") }

    /// Ann's card is debited under an id, then Bob's under the same id.
    @Test func debitOfAnotherInstrument_underTheSameID_isAConflict() throws {
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [shop, attempt] in
            func debit(_ owner: String) async -> Told {
                await Told {
                    try await client.chargeCardOnFile(
                        CardOnFileRequest(.cents(1_000), of: instrument(owner), reference: "sub-1"), attempt: attempt)
                }
            }
            #expect(await debit("ann").isApproved)
            let told = await debit("bob")
            #expect(told.error?.code == .conflict, "\(told), charged: \(shop.ledger.charges.map(\.name))")
        }
    }

    /// The same with sales to saved cards.
    @Test func saleToAnotherSavedCard_underTheSameID_isAConflict() throws {
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [shop, attempt] in
            func sell(_ owner: String) async -> Told {
                await Told {
                    try await client.sale(
                        .cents(1_000), from: .saved(instrument(owner)), reference: "sub-1", attempt: attempt)
                }
            }
            #expect(await sell("ann").isApproved)
            let told = await sell("bob")
            #expect(told.error?.code == .conflict, "\(told), charges: \(shop.ledger.charges.count)")
        }
    }

    /// A sale is in doubt; its reference is typed again on a keyboard that decomposes letters.
    @Test func saleInDoubt_referenceInAnotherUnicodeForm_isChargedOnce() throws {
        var driver = Fake(shop.ledger)
        driver.onSale = { [ledger = shop.ledger] request, context in
            try await Fake.chargeWithoutReply(ledger, request, context)
        }
        driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        let client = try shop.client(driver)
        try shop.play { [shop] in
            #expect(await client.sell(1_000, "Caf\u{E9}-12").saysUnknown)
            _ = await client.sell(1_000, "Caf\u{E9}-12")
            #expect(shop.ledger.charges.count == 1)
            let told = await client.sell(1_000, "Cafe\u{301}-12")
            #expect(shop.ledger.charges.count == 1, "\(told)")
        }
    }

    /// Eight tills sell under one reference, each under an id of its own.
    @Test func eightTills_oneReference_chargeOnce() throws {
        let clients = try (1...8).map { try shop.client(Fake(shop.ledger), owner: "till-\($0)") }
        try shop.play { [shop] in
            for (number, client) in clients.enumerated() {
                _ = await client.sell(1_000, "order-1", attempt: try AttemptID("till-\(number)"))
                try await client.flush()
            }
            #expect(shop.ledger.charges.count == 1, "\(shop.ledger.charges.map(\.attempt.text))")
        }
    }

    /// A person decides a sale of 10.00 EUR with an amount that it can't have.
    @Test func resolveMoved_withAnotherCurrencyOrNoMoney_isRefused() throws {
        var driver = Fake(shop.ledger)
        driver.onSale = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
        driver.onLookup = { _, _ in .cannotTell("It can't be seen now.") }
        let client = try shop.client(driver)
        try shop.play {
            let wrong = [Money(minorUnits: 250_000, .jpy), .cents(0), .cents(-500)]
            for (number, amount) in wrong.enumerated() {
                let attempt = try AttemptID("sale-\(number)")
                _ = await client.sell(1_000, "order-\(number)", attempt: attempt)
                await #expect(throws: PaymentError.self, "\(amount)") {
                    try await client.resolve(
                        attempt, as: .executed(name: "p-\(number)", amount), reason: "The bank's statement.")
                }
                let captured = try await client.amounts(of: attempt).captured
                #expect(captured.isZero, "decided as \(amount), in the books: \(captured)")
            }
        }
    }
}
