import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentModel
import PaymentSimulator
import PaymentTestTill
import PaymentTransport
import Testing

@Suite struct LimitTests {
    private let refused = PaymentError(.invalidRequest, outcome: .notExecuted)

    @Test func anAttemptIDHasOneTo36LettersDigitsAndHyphens() throws {
        for text in ["a", "A-9", String(repeating: "x", count: 36)] { #expect(try AttemptID(text).text == text) }
        for text in ["", String(repeating: "x", count: 37), "a b", "a_b", "ä", "a/b", "a\n"] {
            #expect(throws: refused) { try AttemptID(text) }
        }
        let made = AttemptID(now: 1_767_225_600_000, random: SeededRandom(seed: 1))
        #expect(try AttemptID(made.text) == made)
        #expect(made.text < AttemptID(now: 1_767_225_600_001, random: SeededRandom(seed: 0)).text)
    }

    @Test(arguments: [
        "", String(repeating: "r", count: 65), "a\u{7}b", "4111 1111 1111 1111",
        // One character, however many marks stand over it.
        "a" + String(repeating: "\u{301}", count: 300),
    ])
    func aReferenceIsShortPrintableAndNoCardNumber(_ reference: String) throws {
        let till = Till()
        let client = try till.client()
        let card = try Cards.good()
        let error = till.failure { _ = try await client.sale(.cents(100), from: card, reference: reference) }
        #expect(error == refused)
        #expect(till.backend.requestCount == 0)
    }

    @Test func anAmountIsMoreThanNothingAndATipIsAPartOfIt() throws {
        let till = Till()
        let client = try till.client()
        let card = try Cards.good()
        for amount: Int64 in [0, -1, Money.believableMinorUnitsMax + 1, .max] {
            let error = till.failure { _ = try await client.sale(.cents(amount), from: card, reference: "o") }
            #expect(error == refused)
        }
        for tip in [Money.cents(101), .cents(-1), Money(minorUnits: 10, .usd)] {
            var request = SaleRequest(.cents(100), from: card, reference: "o")
            request.tip = tip
            let error = till.failure { [request] in _ = try await client.sale(request) }
            #expect(error == refused)
        }
        #expect(till.backend.requestCount == 0)
    }

    @Test func aCardHas12To19DigitsAndAnExpiryThatCanBe() throws {
        #expect(try KeyedCard(number: "4111-1111 1111 1111", expiryMonth: 1, expiryYear: 24).expiryYear == 2_024)
        for number in ["41111111111", "41111111111111111111", "4111x11111111111", ""] {
            #expect(throws: refused) { try KeyedCard(number: number, expiryMonth: 1, expiryYear: 2030) }
        }
        for (month, year) in [(0, 2030), (13, 2030), (1, 1999), (1, 3001), (1, -1)] {
            #expect(throws: refused) { try KeyedCard(number: "4111111111111111", expiryMonth: month, expiryYear: year) }
        }
    }

    @Test func aSuccessScreenStaysBetweenHalfASecondAndFour() throws {
        var presentation = ReaderPresentation()
        for milliseconds: Int64 in [500, 4_000] { try presentation.showSuccess(for: .milliseconds(milliseconds)) }
        for milliseconds: Int64 in [499, 4_001, -1] {
            #expect(throws: refused) { try presentation.showSuccess(for: .milliseconds(milliseconds)) }
        }
        let till = Till()
        let client = try till.client()
        let card = try Cards.good()
        var request = SaleRequest(.cents(100), from: card, reference: "o")
        request.presentation.logo = Array(repeating: 0, count: ReaderPresentation.logoBytesMax + 1)
        let error = till.failure { [request] in _ = try await client.sale(request) }
        #expect(error == refused)
    }

    @Test func aPageHasOneToAHundredItems() throws {
        let till = Till()
        let transactions = try #require(try till.client().provider("memory").transactions)
        for limit in [0, 101, -1] {
            let error = till.failure { _ = try await transactions.list(ListQuery(limit: limit)) }
            #expect(error == refused)
        }
        let page = try till.play { try await transactions.list(ListQuery(limit: 100)) }
        #expect(page.items.isEmpty)
    }

    @Test func aProvidersWordsAreCutAndMasked() {
        let long = ProviderMessage(code: "x", message: String(repeating: "a", count: 5_000))
        #expect(long.message.count == ProviderMessage.charactersMax)
        let echo = ProviderMessage(code: "4111111111111111", message: "card 4111 1111 1111 1111 12/30 refused")
        #expect(!"\(echo)".contains("41111111"))
        #expect(!echo.message.contains("4111 1111"))
    }

    @Test func anExchangeIsTriedThreeTimesAtMost() throws {
        let till = Till()
        let count = Locked(0)
        let client = try till.client(
            HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
                guard request.target == "/payments" else { return try await next(request) }
                count.withLock { $0 += 1 }
                throw .notSent(.connectionRefused)
            })
        let card = try Cards.good()
        let error = till.failure { _ = try await client.sale(.cents(100), from: card, reference: "o") }
        #expect(error == PaymentError(.network, outcome: .notExecuted))
        #expect(error?.isRetryable == true)
        #expect(count.withLock { $0 } == 3)
    }
}

/// Lists that are read to their end, a page at a time.
@Suite struct PagedSequenceTests {
    @Test(arguments: [1, 2, 3, 7, 100, 1_000, 0, -5])
    func everyPaymentComesOnceNewestFirst(_ pageSize: Int) throws {
        let till = Till()
        let client = try till.client()
        let card = try Cards.good()
        let ids = try till.play {
            var ids: [PaymentID] = []
            for number in 1...7 {
                let sold = try await client.sale(.cents(100), from: card, reference: "o-\(number)").payment
                ids.append(try #require(sold).id)
            }
            return ids
        }
        let read = try till.play {
            var read: [PaymentID] = []
            for try await record in client.allPayments(pageSize: pageSize) { read.append(record.id) }
            return read
        }
        #expect(read == ids.reversed())
    }

    @Test func anEmptyJournalHasNothingToRead() throws {
        let till = Till()
        let client = try till.client()
        let count = try till.play {
            var count = 0
            for try await _ in client.allPayments() { count += 1 }
            return count
        }
        #expect(count == 0)
    }

    @Test func theProvidersListIsReadToItsEnd() throws {
        let till = Till()
        let client = try till.client()
        let card = try Cards.good()
        let count = try till.play {
            for number in 1...5 { _ = try await client.sale(.cents(100), from: card, reference: "o-\(number)") }
            let transactions = try #require(try client.provider("memory").transactions)
            var seen: Set<PaymentReferences> = []
            for try await item in transactions.every(ListQuery(limit: 2)) { seen.insert(item.references) }
            return seen.count
        }
        #expect(count == 5)
    }

    @Test func whatAPageThrowsEndsTheList() throws {
        let till = Till()
        let client = try till.client()
        let error = till.failure {
            let transactions = try #require(try client.provider("memory").transactions)
            for try await _ in transactions.every(ListQuery(limit: 0)) {}
        }
        #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
    }
}
