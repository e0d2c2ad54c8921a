import PaymentBase
import PaymentCore
import PaymentModel
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

/// A screen says what became of the money, also where the approval it comes from is old or is no charge.
@Suite struct TillScreenTruthTests {
    private static func approved(_ operation: PaymentOperation, isDryRun: Bool = false) throws -> TillScreen {
        let amount = Money(minorUnits: 1_000, .eur)
        var approval = Approval(amount)
        approval.isDryRun = isDryRun
        let attempt = try AttemptID("a-1")
        let account = ProviderIdentity("acme", adapter: "acme", environment: "test", merchant: "m-1")
        let payment = Payment(approval, Attempt.Intent(attempt, operation, amount), account, PaymentAmounts(.eur))
        return TillScreen(.approved(payment), of: attempt)
    }

    @Test func screen_ofARefundWithoutAnOriginal_isNoPayment() throws {
        let screen = try Self.approved(.unlinkedRefund)
        guard case .refunded = screen else {
            Issue.record("money was given, and the screen is \(screen)")
            return
        }
    }

    @Test(arguments: [PaymentOperation.void, .verify, .tokenize])
    func screen_ofWhatTakesNoMoney_isNoPayment(_ operation: PaymentOperation) throws {
        let screen = try Self.approved(operation)
        if case .paid = screen { Issue.record("nothing was charged, and the screen is \(screen.messageKey)") }
    }

    @Test func screen_ofARehearsal_isNoPayment() throws {
        let screen = try Self.approved(.sale, isDryRun: true)
        if case .paid = screen { Issue.record("nothing moved, and the screen is \(screen.messageKey)") }
    }

    /// A till that was restarted asks once more under the id that it kept; the payment was undone in the meantime.
    @Test(arguments: [true, false]) func screen_ofARepeatedSaleThatWasUndone_isNoPayment(_ isVoided: Bool) throws {
        let till = Till()
        let client = try till.client()
        let screen = try till.play {
            let id = try AttemptID("sale-1")
            let sold = try #require(
                try await client.sale(.cents(1_000), from: .reader, reference: "o", attempt: id).payment)
            if isVoided { _ = try await client.void(sold.id) } else { _ = try await client.refund(sold.id) }
            let again = try await client.sale(.cents(1_000), from: .reader, reference: "o", attempt: id)
            return TillScreen(again, of: id)
        }
        if case .paid = screen { Issue.record("the money is back, and the screen is \(screen.messageKey)") }
    }

    /// The provider decides later about the rest of the refunds: the goods stay until then.
    @Test func screen_ofARepeatedSaleThatIsGoingBack_isNoPayment() throws {
        let till = Till()
        let client = try till.client()
        let screen = try till.play {
            let id = try AttemptID("sale-1")
            let sold = try #require(
                try await client.sale(.cents(5_000), from: .reader, reference: "o", attempt: id).payment)
            _ = try await client.refund(sold.id, of: .cents(2_985))
            let rest = try await client.refund(sold.id, of: .cents(2_015))
            guard case .pending = rest else { throw PaymentError.unknown(.inDoubt, "\(rest)") }
            return TillScreen(
                try await client.sale(.cents(5_000), from: .reader, reference: "o", attempt: id), of: id)
        }
        guard case .pending = screen else {
            Issue.record("the money is going back, and the screen is \(screen.messageKey)")
            return
        }
    }

    /// An access that never comes is a provider that can't be reached, and no customer who went away.
    @Test func screen_ofAnAccessThatNeverCame_isAFailure() throws {
        let till = Till()
        let gate = Gate()
        defer { gate.opened.fulfill(true) }
        let client = try till.client(gate.transport(till.transport, at: "/token"))
        let card = try Cards.good()
        let error = till.failure { _ = try await client.sale(.cents(1_000), from: card, reference: "o") }
        #expect(error?.outcome == .notExecuted)
        #expect(error.map { TillScreen($0, of: nil) } == .failed(key: "timedOut", needsPerson: false))
    }
}
