import PaymentCore
import PaymentDriverKit
import PaymentTestTill
import PaymentTesting
import Testing

/// A provider that puts other things into the short fields of an approval than belong there.
@Suite struct ShortFieldTests {
    private static let number = "5555555555554444"

    /// What the journal keeps of a sale that was approved with this text in every short field of card and receipt.
    private func kept(_ text: String) throws -> PaymentRecord {
        let shop = Shop()
        var driver = Fake(shop.ledger)
        driver.onSale = { request, context in
            try await context.exchange(.money) { _ in
                var approval = Approval(request.amount, references: ["payment": "p-1"])
                var card = CardSummary(brand: text)
                (card.entry, card.expiry, card.funding, card.issuerCountry) = (text, text, text, text)
                approval.card = card
                var receipt = Receipt()
                (receipt.authorizationCode, receipt.responseCode, receipt.verification) = (text, text, text)
                approval.receipt = receipt
                return .approved(approval)
            }
        }
        let client = try shop.client(driver)
        return try shop.stage.run {
            _ = await client.sell(attempt: try AttemptID("sale-1"))
            return try await client.payment(PaymentID(AttemptID("sale-1")))
        }
    }

    private static func texts(_ payment: PaymentRecord) -> [String] {
        let (card, receipt) = (payment.card, payment.attempts.first?.approval?.receipt)
        return [
            card?.brand, card?.entry, card?.expiry, card?.funding, card?.issuerCountry, receipt?.authorizationCode,
            receipt?.responseCode, receipt?.verification,
        ].compactMap { $0 }
    }

    /// Of a card number, the journal has the last four digits at most.
    @Test func cardNumber_inAShortField_isMaskedInTheJournal() throws {
        let texts = Self.texts(try kept("of \(Self.number)"))
        #expect(!texts.contains { $0.contains(Self.number) }, "\(texts)")
    }

    /// The provider's words are kept up to 1,024 characters, and so is everything else that it says of a card.
    @Test func longText_inAShortField_isCutInTheJournal() throws {
        let texts = Self.texts(try kept(String(repeating: "word ", count: 10_000)))
        #expect(texts.allSatisfy { $0.hasPrefix("word word ") && $0.utf8.count <= 1_024 }, "\(texts.map(\.utf8.count))")
    }

    /// To look through megabytes for secrets takes a processor from the other payments.
    @Test func hugeText_inAShortField_isNotLookedThrough() throws {
        let texts = Self.texts(try kept(String(repeating: "word ", count: 20_000)))
        #expect(Set(texts) == ["(a text of 100000 bytes, which is too long to be shown)"])
    }
}
