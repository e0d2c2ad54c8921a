import PaymentCore
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import AdyenProvider

/// A tip that the till sends: the terminal charges it on top of what is requested, and the shopper may change it there.
@Suite struct AdyenTipTests {
    private static func euros(_ units: Int64) -> Money { Money(minorUnits: units, .eur) }

    private static func request(_ units: Int64, tip: Int64) -> SaleRequest {
        var request = SaleRequest(euros(units), from: .reader, reference: "order-1")
        request.tip = euros(tip)
        return request
    }

    /// What a sale came to, which amounts the terminal was asked for, and how often it was asked what became of one.
    private struct Played {
        let result: Result<PaymentResult, PaymentError>
        let asked: [JSON]
        let questions: Int
        /// The events that a merchant should look at.
        let alarms: [PaymentEvent.Kind]

        var approved: Money? { (try? result.get())?.payment?.approved }
        var error: PaymentError? {
            if case .failure(let error) = result { return error }
            return nil
        }
    }

    /// Sells on the till, lets the provider's messages arrive, and gives what happened.
    private func sell(
        _ till: AdyenTill, _ request: SaleRequest, holds: Bool = false, answers: QuestionHandlers = QuestionHandlers(),
        bending bend: @escaping @Sendable (JSON) -> JSON = { $0 }
    ) throws -> Played {
        let (asked, questions) = (Locked([JSON]()), Locked(0))
        let line = HookTransport(till.transport) { request, next throws(TransportFailure) in
            let message = NexoMessage(try? JSONReader().read(request.body))
            if let amounts = message?.body.member("PaymentTransaction", "AmountsReq") {
                asked.withLock { $0.append(amounts) }
            }
            if message?.header.category == .status { questions.withLock { $0 += 1 } }
            var reply = try await next(request)
            if let said = try? JSONReader().read(reply.body) { reply.body = bend(said).bytes() }
            return reply
        }
        let client = try till.client(answers, over: line)
        return try till.play { [scheduler = till.scheduler] in
            let attempt = try AttemptID("tip-1")
            let result: Result<PaymentResult, PaymentError>
            do throws(PaymentError) {
                result = .success(
                    holds
                        ? try await client.authorize(request, attempt: attempt)
                        : try await client.sale(request, attempt: attempt))
            } catch { result = .failure(error) }
            try await scheduler.sleep(until: scheduler.now + 1_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
            let timeline = (try? await client.timeline(of: PaymentID(attempt))) ?? []
            return Played(
                result: result, asked: asked.withLock { $0 }, questions: questions.withLock { $0 },
                alarms: timeline.map(\.kind).filter { $0 == .otherAmount || $0 == .contradiction })
        }
    }

    private static let number: @Sendable (JSON?) -> String? = { $0?.number?.text }

    @Test(arguments: [false, true]) func tip_sentByTill_isTakenOnce(holds: Bool) throws {
        let till = AdyenTill()
        let played = try sell(till, Self.request(1_200, tip: 200), holds: holds)
        #expect(played.asked.map { Self.number($0["RequestedAmount"]) } == ["10.00"])
        #expect(played.asked.map { Self.number($0["TipAmount"]) } == ["2.00"])
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [1_200])
        #expect(played.approved == Self.euros(1_200) && played.alarms.isEmpty && played.questions == 0)
    }

