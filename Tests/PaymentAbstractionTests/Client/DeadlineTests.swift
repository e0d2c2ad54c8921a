import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import Testing

/// How long a call may take: a duration that is checked before anything is computed with it.
@Suite struct DeadlineTests {
    @Test(arguments: [
        Duration.zero, .seconds(-1), .seconds(366 * 86_400 + 1), .seconds(Int64.max), Duration.seconds(Int64.min),
    ])
    func aDurationThatCanNotBeMeantIsRefused(_ limit: Duration) throws {
        let till = Till()
        let client = try till.client()
        let card = try Cards.good()
        let request = SaleRequest(.cents(100), from: card, reference: "o")
        let error = till.failure { _ = try await client.sale(request, timeout: limit) }
        #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
        #expect(till.backend.requestCount == 0)
    }

    @Test func aYearIsNotTooLong() throws {
        let till = Till()
        let client = try till.client()
        let card = try Cards.good()
        let request = SaleRequest(.cents(100), from: card, reference: "o")
        #expect(try till.play { try await client.sale(request, timeout: .seconds(366 * 86_400)) }.payment != nil)
    }

    @Test(arguments: [
        (Duration.zero, Int64(0)), (.milliseconds(1), 1), (.microseconds(1), 1), (.microseconds(1_001), 2),
        (.milliseconds(-1), -1), (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
    ])
    func aPartOfAMillisecondCountsAsAWhole(_ duration: Duration, _ milliseconds: Int64) {
        #expect(duration.wholeMilliseconds == milliseconds)
    }
}
