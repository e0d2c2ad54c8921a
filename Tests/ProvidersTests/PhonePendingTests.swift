import PaymentBase
import PaymentCore
import PaymentModel
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import PhoneTill
import Testing

/// The till of `Examples/Phone` over what a provider decides later.
@Suite struct PhonePendingTests {
    /// What the simulated provider takes and decides later.
    private static let decidedLater = Money.cents(2_015)

    private static func started(_ stage: PaymentTestTill.Till, _ client: PaymentClient) async -> PhoneTill.Till {
        let till = PhoneTill.Till(client, executor: stage.scheduler, clock: stage.scheduler)
        await till.start()
        if await till.screen == .terms { await till.acceptTerms() }
        return till
    }

    /// Charges 50.00 as `order-1`.
    private static func paid(_ till: PhoneTill.Till) async throws -> Payment {
        await till.charge(.cents(5_000), reference: "order-1")
        let screen = await till.screen
        guard case .paid(let payment) = screen else { throw NotPaid(screen: screen) }
        return payment
    }

    private struct NotPaid: Error { let screen: TillScreen }

    @Test func refundThatIsDecidedLater_keepsNoCustomerWaiting_alsoAfterARestart() throws {
        let stage = PaymentTestTill.Till()
        try stage.play {
            let client = try stage.client()
            let till = await Self.started(stage, client)
            let payment = try await Self.paid(till)
            await till.refund(payment.id, of: Self.decidedLater)
            let pending = await till.screen
            guard case .pending = pending else {
                Issue.record("\(pending)")
                return
            }
            await till.charge(.cents(5_100), reference: "order-2")
            let next = await till.screen
            guard case .paid = next else {
                Issue.record("\(next)")
                return
            }
            let restarted = await Self.started(stage, client)
            #expect(await restarted.screen == .ready)
        }
    }

    @Test func refundPressedAgain_whileTheFirstIsOpen_isGivenOnlyBesideIt() throws {
        let stage = PaymentTestTill.Till()
        try stage.play {
            let client = try stage.client()
            let till = await Self.started(stage, client)
            let payment = try await Self.paid(till)
            func refunds() async throws -> Int {
                try await client.payment(payment.id).attempts.count { $0.intent.operation == .refund }
            }
            await till.refund(payment.id, of: Self.decidedLater)
            let pending = await till.screen
            guard case .pending(let open) = pending else {
                Issue.record("\(pending)")
                return
            }
            await till.refund(payment.id, of: Self.decidedLater)
            #expect(await till.screen == pending)
            #expect(try await refunds() == 1)
            await till.refund(payment.id, of: Self.decidedLater, beside: open)
            #expect(try await refunds() == 2)
        }
    }

    @Test func nextDoubt_isShownAtTheNextPress_andReplacesNoEnd() throws {
        let stage = PaymentTestTill.Till()
        let orders = try [AttemptID("order-1"), AttemptID("order-2")]
        let silent = Locked(orders)
        // The provider charges, and no answer comes; it can't be asked about what is silent.
        let line = HookTransport(stage.transport) { (request, next) async throws(TransportFailure) in
            let isSilent = silent.withLock { $0.contains { "/attempts/\($0)" == request.target } }
            if isSilent { throw .notSent(.connectionRefused) }
            let reply = try await next(request)
            if request.target == "/payments" { throw .maybeSent(.connectionReset) }
            return reply
        }
        try stage.play {
            let client = try stage.client(line)
            for id in orders {
                _ = try? await client.sale(.cents(1_000), from: Cards.good(), reference: "\(id)", attempt: id)
            }
            let till = await Self.started(stage, client)
            let doubt = await till.screen
            guard case .unknown(let first) = doubt, let second = orders.first(where: { $0 != first }) else {
                Issue.record("\(doubt)")
                return
            }
            silent.withLock { $0 = [second] }
            await till.askAgain()
            let decided = await till.screen
            guard case .paid = decided else {
                Issue.record("\(decided)")
                return
            }
            await till.charge(.cents(5_100), reference: "order-3")
            #expect(await till.screen == .unknown(second))
        }
    }

    @Test func saleThatIsDecidedLater_besideADoubt_isShownAtTheNextPress_andOnce() throws {
        let stage = PaymentTestTill.Till()
        let (later, doubt) = (try AttemptID("order-1"), try AttemptID("order-2"))
        let isLost = Locked(false)
        // While an answer is lost, the provider can't be asked either.
        let line = HookTransport(stage.transport) { (request, next) async throws(TransportFailure) in
            let isSilent = isLost.withLock { $0 }
            if isSilent, request.target == "/attempts/\(doubt)" { throw .notSent(.connectionRefused) }
            let reply = try await next(request)
            if isSilent, request.target == "/payments" { throw .maybeSent(.connectionReset) }
            return reply
        }
        try stage.play {
            let client = try stage.client(line)
            _ = try await client.sale(Self.decidedLater, from: Cards.good(), reference: "order-1", attempt: later)
            isLost.withLock { $0 = true }
            _ = try? await client.sale(.cents(1_000), from: Cards.good(), reference: "order-2", attempt: doubt)
            let till = await Self.started(stage, client)
            #expect(await till.screen == .unknown(doubt))
            isLost.withLock { $0 = false }
            await till.askAgain()
            let decided = await till.screen
            guard case .paid = decided else {
                Issue.record("\(decided)")
                return
            }
            await till.charge(.cents(5_100), reference: "order-3")
            #expect(await till.screen == .pending(later))
            await till.askAgain()
            await till.charge(.cents(5_100), reference: "order-3")
            let next = await till.screen
            guard case .paid = next else {
                Issue.record("\(next)")
                return
            }
        }
    }

    @Test func saleThatIsDecidedLater_isNotChargedAgain() throws {
        let stage = PaymentTestTill.Till()
        try stage.play {
            let client = try stage.client()
            let till = await Self.started(stage, client)
            await till.charge(Self.decidedLater, reference: "order-1")
            let pending = await till.screen
            guard case .pending = pending else {
                Issue.record("\(pending)")
                return
            }
            await till.charge(Self.decidedLater, reference: "order-1")
            let again = await till.screen
            guard case .failed(key: "referenceInUse", needsPerson: _) = again else {
                Issue.record("\(again)")
                return
            }
            var charged = 0
            for try await payment in client.allPayments() where payment.state != .notExecuted { charged += 1 }
            #expect(charged == 1)
        }
    }

    @Test func saleThatIsDecidedLater_isShownAgainAfterARestart_andKeepsNoCustomerWaiting() throws {
        let stage = PaymentTestTill.Till()
        try stage.play {
            let client = try stage.client()
            let till = await Self.started(stage, client)
            await till.charge(Self.decidedLater, reference: "order-1")
            let pending = await till.screen
            guard case .pending = pending else {
                Issue.record("\(pending)")
                return
            }
            let restarted = await Self.started(stage, client)
            #expect(await restarted.screen == pending)
            await restarted.charge(.cents(5_100), reference: "order-2")
            let next = await restarted.screen
            guard case .paid = next else {
                Issue.record("\(next)")
                return
            }
        }
    }
}
