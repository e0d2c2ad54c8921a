import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import Testing

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
