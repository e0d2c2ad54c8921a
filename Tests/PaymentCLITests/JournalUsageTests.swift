import MemoryProvider
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentModel
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import PaymentCLI

/// What a journal did at one account, as the plan of a switch counts it.
@Suite struct JournalUsageTests {
    /// After a first switch another account refunds a payment without its original, and nothing is known of that.
    @Test func openRefundOfAnotherAccountsPayment_isOfTheAccountThatWasAsked() throws {
        let till = Till()
        let lost = HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
            // The access is got as ever: what is lost is about money.
            guard request.path != "/token" else { return try await next(request) }
            throw .maybeSent(.connectionReset)
        }
        let configuration = MemoryConfiguration(
            name: "two", endpoint: Till.origin, merchant: "m-2", secret: Secret("memory-client-secret"))
        let (first, second) = (till.driver(name: "one"), MemoryDriver(configuration, lost))
        let drivers: [any PaymentDriver] = [first, second]
        let before = try PaymentClient(drivers: drivers, routing: Routing(active: "one"), till.dependencies)
        let after = try PaymentClient(drivers: drivers, routing: Routing(active: "two"), till.dependencies)
        let attempts = try till.play {
            let sold = try await before.sale(.cents(1_000), from: try Cards.good(), reference: "o").payment
            var refund = UnlinkedRefundRequest(.cents(400), to: try Cards.good(), reference: "r")
            refund.payment = sold?.id
            _ = try? await after.refundUnlinked(refund, attempt: try AttemptID("back-1"))
            return try await CommandSession.everyAttempt(of: till.journal)
        }
        let (old, new) = (JournalUsage(attempts, first.identity), JournalUsage(attempts, second.identity))
        #expect(old.open.isEmpty && old.uses["refund.unlinked"] == nil && old.refundable == 1)
        #expect(old.uses["sale"] == 1 && new.uses["sale"] == nil && new.refundable == 0)
        #expect(new.open.map(\.intent.attempt.text) == ["back-1"] && new.uses["refund.unlinked"] == 1)
    }

    /// A device approved it and has not forwarded it: nothing of it can be refunded yet, and only there it can be forwarded.
    @Test func saleApprovedOffline_notForwarded_waitsAtItsProvider() throws {
        let maker = DealMaker(.accounting, SeededRandom(seed: 1))
        var sale = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", .pending)
        var approval = Approval(.cents(1_000))
        approval.isOffline = true
        let at = Attempt.Instant(wall: DealMaker.noon(10), uptime: 0)
        sale.apply(.report(.init(.verdict(.approved(approval)), .reply, run: 1, request: 1, entry: 3, at: at)))
        let usage = JournalUsage([sale], maker.account)
        #expect(usage.open.map(\.intent.attempt.text) == ["a-1"] && usage.refundable == 0)
    }

    /// A refund of it would be refused: nothing is left of the whole.
    @Test func paymentThatAnotherAccountRefunded_isNotRefundable() throws {
        let till = Till()
        let configuration = MemoryConfiguration(
            name: "two", endpoint: Till.origin, merchant: "m-2", secret: Secret("memory-client-secret"))
        let (first, second) = (till.driver(name: "one"), MemoryDriver(configuration, till.transport))
        let drivers: [any PaymentDriver] = [first, second]
        let before = try PaymentClient(drivers: drivers, routing: Routing(active: "one"), till.dependencies)
        let after = try PaymentClient(drivers: drivers, routing: Routing(active: "two"), till.dependencies)
        let attempts = try till.play {
            let sold = try await before.sale(.cents(1_000), from: try Cards.good(), reference: "o").payment
            var refund = UnlinkedRefundRequest(.cents(1_000), to: try Cards.good(), reference: "r")
            refund.payment = sold?.id
            let back = try await after.refundUnlinked(refund).payment
            #expect(back?.provider.id == "two")
            return try await CommandSession.everyAttempt(of: till.journal)
        }
        #expect(JournalUsage(attempts, first.identity).refundable == 0)
    }
}
