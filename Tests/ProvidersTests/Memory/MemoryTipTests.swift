import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import Testing

/// Tips given by the till and changed afterwards: our sums are the provider's.
@Suite struct MemoryTipTests {
    private static func euros(_ units: Int64) -> Money { Money(minorUnits: units, .eur) }

    private static func request(_ tip: Int64?) throws -> SaleRequest {
        var request = SaleRequest(euros(1_200), from: try Cards.good(), reference: "order-1")
        request.tip = tip.map(euros)
        return request
    }

    @Test(arguments: [Int64?.none, 0, 200, 1_200]) func tip_ofASale_isChangedByTheDifference(_ tip: Int64?) throws {
        let till = Till()
        let client = try till.client()
        let amounts = try till.play {
            let sold = try #require(try await client.sale(try Self.request(tip)).payment)
            #expect(sold.approved == Self.euros(1_200))
            return try await client.adjustTip(sold.id, to: Self.euros(300)).payment?.amounts
        }
        #expect(amounts?.captured.minorUnits == till.backend.ledger.balance(.merchant)["EUR"])
    }

    @Test func tip_ofAHoldThatWasRaised_isChangedByTheDifference() throws {
        let till = Till()
        let client = try till.client()
        let amounts = try till.play {
            let held = try #require(try await client.authorize(try Self.request(200)).payment)
            try await client.adjust(held.id, to: Self.euros(2_000))
            return try await client.adjustTip(held.id, to: Self.euros(300)).payment?.amounts
        }
        #expect(amounts?.authorized.minorUnits == till.backend.ledger.balance(.held)["EUR"])
    }

    @Test func tip_afterACapture_isCharged() throws {
        let till = Till()
        let client = try till.client()
        let amounts = try till.play {
            let held = try #require(try await client.authorize(try Self.request(nil)).payment)
            try await client.capture(held.id)
            return try await client.adjustTip(held.id, to: Self.euros(300)).payment?.amounts
        }
        #expect(amounts?.captured.minorUnits == till.backend.ledger.balance(.merchant)["EUR"])
    }

    @Test func tip_beforeACapture_isCapturedOnce() throws {
        let till = Till()
        let client = try till.client()
        let amounts = try till.play {
            let held = try #require(try await client.authorize(try Self.request(nil)).payment)
            try await client.adjustTip(held.id, to: Self.euros(300))
            return try await client.capture(held.id).payment?.amounts
        }
        #expect(amounts?.captured == Self.euros(1_500))
        #expect(amounts?.captured.minorUnits == till.backend.ledger.balance(.merchant)["EUR"])
    }
}
