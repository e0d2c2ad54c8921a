import PaymentBase
import PaymentDriverKit
import PaymentModel
import PaymentTestTill
import Testing

/// What a caller learns about an attempt that is made a second time.
@Suite struct RoundTests {
    private let shop = Shop()
    private let attempt: AttemptID

    init() throws { attempt = try AttemptID("sale-1") }

    /// Nothing was sent the first time; the second time the card itself declines and nothing is sent either.
    @Test func declineByCard_inSecondRun_isReportedAsDecline() throws {
        let count = Locked(0)
        var driver = Fake(shop.ledger)
        driver.onSale = { _, context in
            // It reads something first, so that the attempt is in the journal.
            _ = try await context.query.exchange { _ in true }
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            guard isFirst else {
                return .declined(Decline(.declinedOffline, provider: ProviderMessage(code: "offlineDeclined")))
            }
            return try await context.exchange(.money) { _ -> Verdict in throw Refused(.network, .notSent) }
        }
        let client = try shop.client(driver)
        try shop.play { [attempt] in
            _ = await client.sell(attempt: attempt)
            let told = await client.sell(attempt: attempt)
            #expect(told.isDeclined, "\(told)")
        }
    }
}
