import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import AdyenProvider

/// What can be unclear at a terminal, and how it is settled.
@Suite struct AdyenDoubtTests {
    private func cents(_ units: Int64) -> Money { Money(minorUnits: units, .eur) }

    @Test func aMessageThatWasNotDeliveredIsSentAgainUnderAFreshName() throws {
        let till = AdyenTill()
        let client = try till.client()
        let payment = try till.play { try await client.sale(cents(5_907), from: .reader, reference: "o").payment }
        #expect(payment?.approved == cents(5_907))
        #expect(till.backend.ledger.movements.count == 1)
        #expect(till.backend.repeatedNames == 0)
    }

    @Test func noAnswerFromTheTerminalIsUnknownUntilItIsAsked() throws {
        let till = AdyenTill()
        let client = try till.client()
        let (payment, kinds) = try till.play {
            let payment = try await client.sale(cents(5_908), from: .reader, reference: "o").payment
            guard let payment else { return (nil as Payment?, [PaymentEvent.Kind]()) }
            return (payment as Payment?, try await client.timeline(of: payment.id).map(\.kind))
        }
        #expect(payment != nil)
        #expect(kinds.contains(.lookedUp))
        #expect(till.backend.ledger.movements.count == 1)
    }

    /// The three families, as the cloud words them: what each proves, and how often the payment went out.
    @Test(arguments: [
        ("Failed+to+send+message+to+POI.+There+may+be+a+network+issue", PaymentError.Outcome.notExecuted, false),
        ("Input+is+not+a+JSONObject", .notExecuted, true),
        ("Empty+input+which+would+have+resulted+in+a+null+result.", .notExecuted, true),
        ("Did+not+receive+a+response+from+the+POI.", .unknown, true),
        ("Something+else", .unknown, true),
    ])
    func eachFamilyOfRejectionsProvesWhatItSays(
        _ words: String, _ outcome: PaymentError.Outcome, _ isSentOnce: Bool
    ) throws {
        let till = AdyenTill()
        let sent = Locked(0)
        let line = HookTransport(till.transport) { request, next throws(TransportFailure) in
            let category = NexoMessage(try? JSONReader().read(request.body))?.header.category
            if category == .diagnosis { return try await next(request) }
            if category == .payment { sent.withLock { $0 += 1 } }
            let answer: JSON = [
                "SaleToPOIRequest": [
                    "MessageHeader": ["MessageCategory": "Event", "MessageType": "Notification"],
                    "EventNotification": ["EventToNotify": "Reject", "EventDetails": .string("message=" + words)],
                ]
            ]
            return HTTPResponse(200, body: answer.bytes())
        }
        let client = try till.client(over: line)
        let result = Result { try till.play { try await client.sale(cents(5_000), from: .reader, reference: "o") } }
        guard case .failure(let error as PaymentError) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error.outcome == outcome)
        #expect((sent.withLock { $0 } == 1) == isSentOnce)
    }

    @Test func anUnreachableTerminalMovesNothing() throws {
        let till = AdyenTill()
        till.backend.setReachable(false)
        let client = try till.client()
        #expect(throws: PaymentError(.providerUnavailable, outcome: .notExecuted)) {
            try till.play { _ = try await client.sale(cents(5_000), from: .reader, reference: "o") }
        }
    }

    @Test func aTerminalThatIsBusyWithAnotherTillIsNoDecline() throws {
        let till = AdyenTill()
        till.backend.present(nil)
        let (one, two) = (try till.client(), try till.client { $0.saleID = "TILL-2" })
        let result: Result<PaymentResult, any Error> = try till.play { [scheduler = till.scheduler] in
            let waiting = Task(executorPreference: scheduler) {
                try await one.sale(cents(5_000), from: .reader, reference: "one")
            }
            try await scheduler.sleep(until: scheduler.now + 500)
            let second = Task(executorPreference: scheduler) {
                try await two.sale(cents(6_000), from: .reader, reference: "two")
            }
            let result = await second.result
            till.backend.present(AdyenSimulator.Card())
            _ = try await waiting.value
            return result
        }
        #expect(throws: PaymentError(.readerBusy, outcome: .notExecuted)) { try result.get() }
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [5_000])
    }

    /// Aborts at every moment of a payment: the answer, the result and the books always agree.
    @Test(arguments: (Int64(1)...60).map { $0 * 50 })
    func anAbortThatRacesTheApprovalNeverLies(_ moment: Int64) throws {
        let till = AdyenTill()
        let client = try till.client()
        let (answer, result) = try till.play { [scheduler = till.scheduler] in
            try await client.reader?.prepare()
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(cents(5_000), from: .reader, reference: "o")
            }
            try await scheduler.sleep(until: scheduler.now + moment)
            let answer = try await client.reader?.cancel()
            return (answer, try await sale.value)
        }
        let moved = till.backend.ledger.movements.count
        switch answer {
        case .cancelled:
            #expect(result.payment == nil)
            #expect(moved == 0)
        case .tooLate, .nothingToCancel:
            #expect(result.payment != nil)
            #expect(moved == 1)
        case nil: Issue.record("there is no reader")
        }
    }

    @Test func aStatusInTheMiddleOfAPaymentDecidesNothing() throws {
        let till = AdyenTill()
        till.backend.present(nil)
        var rule = FaultRule(.replyLost)
        rule.skip = 1
        till.plan.arm(rule)
        let client = try till.client { $0.link = .cloudAsync }
        let result = try till.play { [scheduler = till.scheduler] in
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(cents(5_000), from: .reader, reference: "o")
            }
            try await scheduler.sleep(until: scheduler.now + 40_000)
            till.backend.present(AdyenSimulator.Card())
            return try await sale.value
        }
        #expect(result.payment?.approved == cents(5_000))
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func anOfflineApprovalIsToldApartAndIsCancelledByOurOwnName() throws {
        let till = AdyenTill()
        let client = try till.client()
        let (payment, undone) = try till.play {
            let payment = try await client.sale(cents(5_909), from: .reader, reference: "o").payment
            guard let payment else { throw PaymentError(.conflict, outcome: .unknown) }
            _ = try await client.void(payment.id, attempt: try AttemptID("undo"))
            try await till.scheduler.sleep(until: till.scheduler.now + 60_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
            return (payment, try await client.payment(payment.id).amounts.isVoided)
        }
        #expect(payment.isOffline)
        #expect(payment.references["psp"] == nil)
        #expect(payment.receipt?.authorizationCode == "123456" || payment.receipt?.authorizationCode == "98765")
        #expect(undone)
    }

    // MARK: Webhooks

    /// A refund, its success and its later failure, in every order and each twice: what holds in the end is the same.
    @Test(arguments: [[0, 1], [1, 0], [0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
    func messagesInAnyOrderGiveOneEnd(_ order: [Int]) throws {
        let till = AdyenTill()
        let client = try till.client()
        let amounts = try till.play { [scheduler = till.scheduler] in
            let payment = try await client.sale(cents(5_000), from: .reader, reference: "o").payment
            guard let payment else { throw PaymentError(.conflict, outcome: .unknown) }
            _ = till.backend.takeMessages()
            _ = try await client.refund(payment.id, of: cents(2_000), attempt: try AttemptID("back"))
            try await scheduler.sleep(until: scheduler.now + 60_000)
            let done = till.backend.takeMessages()
            try await scheduler.sleep(until: scheduler.now + 60_000)
            guard let failed = till.backend.failLater("back"), let first = done.first else {
                throw PaymentError(.conflict, outcome: .unknown)
            }
            try await till.deliver(order.map { [first, failed][$0] }, to: client)
            return try await client.payment(payment.id).amounts
        }
        #expect(amounts.refunded.isZero)
        #expect(amounts.refundable == cents(5_000))
    }

    @Test func aWebhookBeforeTheReplyIsTheSameAsAfterIt() throws {
        let till = AdyenTill()
        var rule = FaultRule(.replyLate)
        (rule.skip, rule.delayMilliseconds) = (1, 30_000)
        till.plan.arm(rule)
        let client = try till.client()
        let (early, late) = try till.play { [scheduler = till.scheduler] in
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(cents(5_000), from: .reader, reference: "o", attempt: try AttemptID("a-1"))
            }
            try await scheduler.sleep(until: scheduler.now + 10_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
            let early = try await sale.value
            try await scheduler.sleep(until: scheduler.now + 60_000)
            return (early, try await client.status(try AttemptID("a-1")))
        }
        #expect(early.payment?.approved == cents(5_000))
        #expect(late.payment?.id == early.payment?.id)
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func aWebhookAfterTheReplyChangesNothingHoweverOftenItComes() throws {
        let till = AdyenTill()
        let client = try till.client()
        let (before, after) = try till.play {
            _ = try await client.sale(cents(5_000), from: .reader, reference: "o", attempt: try AttemptID("a-1"))
            let attempt = try AttemptID("a-1")
            let before = try await till.journal.record(attempt)
            let posted = till.backend.takeMessages()
            try await till.deliver(posted + posted + posted, to: client)
            return (before, try await till.journal.record(attempt))
        }
        #expect(before?.evidence == .reply)
        #expect(after?.approval?.amount == before?.approval?.amount)
        #expect(after?.reports.count == 2, "it is written once")
        #expect(after?.isContradicted == false)
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func aWebhookInsteadOfTheReplySettles() throws {
        let till = AdyenTill()
        var rule = FaultRule(.replyLost, times: 60)
        rule.skip = 1
        till.plan.arm(rule)
        let client = try till.client()
        let state = try till.play {
            _ = try? await client.sale(cents(5_000), from: .reader, reference: "o", attempt: try AttemptID("a-1"))
            try await till.deliver(till.backend.takeMessages(), to: client)
            return try await till.journal.record(try AttemptID("a-1"))
        }
        #expect(state?.evidence?.kind == .webhook)
        #expect(state?.approval?.amount == cents(5_000))
        #expect(state?.approval?.references["transaction"]?.contains(".") == true)
    }

    @Test func oneBadItemDoesNotPoisonTheOthers() throws {
        let till = AdyenTill()
        let client = try till.client()
        let (notices, refunded) = try till.play { [scheduler = till.scheduler] in
            let payment = try await client.sale(cents(5_000), from: .reader, reference: "o").payment
            guard let payment else { throw PaymentError(.conflict, outcome: .unknown) }
            _ = till.backend.takeMessages()
            _ = try await client.refund(payment.id, of: cents(2_000), attempt: try AttemptID("back"))
            try await scheduler.sleep(until: scheduler.now + 60_000)
            guard let body = till.backend.takeMessages().first?.body, let json = try? JSONReader().read(body),
                let item = json["notificationItems"]?[0]
            else { throw PaymentError(.conflict, outcome: .unknown) }
            let forged: JSON = ["NotificationRequestItem": ["eventCode": "REFUND", "pspReference": "P"]]
            let both: JSON = ["live": "false", "notificationItems": [forged, item]]
            let notices = try await client.receiveWebhook(both.bytes(), from: "adyen")
            return (notices, try await client.payment(payment.id).amounts.refunded)
        }
        #expect(notices.notices.allSatisfy { $0.kind == "CANCEL_OR_REFUND" })
        #expect(refunded == cents(2_000))
    }
}
