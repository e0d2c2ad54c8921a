import PaymentModel
import Testing

/// One name for what each provider calls otherwise; the provider's word stays beside it.
@Suite struct CardWordsTests {
    @Test(arguments: [
        ("mc", "mastercard"), ("MASTERCARD", "mastercard"), ("Mastercard Debit", "mastercard"),
        ("mcdebit", "mastercard"),
        ("visa", "visa"), ("VISA_DEBIT", "visa"), ("vpay", "visa"), ("electron", "visa"), ("amex", "amex"),
        ("American Express", "amex"), ("AMERICAN_EXPRESS", "amex"), ("maestro", "maestro"), ("cup", "unionPay"),
        ("UnionPay", "unionPay"), ("DINERS_CLUB", "diners"), ("Discover", "discover"), ("jcb", "jcb"),
        ("interac_card", "interac"), ("eftpos_australia", "eftpos"), ("cartebancaire", "cartesBancaires"),
        ("bcmc", "bancontact"), ("girocard", "girocard"),
    ])
    func scheme_byAnyProvidersWord_isOne(_ word: String, _ scheme: String) {
        let card = CardSummary(brand: word)
        #expect(card.scheme?.rawValue == scheme && card.brand == word)
    }

    @Test(arguments: ["", "teleported", "debit", "visaish", "42"]) func scheme_unknownWord_isNone(_ word: String) {
        #expect(CardSummary(brand: word).scheme == nil)
    }

    @Test(arguments: [
        ("contactless", CardSummary.Entry.contactless), ("Tapped", .contactless), ("chip", .chip), ("ICC", .chip),
        ("swipe", .swipe), ("MagStripe", .swipe), ("keyed", .keyed), ("Manual", .keyed), ("saved", .onFile),
    ])
    func entry_byAnyProvidersWord_isOne(_ word: String, _ entry: CardSummary.Entry) {
        var card = CardSummary()
        card.entry = word
        #expect(card.entryMode == entry && card.entry == word)
        card.entry = word + "x"
        #expect(card.entryMode == nil)
    }

    @Test func funding_byAnyProvidersWord_isOne() {
        var card = CardSummary()
        for (word, funding) in [
            ("debit", CardSummary.Funding.debit), ("CREDIT", .credit), ("Charge", .credit), ("prepaid", .prepaid),
            ("prepaid_reloadable", .prepaid), ("deferred_debit", .deferredDebit), ("Credit Card", .credit),
            ("Debit Card", .debit),
        ] {
            card.funding = word
            #expect(card.fundingSource == funding && card.funding == word)
        }
        card.funding = "moon"
        #expect(card.fundingSource == nil)
    }
}