    @Test(arguments: [AdyenConfiguration.Integration.cloudAsync, .local])
    func tip_overAnotherLink_isTakenOnce(_ link: AdyenConfiguration.Integration) throws {
        let till = AdyenTill()
        let client = try till.client { $0.link = link }
        let result = try till.play { try await client.sale(Self.request(1_200, tip: 200)) }
        #expect(result.payment?.approved == Self.euros(1_200))
        #expect(result.payment?.receipt?.breakdown?.base == Self.euros(1_000))
        #expect(result.payment?.receipt?.breakdown?.tip == Self.euros(200))
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [1_200])
    }

    @Test func tip_onPhone_isTakenOnce() throws {
        let till = AdyenKitTill()
        let result = try till.play { try await $0.sale(Self.request(1_200, tip: 200)) }
        #expect(result.payment?.approved == Self.euros(1_200))
        #expect(result.payment?.receipt?.breakdown?.base == Self.euros(1_000))
        #expect(till.charged == [1_200])
    }

    /// The kit's answer is lost, and no phone can be asked: the webhook says what was charged, and it counts.
    @Test(arguments: [("declined", Int64(1_000)), ("raised", 1_400), ("on-top", 1_200)])
    func tip_onPhoneWhoseAnswerIsLost_isReportedByTheWebhook(_ reading: String, _ charged: Int64) throws {
        let till = AdyenKitTill()
        if reading != "on-top" { #expect(till.backend.play("adyen.tip.sent.\(reading)")) }
        till.kit.play(.loses(.init(rawValue: "deviceConnectionFailure")))
        let client = try till.client()
        let (error, result) = try till.scheduler.run {
            var failure: PaymentError?
            let attempt = try AttemptID("tip-1")
            do { _ = try await client.sale(Self.request(1_200, tip: 200), attempt: attempt) } catch {
                failure = error as? PaymentError
            }
            try await till.inner.deliver(till.backend.takeMessages(), to: client)
            return (failure, try await client.status(attempt))
        }
        #expect(error?.outcome == .unknown && till.charged == [charged])
        #expect(result.payment?.approved == Self.euros(charged))
        #expect(result.payment?.amounts.refundable == Self.euros(charged))
    }

    @Test func tip_declinedAtTerminalThenRefundedInFull_leavesNothing() throws {
        let till = AdyenTill()
        #expect(till.backend.play("adyen.tip.sent.declined"))
        let client = try till.client()
        let amounts = try till.play {
            let sold = try #require(try await client.sale(Self.request(1_200, tip: 200)).payment)
            try await client.refund(sold.id)
            try await till.scheduler.sleep(until: till.scheduler.now + 60_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
            return try await client.payment(sold.id).amounts
        }
        #expect(amounts.captured == Self.euros(1_000) && amounts.refunded == Self.euros(1_000))
        #expect(till.backend.ledger.balance(.merchant)["EUR"] ?? 0 == 0)
    }

    @Test func tip_ofTheWholeAmountOrMore_isRefusedBeforeSending() throws {
        for tip: Int64 in [1_000, 1_001] {
            let till = AdyenTill()
            let played = try sell(till, Self.request(1_000, tip: tip))
            #expect(played.error == PaymentError(.invalidRequest, outcome: .notExecuted))
            #expect(played.error?.detail.contains("tip") == true)
            #expect(played.asked.isEmpty && till.backend.ledger.movements.isEmpty)
        }
        let asked = try sell(AdyenTill(), Self.request(1_000, tip: 999)).asked
        #expect(asked.map { Self.number($0["RequestedAmount"]) } == ["0.01"])
    }

    @Test(arguments: [(Int64(1_200), Int64(200)), (1_000, 900), (1_000, 990)])
    func tip_declinedAtTerminal_isAnApprovalOfTheRest(amount: Int64, tip: Int64) throws {
        let till = AdyenTill()
        #expect(till.backend.play("adyen.tip.sent.declined"))
        let played = try sell(till, Self.request(amount, tip: tip))
        #expect(played.approved == Self.euros(amount - tip))
        #expect(played.alarms.isEmpty && played.questions == 0)
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [amount - tip])
    }

    @Test func tip_raisedAtTerminal_isAnApprovalOfMore() throws {
        let till = AdyenTill()
        #expect(till.backend.play("adyen.tip.sent.raised"))
        let played = try sell(till, Self.request(1_200, tip: 200))
        #expect(played.approved == Self.euros(1_400) && played.alarms.isEmpty && played.questions == 0)
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [1_400])
    }

    /// What a terminal charges when it takes the tip for a part of what is requested is seen, and told as it is.
    @Test func tip_takenForAPartOfTheRequest_isNoticed() throws {
        let till = AdyenTill()
        #expect(till.backend.play("adyen.tip.sent.inside"))
        let played = try sell(till, Self.request(1_200, tip: 200))
        #expect(played.approved == Self.euros(1_000) && played.alarms.contains(.otherAmount))
    }

    @Test func tip_andLessThanTheRest_isNotExplained() throws {
        let till = AdyenTill()
        let played = try sell(till, Self.request(1_000, tip: 200)) { said in
            guard said["SaleToPOIResponse"]?["PaymentResponse"] != nil else { return said }
            let text = String(decoding: said.bytes(), as: UTF8.self)
                .replacing(/"AuthorizedAmount":[0-9.]+/, with: "\"AuthorizedAmount\":1.00")
                .replacing(/posAuthAmountValue=[0-9]+/, with: "posAuthAmountValue=100")
            return (try? JSONReader().read(Array(text.utf8))) ?? said
        }
        #expect(played.error?.outcome != .notExecuted)
        #expect(played.approved != Self.euros(100) && played.alarms.contains(.otherAmount))
    }

    /// Only the terminal's own word of a tip explains more than was asked for.
    @Test func tip_andMoreInAnAnswerWithoutATip_isNotExplained() throws {
        let till = AdyenTill()
        let played = try sell(till, Self.request(1_200, tip: 200)) { said in
            let text = String(decoding: said.bytes(), as: UTF8.self)
                .replacing(/"AuthorizedAmount":[0-9.]+/, with: "\"AuthorizedAmount\":50.00")
                .replacing(/,"TipAmount":[0-9.]+/, with: "")
                .replacing(/posAuthAmountValue=[0-9]+/, with: "posAuthAmountValue=5000")
            return (try? JSONReader().read(Array(text.utf8))) ?? said
        }
        #expect(played.alarms.contains(.otherAmount))
    }

    @Test(arguments: [(Int64(1_000), true), (1_100, true), (1_201, false), (5_000, false)])
    func tip_andAnAnswerWithoutATip_explainsLessAlone(_ units: Int64, _ isExplained: Bool) {
        let said = Verdict.approved(Approval(Self.euros(units)))
        guard case .approved(let approval) = AdyenMapping.tipped(said, asked: Self.euros(1_200), tip: Self.euros(200))
        else {
            Issue.record("it is no approval any more")
            return
        }
        #expect(approval.isPartial == isExplained)
    }

    @Test func tip_ofAPartThatWasApproved_isOfferedOnce() throws {
        let (till, offered) = (AdyenTill(), Locked([Money]()))
        var answers = QuestionHandlers()
        answers.handle(PartialApprovalOffer.self) { offer in
            offered.withLock { $0.append(offer.approved) }
            return true
        }
        var request = Self.request(1_339, tip: 200)
        request.acceptsPartialApproval = true
        let played = try sell(till, request, answers: answers)
        #expect(offered.withLock { $0 } == [Self.euros(669)] && played.approved == Self.euros(669))
        // A tip that the shopper declines is no part, and the application is not asked about it.
        let other = AdyenTill()
        #expect(other.backend.play("adyen.tip.sent.declined"))
        var whole = Self.request(1_200, tip: 200)
        whole.acceptsPartialApproval = true
        #expect(try sell(other, whole, answers: answers).approved == Self.euros(1_000))
        #expect(offered.withLock { $0.count } == 1)
    }

    // MARK: Finished requests

    private static func finished(_ requested: String, tip: String) throws -> PreparedRequest {
        PreparedRequest(
            Array(
                """
                {"SaleToPOIRequest":{"MessageHeader":{"ProtocolVersion":"3.0","MessageClass":"Service",\
                "MessageCategory":"Payment","MessageType":"Request","ServiceID":"BACK000001","SaleID":"BACK",\
                "POIID":"\(AdyenSimulator.terminal)"},"PaymentRequest":{"SaleData":{"SaleTransactionID":{"TransactionID":\
                "order 1001","TimeStamp":"2026-01-05T09:15:00.000Z"}},"PaymentTransaction":{"AmountsReq":\
                {"Currency":"EUR","RequestedAmount":\(requested),"TipAmount":\(tip)}}}}}
                """.utf8))
    }

    @Test func tip_inAFinishedRequest_isAPartOfItsAmount() throws {
        let till = AdyenTill()
        let client = try till.client()
        let finished = try AdyenPreparedRequest(Self.finished("10.00", tip: "2.00"))
        #expect(finished.amount == Self.euros(1_200))
        let result = try till.play { try await client.perform(finished) }
        #expect(result.payment?.approved == Self.euros(1_200) && result.payment?.requested == Self.euros(1_200))
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [1_200])
    }

    @Test func tip_inAFinishedRequest_hasToBeAskedFor() throws {
        for (amount, tip) in [(Int64(1_000), Int64?.none), (1_200, nil), (1_200, 100)] {
            let till = AdyenTill()
            let client = try till.client()
            var request = SaleRequest(Self.euros(amount), from: .reader, reference: "order-1")
            (request.tip, request.prepared) = (tip.map(Self.euros), try Self.finished("10.00", tip: "2.00"))
            #expect(throws: PaymentError(.invalidRequest, outcome: .notExecuted)) {
                try till.play { [request] in _ = try await client.sale(request) }
            }
            #expect(till.backend.ledger.movements.isEmpty)
        }
    }
}
