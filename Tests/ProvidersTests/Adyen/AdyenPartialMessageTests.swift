import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentModel
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

/// The provider's message about a part comes while the application is still asked whether it takes the part.
@Suite struct AdyenPartialMessageTests {
    private static func request() -> SaleRequest {
        var request = SaleRequest(Money(minorUnits: 10_139, .eur), from: .reader, reference: OrderReference("order-1"))
        request.acceptsPartialApproval = true
        return request
    }

    @Test func part_notTaken_messageFirst_isReturned() throws {
        let till = AdyenTill()
        let (asked, answer) = (Promise<Bool>(), Promise<Bool>())
        var answers = QuestionHandlers()
        answers.handle(PartialApprovalOffer.self) { _ in
            asked.fulfill(true)
            return await answer.value()
        }
        let client = try till.client(answers)
        let (result, amounts) = try till.play { [scheduler = till.scheduler] in
            let id = try AttemptID("part-1")
            let sale = Task(executorPreference: scheduler) { try await client.sale(Self.request(), attempt: id) }
            _ = await asked.value()
            try await scheduler.sleep(until: scheduler.now + 30_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
            try await scheduler.sleep(until: scheduler.now + 1_000)
            answer.fulfill(false)
            let result = try await sale.value
            for _ in 0..<4 {
                try await scheduler.sleep(until: scheduler.now + 60_000)
                try await till.deliver(till.backend.takeMessages(), to: client)
            }
            return (result, try await client.payment(PaymentID(id)).amounts)
        }
        #expect(result.payment == nil, "the application did not take the part, and the sale says \(result)")
        // The part, and its return.
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [5_069, 5_069])
        #expect(amounts.captured.isZero && amounts.inDoubt.isZero && amounts.inFlight.isZero, "\(amounts)")
    }

    @Test func part_notTaken_messageWhileItGoesBack_isNoPayment() throws {
        let (till, gate) = (AdyenTill(), Gate())
        var answers = QuestionHandlers()
        answers.handle(PartialApprovalOffer.self) { _ in false }
        let client = try till.client(answers, over: gate.transport(till.transport, at: "/reversals"))
        let result = try till.play { [scheduler = till.scheduler] in
            let id = try AttemptID("part-1")
            let sale = Task(executorPreference: scheduler) { try await client.sale(Self.request(), attempt: id) }
            _ = await gate.reached.value()
            try await till.deliver(till.backend.takeMessages(), to: client)
            try await scheduler.sleep(until: scheduler.now + 1_000)
            gate.opened.fulfill(true)
            let result = try await sale.value
            try await scheduler.sleep(until: scheduler.now + 60_000)
            return result
        }
        #expect(result.payment == nil, "the part goes back, and the sale says \(result)")
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [5_069, 5_069])
    }

    /// The provider says first that it took the part back, and then, late, that it had approved it.
    @Test func part_notTaken_messageOfItsReturnFirst_isNoPayment() throws {
        let till = AdyenTill()
        var answers = QuestionHandlers()
        answers.handle(PartialApprovalOffer.self) { _ in false }
        let client = try till.client(answers)
        let (amounts, attempt) = try till.play { [scheduler = till.scheduler] in
            let id = try AttemptID("part-1")
            _ = try await client.sale(Self.request(), attempt: id)
            var messages = till.backend.takeMessages()
            for _ in 0..<4 {
                try await scheduler.sleep(until: scheduler.now + 60_000)
                messages += till.backend.takeMessages()
            }
            #expect(messages.count == 2)
            for message in messages.reversed() {
                try await till.deliver([message], to: client)
                try await scheduler.sleep(until: scheduler.now + 60_000)
            }
            return (try await client.payment(PaymentID(id)).amounts, try await client.attempt(id))
        }
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [5_069, 5_069])
        #expect(
            amounts.captured.isZero && attempt?.outcome == .notExecuted, "\(amounts), \(String(describing: attempt))")
    }

    /// The message comes before the reply that offers the part.
    @Test(arguments: [true, false])
    func part_toldByAMessageBeforeTheReply_isAnsweredOnceItIsTakenOrReturned(_ isTaken: Bool) throws {
        let (till, late) = (AdyenTill(), Promise<Bool>())
        var answers = QuestionHandlers()
        answers.handle(PartialApprovalOffer.self) { _ in isTaken }
        let client = try till.client(answers, over: Self.holdingFirstReply(till, late).line)
        let other = try till.client(answers)
        let result = try till.play { [scheduler = till.scheduler] in
            let id = try AttemptID("part-1")
            let sale = Task(executorPreference: scheduler) { try await client.sale(Self.request(), attempt: id) }
            try await scheduler.sleep(until: scheduler.now + 10_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
            try await scheduler.sleep(until: scheduler.now + 1_000)
            // Nor does another client answer before.
            do {
                Issue.record("another client says \(try await other.status(id))")
            } catch let error as PaymentError {
                #expect(error.outcome == .unknown && error.attempt == id)
            }
            do {
                let again = try await other.sale(Self.request(), attempt: id, timeout: .seconds(1))
                Issue.record("another client says \(again)")
            } catch let error as PaymentError {
                #expect(error.outcome == .unknown && error.attempt == id)
            }
            let shown = try await other.payment(PaymentID(id))
            #expect(shown.openAttempts.map(\.intent.attempt) == [id] && shown.status == "running", "\(shown.status)")
            late.fulfill(true)
            let result = try await sale.value
            for _ in 0..<4 {
                try await scheduler.sleep(until: scheduler.now + 60_000)
                try await till.deliver(till.backend.takeMessages(), to: client)
            }
            return result
        }
        #expect((result.payment != nil) == isTaken, "the application answers \(isTaken), and the sale says \(result)")
        #expect(till.backend.ledger.movements.count == (isTaken ? 1 : 2))
    }

    /// A line on which the reply to the first payment waits, and whether one does.
    private static func holdingFirstReply(
        _ till: AdyenTill, _ late: Promise<Bool>
    ) -> (line: HookTransport, isHeld: Locked<Bool>) {
        let isHeld = Locked(false)
        let line = HookTransport(till.transport) { request, next throws(TransportFailure) in
            let reply = try await next(request)
            let isPayment = String(decoding: request.body, as: UTF8.self).contains("\"PaymentRequest\"")
            let isFirst = isHeld.withLock { isHeld in
                guard isPayment, !isHeld else { return false }
                isHeld = true
                return true
            }
            if isFirst { _ = await late.value() }
            return reply
        }
        return (line, isHeld)
    }

    /// The terminal is done with the card, and its reply is late.
    @Test func sale_thatAMessageDecided_keepsNoOtherFromTheTerminal() throws {
        let (till, late) = (AdyenTill(), Promise<Bool>())
        let (line, isHeld) = Self.holdingFirstReply(till, late)
        let client = try till.client(QuestionHandlers(), over: line)
        let results = try till.play { [scheduler = till.scheduler] in
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(.cents(1_000), from: .reader, reference: "order-1")
            }
            try await scheduler.sleep(until: scheduler.now + 10_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
            let first = try await sale.value
            let second = try await client.sale(.cents(2_000), from: .reader, reference: "order-2")
            late.fulfill(true)
            return [first, second]
        }
        #expect(isHeld.withLock { $0 } && results.allSatisfy { $0.payment != nil }, "\(results)")
        #expect(till.backend.ledger.movements.count == 2)
    }
}
