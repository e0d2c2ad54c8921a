import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentHTTPServer
import PaymentJournalKit
import PaymentModel
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import PaymentService

/// Each operation: its success and what the journal refuses.
struct OperationTests {
    typealias H = ServiceHarness

    /// A payment of 50.00 EUR, charged or authorized under key 1.
    private static func made(_ shop: H, _ path: String = "/v1/sales") async throws -> String {
        let reply = try await shop.post(path, H.sale("50.00"), 1)
        try #require(reply.status == 201)
        return "/v1/payments/\(reply.payment)"
    }

    // MARK: - Money

    @Test func authorization_isCapturedInParts() throws {
        try H.play { shop in
            let payment = try await Self.made(shop, "/v1/authorizations")
            #expect(try await shop.get(payment).word == "held")
            let part: JSON = ["amount": H.euro("20.00")]
            let captured = try await shop.post("\(payment)/captures", part, 2)
            #expect(captured.status == 201)
            #expect(captured.body["operation"] == "capture")
            let again = try await shop.post("\(payment)/captures", part, 2)
            #expect(again["Idempotency-Replayed"] == "true")
            let whole = try await shop.get(payment)
            #expect(whole.word == "captured")
            #expect(whole.body["amounts"]?["captured"] == H.euro("20.00"))
        }
    }

    /// After a refund no capture begins: nothing is shown as capturable, and what is held still is not called refunded.
    @Test func heldRest_afterARefund_isNotCapturable() throws {
        try H.play { shop in
            let payment = try await Self.made(shop, "/v1/authorizations")
            let part: JSON = ["amount": H.euro("20.00")]
            #expect(try await shop.post("\(payment)/captures", part, 2).status == 201)
            #expect(try await shop.get(payment).body["amounts"]?["capturable"] == H.euro("30.00"))
            #expect(try await shop.post("\(payment)/refunds", part, 3, by: .office).status == 201)
            let shown = try await shop.get(payment)
            #expect(shown.body["amounts"]?["capturable"] == H.euro("0.00"), "\(shown.body)")
            #expect(shown.word == "partlyRefunded")
            let more: JSON = ["amount": H.euro("0.01")]
            #expect(try await shop.post("\(payment)/captures", more, 4).status == 409)
        }
    }

    @Test func capture_ofAll_repeated_isTheSame() throws {
        try H.play { shop in
            let payment = try await Self.made(shop, "/v1/authorizations")
            let all: JSON = ["all": true]
            #expect(try await shop.post("\(payment)/captures", all, 2).status == 201)
            let again = try await shop.post("\(payment)/captures", all, 2)
            #expect(again.status == 201)
            #expect(again["Idempotency-Replayed"] == "true")
            let other: JSON = ["amount": H.euro("50.00")]
            #expect(try await shop.post("\(payment)/captures", other, 2).status == 422)
        }
    }

    @Test func adjustment_changesTheAuthorizedAmount() throws {
        try H.play { shop in
            let payment = try await Self.made(shop, "/v1/authorizations")
            let more: JSON = ["newTotal": H.euro("60.00")]
            #expect(try await shop.post("\(payment)/adjustments", more, 2).status == 201)
            #expect(try await shop.get(payment).body["amounts"]?["authorized"] == H.euro("60.00"))
        }
    }

    @Test func tip_isChanged() throws {
        try H.play { shop in
            let payment = try await Self.made(shop)
            let tip: JSON = ["newTip": H.euro("5.00")]
            #expect(try await shop.post("\(payment)/tips", tip, 2).status == 201)
            #expect(try await shop.post("\(payment)/tips", tip, 2)["Idempotency-Replayed"] == "true")
        }
    }

    /// Who repeats a stored key the next morning must not hand over goods that were refunded since.
    @Test(arguments: ["refunds", "voids"])
    func saleThatWentBackSince_repeatedOrRead_saysSo(_ how: String) throws {
        try H.play { shop in
            let payment = try await Self.made(shop)
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))").body["paymentStatus"] == "approved")
            let body: JSON = how == "refunds" ? ["all": true] : [:]
            let back = try await shop.post("\(payment)/\(how)", body, 2, by: .office)
            let due: JSON = how == "refunds" ? "refunded" : "voided"
            #expect(back.status == 201 && back.body["paymentStatus"] == due, "\(back.body)")
            let again = try await shop.post("/v1/sales", H.sale("50.00"), 1)
            #expect(again.status == 201 && again.body["paymentStatus"] == due, "\(again.body)")
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))").body["paymentStatus"] == due)
        }
    }

    /// Most providers decide a refund later: until then the money is on its way back.
    @Test func saleOfWhichTheRestIsBeingRefunded_repeated_isNoReasonForGoods() throws {
        try H.play { shop in
            let payment = try await Self.made(shop)
            let (one, rest): (JSON, JSON) = (["amount": H.euro("29.85")], ["amount": H.euro("20.15")])
            #expect(try await shop.post("\(payment)/refunds", one, 2, by: .office).status == 201)
            let part = try await shop.post("/v1/sales", H.sale("50.00"), 1)
            #expect(part.status == 201 && part.body["paymentStatus"] == "partlyRefunded", "\(part.body)")
            #expect(try await shop.post("\(payment)/refunds", rest, 3, by: .office).status == 202)
            let again = try await shop.post("/v1/sales", H.sale("50.00"), 1)
            #expect(again.status == 201 && again.body["paymentStatus"] == "refunding", "\(again.body)")
        }
    }

    /// A refund in another currency is in no sum, and takes money back all the same.
    @Test func sale_besideARefundInAnotherCurrency_isNoReasonForGoods() throws {
        let at = Attempt.Instant(wall: 1_767_225_600_000, uptime: 0)
        var sale = Attempt(Attempt.Intent(try AttemptID("s-1"), .sale, Money(minorUnits: 1_000, .eur)))
        let payment = sale.intent.paymentID
        sale.apply(.run(.init(number: 1, account: .none, owner: "till", begunAt: at)))
        sale.apply(.ended(run: 1, .owner, at: at))
        sale.apply(.report(.init(.verdict(.approved(Approval(sale.intent.amount))), .reply, run: 1, entry: 0, at: at)))
        #expect(PaymentRecord([sale]).statusForGoods == "approved")
        let amount = Money(minorUnits: 900, .usd)
        var refund = Attempt(Attempt.Intent(try AttemptID("r-1"), .refund, amount, payment: payment))
        refund.apply(
            .run(.init(number: 1, account: .none, owner: Attempt.Run.provider, begunAt: at, end: .provider)))
        refund.apply(
            .report(
                .init(
                    .verdict(.approved(Approval(amount))), .webhook(id: "m-1", providerTime: nil), run: 1, entry: 1,
                    at: at)))
        #expect(PaymentRecord([sale, refund]).statusForGoods == "refunding")
    }

    /// Nothing but the rest of a hold is released by a void beside which the money stays.
    @Test func sale_whoseVoidIsUnderWay_isNoReasonForGoods() throws {
        let at = Attempt.Instant(wall: 1_767_225_600_000, uptime: 0)
        var sale = Attempt(Attempt.Intent(try AttemptID("s-1"), .sale, Money(minorUnits: 1_000, .eur)))
        sale.apply(.run(.init(number: 1, account: .none, owner: "till", begunAt: at)))
        sale.apply(.ended(run: 1, .owner, at: at))
        sale.apply(.report(.init(.verdict(.approved(Approval(sale.intent.amount))), .reply, run: 1, entry: 0, at: at)))
        var intent = Attempt.Intent(try AttemptID("v-1"), .void, sale.intent.amount, payment: sale.intent.paymentID)
        intent.releasesRest = true
        var void = Attempt(intent)
        void.apply(.run(.init(number: 1, account: .none, owner: "till", begunAt: at)))
        #expect(PaymentRecord([sale, void]).statusForGoods == "voiding")
    }

    @Test func void_undoesThePayment_once() throws {
        try H.play { shop in
            let payment = try await Self.made(shop)
            #expect(try await shop.post("\(payment)/voids", [:], 2, by: .office).status == 201)
            #expect(try await shop.post("\(payment)/voids", [:], 2, by: .office)["Idempotency-Replayed"] == "true")
            #expect(try await shop.get(payment).word == "voided")
            // Without a body as well, and a second void is refused.
            let second = try await H.send(
                shop.service, "POST", "\(payment)/voids", [], by: .office, [HTTPField("idempotency-key", H.uuid(3))])
            #expect(second.status == 409)
        }
    }

    /// A void of a sale returns what was charged, and a lower tip a part of it. A hold that is let go returns nothing.
    @Test func key_thatMayNotRefund_returnsNothing() throws {
        try H.play { (shop: H) async throws -> Void in
            let payment = try await Self.made(shop)
            #expect(try await shop.post("\(payment)/voids", [:], 2).status == 403)
            #expect(try await shop.post("\(payment)/tips", ["newTip": H.euro("5.00")], 3).status == 201)
            #expect(try await shop.post("\(payment)/tips", ["newTip": H.euro("4.99")], 4).status == 403)
            #expect(try await shop.post("\(payment)/tips", ["newTip": H.euro("5.01")], 5).status == 201)
            #expect(shop.movements(2) + shop.movements(4) == 0)
            let hold = try await shop.post("/v1/authorizations", H.sale("10.00", "order-2"), 6)
            #expect(try await shop.post("/v1/payments/\(hold.payment)/voids", [:], 7).status == 201)
        }
    }

    /// The receivers of webhooks get a note to look, and who reads the payment sees why.
    @Test(arguments: ["refunds", "voids"])
    func payment_overMoreThanWasAsked_needsAttention_untilThatIsTakenBack(_ way: String) throws {
        let till = Till()
        let transport = HookTransport(till.transport) { request, next throws(TransportFailure) in
            var reply = try await next(request)
            let text = String(decoding: reply.body, as: UTF8.self).replacing("5000", with: "6000")
            reply.body = Array(text.utf8)
            return reply
        }
        try H.play(till, transport: transport) { (shop: H) async throws -> Void in
            let payment = try await Self.made(shop)
            func kinds() async throws -> [String] {
                (try await shop.get(payment).body["attention"]?.array ?? []).compactMap { $0["kind"]?.string }
            }
            #expect(try await kinds() == ["amount"])
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))").body["attention"]?.array == ["amount"])
            let part: JSON = way == "refunds" ? ["amount": H.euro("10.00")] : [:]
            #expect(try await shop.post("\(payment)/\(way)", part, 2, by: .office).status == 201)
            #expect(try await kinds().isEmpty)
        }
    }

    /// A refund over more than was asked stays given, and the office sees it.
    @Test func refund_overMoreThanWasAsked_needsAttention() throws {
        let till = Till()
        let transport = HookTransport(till.transport) { request, next throws(TransportFailure) in
            var reply = try await next(request)
            let text = String(decoding: reply.body, as: UTF8.self).replacing("2000", with: "2500")
            reply.body = Array(text.utf8)
            return reply
        }
        try H.play(till, transport: transport) { (shop: H) async throws -> Void in
            let payment = try await Self.made(shop)
            let back = try await shop.post("\(payment)/refunds", ["amount": H.euro("20.00")], 2, by: .office)
            #expect(back.body["approvedAmount"]?["value"] == "25.00", "\(back.body)")
            #expect(back.body["attention"] == ["amount"], "\(back.body)")
            let found = try await shop.get(payment).body["attention"]?.array ?? []
            #expect(found.compactMap { $0["kind"]?.string } == ["amount"], "\(found)")
        }
    }

    /// The provider refunds something of the sale under key 1 on its own.
    ///
    /// - Returns: The path of that refund.
    private static func refundAtProvider(_ shop: H, _ amount: Money?) async throws -> String {
        let sale = try await shop.till.journal.attempts(
            .attempt(try AttemptID(H.uuid(1))), after: nil, limit: 1
        ).attempts.first
        var notice = Notice(
            "message-1", try #require(sale?.newest).account, .name("refund-9"), [.refund],
            .approved(Approval(amount ?? .zero(.eur))), at: shop.till.scheduler.now, names: ["refund-9"],
            original: try #require(sale?.names.first?.value))
        notice.amount = amount
        _ = try await shop.till.journal.write(
            JournalEntry(.notice(notice)), WriteID("message-1"),
            at: Attempt.Instant(wall: shop.till.scheduler.now, uptime: 0))
        let shown = try await shop.get("/v1/payments/\(H.uuid(1))").body
        let refund = try #require(shown["attempts"]?.array?.last?["attempt"]?.string)
        return "/v1/attempts/\(refund)"
    }

    @Test func refundAtTheProvider_inAnotherCurrency_needsAttention_untilAPersonSaysHowMuch() throws {
        try H.play { (shop: H) async throws -> Void in
            let payment = try await Self.made(shop)
            let refund = try await Self.refundAtProvider(shop, Money(minorUnits: 600, .usd))
            func kinds() async throws -> [String] {
                (try await shop.get(payment).body["attention"]?.array ?? []).compactMap { $0["kind"]?.string }
            }
            #expect(try await kinds() == ["amount"])
            let seen: JSON = [
                "decision": "acknowledged", "acknowledges": "amount", "amount": H.euro("5.00"), "reason": "The slip.",
            ]
            #expect(try await shop.post("\(refund)/decision", seen, by: .office).status == 200)
            #expect(try await kinds().isEmpty)
        }
    }

    /// Its message names no amount: none is shown, and a person says how much it was.
    @Test func refundAtTheProvider_overAnUnknownAmount_hasNoAmountUntilAPersonSaysIt() throws {
        try H.play { (shop: H) async throws -> Void in
            let payment = try await Self.made(shop)
            let refund = try await Self.refundAtProvider(shop, nil)
            let shown = try await shop.get(refund).body
            #expect(shown["amount"]?.isNull == true && shown["status"] == "inDoubt", "\(shown)")
            let said: JSON = [
                "decision": "executed", "providerName": "refund-9", "amount": H.euro("5.00"), "reason": "The portal.",
            ]
            let reply = try await shop.post("\(refund)/decision", said, by: .office)
            #expect(reply.status == 200 && reply.body["approvedAmount"] == H.euro("5.00"), "\(reply.body)")
            #expect(try await shop.get(payment).body["amounts"]?["refunded"] == H.euro("5.00"))
        }
    }

    /// A person says an amount, then another one by mistake, and then the first one again: the last statement counts.
    @Test func amountOfAMovement_correctedBack_isWhatThePersonSaidLast() throws {
        try H.play { (shop: H) async throws -> Void in
            let payment = try await Self.made(shop)
            let refund = try await Self.refundAtProvider(shop, Money(minorUnits: 600, .usd))
            for amount in ["5.00", "4.50", "5.00", "5.00"] {
                let said: JSON = [
                    "decision": "acknowledged", "acknowledges": "amount", "amount": H.euro(amount),
                    "reason": "The slip.",
                ]
                let reply = try await shop.post("\(refund)/decision", said, by: .office)
                #expect(reply.status == 200, "\(reply.body)")
                #expect(reply.body["approvedAmount"]?["value"] == .string(amount), "\(reply.body)")
                let amounts = try await shop.get(payment).body["amounts"]
                #expect(amounts?["refunded"]?["value"] == .string(amount), "\(amounts ?? .null)")
            }
        }
    }

    /// A spent id names no payment, so that nothing follows it.
    @Test func payment_ofAnIdThatWasCancelledUnasked_is404() throws {
        try H.play { (shop: H) async throws -> Void in
            #expect(try await shop.post("/v1/attempts/\(H.uuid(1))/cancel").status == 200)
            let payment = "/v1/payments/\(H.uuid(1))"
            #expect(try await shop.get(payment, by: .office).status == 404)
            #expect(try await shop.post("\(payment)/refunds", ["all": true], 2, by: .office).status == 404)
            #expect(try await shop.post("\(payment)/voids", [:], 3, by: .office).status == 404)
        }
    }

    /// A UUID is one in any case, for the library as for the service.
    @Test func id_thatIsAUUIDInUpperCase_isTheSame() throws {
        try H.play { (shop: H) async throws -> Void in
            let upper = H.uuid(1).uppercased()
            #expect(try AttemptID(upper) == AttemptID(H.uuid(1)) && AttemptID("Sale-A") != AttemptID("sale-a"))
            let payment = try await Self.made(shop)
            #expect(try await shop.get("/v1/payments/\(upper)").body == shop.get(payment).body)
        }
    }

    @Test func refund_ofAPart_thenOfTheRest() throws {
        try H.play { shop in
            let payment = try await Self.made(shop)
            let part: JSON = ["amount": H.euro("20.00")]
            #expect(try await shop.post("\(payment)/refunds", part, 2, by: .office).status == 201)
            #expect(try await shop.get(payment).word == "partlyRefunded")
            let same = try await shop.post("\(payment)/refunds", part, 3, by: .office)
            #expect(same.status == 409)
            #expect(same.word == "referenceInUse")
            let named: JSON = ["amount": H.euro("20.00"), "reference": "item 2"]
            #expect(try await shop.post("\(payment)/refunds", named, 3, by: .office).status == 201)
            let rest: JSON = ["all": true]
            #expect(try await shop.post("\(payment)/refunds", rest, 4, by: .office).status == 201)
            #expect(try await shop.get(payment).word == "refunded")
            #expect(try await shop.get(payment).body["amounts"]?["refundable"] == H.euro("0.00"))
        }
    }

    @Test func refund_ofMoreThanIsLeft_is409() throws {
        try H.play { shop in
            let payment = try await Self.made(shop)
            let more: JSON = ["amount": H.euro("50.01")]
            let reply = try await shop.post("\(payment)/refunds", more, 2, by: .office)
            #expect(reply.status == 409)
            #expect(reply.word == "amountTooHigh")
            #expect(reply.outcome == "notExecuted")
            #expect(shop.movements(2) == 0)
        }
    }

    @Test func refund_inAnotherCurrency_is409() throws {
        try H.play { shop in
            let payment = try await Self.made(shop)
            let yen: JSON = ["amount": ["value": "10", "currency": "JPY"]]
            let reply = try await shop.post("\(payment)/refunds", yen, 2, by: .office)
            #expect(reply.status == 409)
            #expect(reply.outcome == "notExecuted")
            #expect(shop.movements(2) == 0)
            let both: JSON = ["amount": H.euro("1.00"), "all": true]
            let neither = try await shop.post("\(payment)/refunds", [:], 2, by: .office)
            #expect(neither.status == 400)
            #expect(try await shop.post("\(payment)/refunds", both, 2, by: .office).status == 400)
        }
    }

    @Test func followUp_onAPaymentThatWasDeclined_is409() throws {
        try H.play { shop in
            let declined = try await shop.post("/v1/sales", H.sale("20.51"), 1)
            let reply = try await shop.post("/v1/payments/\(declined.payment)/voids", [:], 2)
            #expect(reply.status == 409)
            #expect(reply.outcome == "notExecuted")
        }
    }

    @Test func followUp_onAPaymentThatIsNotThere_is404() throws {
        try H.play { shop in
            let reply = try await shop.post("/v1/payments/\(H.uuid(9))/voids", [:], 2)
            #expect(reply.status == 404)
            #expect(reply.word == "notFound")
        }
    }

    @Test func unlinkedRefund_isForTheOffice_andOncePerReference() throws {
        try H.play { shop in
            let refund: JSON = ["amount": H.euro("5.00"), "reference": "goodwill-1"]
            let reply = try await shop.post("/v1/refunds", refund, 1, by: .office)
            #expect(reply.status == 201)
            #expect(reply.body["operation"] == "unlinkedRefund")
            #expect(try await shop.post("/v1/refunds", refund, 2, by: .office).status == 409)
            let ofNothing = refund.adding("payment", .string(H.uuid(9)))
            let wrong = try await shop.post("/v1/refunds", ofNothing, 3, by: .office)
            #expect(wrong.status == 404)
        }
    }

    /// The answer that received a refund has its receipt, and the message that decides it has none.
    @Test func receipt_ofARefundThatWasReceived_isThereBeforeAndAfterItsDecision() throws {
        let amount = Money(minorUnits: 500, .eur)
        var receipt = Receipt()
        receipt.authorizationCode = "123456"
        receipt.add([.init("84", "A0000000031010"), .init("5F24", "291231")])
        var parts = Quote.Breakdown(base: Money(minorUnits: 450, .eur), total: amount)
        parts.surcharge = Money(minorUnits: 50, .eur)
        receipt.breakdown = parts
        var pending = Pending(shouldPoll: false)
        pending.receipt = receipt
        let at = Attempt.Instant(wall: 1_767_225_600_000, uptime: 0)
        let payment = PaymentID(try AttemptID("s-1"))
        var refund = Attempt(Attempt.Intent(try AttemptID("r-1"), .refund, amount, payment: payment))
        refund.apply(.run(.init(number: 1, account: .none, owner: "till", begunAt: at)))
        refund.apply(.ended(run: 1, .owner, at: at))
        for (entry, verdict) in [Verdict.pending(pending), .approved(Approval(amount))].enumerated() {
            refund.apply(.report(.init(.verdict(verdict), .reply, run: 1, entry: entry, at: at)))
            let view = try #require(ReceiptView.all(of: PaymentRecord([refund])).first)
            let shown = ReceiptView.shape.json(view, for: .viewer)
            #expect(shown["status"]?.string == ["pending", "approved"][entry], "\(shown)")
            #expect(shown["authorizationCode"] == "123456", "\(shown)")
            #expect(shown["breakdown"]?["surcharge"] == H.euro("0.50"), "\(shown)")
            #expect(shown["tags"] == [["tag": "84", "value": "A0000000031010"]], "\(shown)")
        }
    }

    // MARK: - Attempts

    @Test func attempt_thatIsNotThere_is404() throws {
        try H.play { shop in
            let reply = try await shop.get("/v1/attempts/\(H.uuid(9))")
            #expect(reply.status == 404)
            #expect(reply.outcome == nil)
            #expect(try await shop.post("/v1/attempts/\(H.uuid(9))/lookup").status == 404)
        }
    }

    @Test func lookup_isMadeOnceInFiveSeconds() throws {
        try H.play { shop in
            _ = try await shop.post("/v1/sales", H.sale("20.15"), 1)
            let before = shop.till.backend.requestCount
            _ = try await shop.post("/v1/attempts/\(H.uuid(1))/lookup")
            let looked = shop.till.backend.requestCount
            #expect(looked > before)
            _ = try await shop.post("/v1/attempts/\(H.uuid(1))/lookup")
            #expect(shop.till.backend.requestCount == looked)
            shop.till.scheduler.advance(by: 5_001)
            _ = try await shop.post("/v1/attempts/\(H.uuid(1))/lookup")
            #expect(shop.till.backend.requestCount > looked)
        }
    }

    @Test func decision_ofADecidedAttempt_is409() throws {
        try H.play { shop in
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            let decision: JSON = ["decision": "notExecuted", "reason": "Seen in the portal."]
            let reply = try await shop.post("/v1/attempts/\(H.uuid(1))/decision", decision, by: .office)
            #expect(reply.status == 409)
            #expect(reply.body["other"]?["status"] == "approved")
        }
    }

    @Test func decision_ofAPendingAttempt_decides_andKeepsWhoAndWhy() throws {
        try H.play { shop in
            _ = try await shop.post("/v1/sales", H.sale("20.15"), 1)
            let path = "/v1/attempts/\(H.uuid(1))/decision"
            let unnamed: JSON = ["decision": "executed", "reason": "Seen in the portal."]
            let wrong = try await shop.post(path, unnamed, by: .office)
            #expect(wrong.pointers == ["/providerName"])
            let reply = try await shop.post(path, unnamed.adding("providerName", "P-17"), by: .office)
            #expect(reply.status == 200)
            #expect(reply.word == "approved")
            #expect(reply.body["by"] == "office")
            #expect(reply.body["resolutionReason"] == "Seen in the portal.")
            #expect(try await shop.post("/v1/sales", H.sale("20.15"), 1).status == 201)
        }
    }

    /// A chargeback asks for a person over HTTP as on the command line: a refund beside it waits for the acknowledgement.
    @Test func chargeback_isShown_andRefundBesideItWaitsForItsAcknowledgement() throws {
        try H.play { shop in
            let sold = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            let sale = try await shop.till.journal.attempts(
                .attempt(try AttemptID(H.uuid(1))), after: nil, limit: 1
            ).attempts.first
            let run = try #require(sale?.newest)
            var notice = Notice(
                "message-1", run.account, .name("dispute-1"), [.chargeback],
                .approved(Approval(Money(minorUnits: 500, .eur))), at: shop.till.scheduler.now, names: ["dispute-1"],
                original: try #require(sale?.names.first?.value))
            notice.amount = Money(minorUnits: 500, .eur)
            _ = try await shop.till.journal.write(
                JournalEntry(.notice(notice)), WriteID("message-1"),
                at: Attempt.Instant(wall: shop.till.scheduler.now, uptime: 0))

            let payment = try await shop.get("/v1/payments/\(sold.payment)")
            #expect(payment.body["amounts"]?["chargedBack"]?["value"] == "5.00")
            #expect(payment.body["attention"]?.array?.first?["kind"] == "chargeback", "\(payment.body)")
            let taken = try #require(payment.body["attempts"]?.array?.last)
            #expect(taken["attention"] == ["chargeback"])
            let id = try #require(taken["attempt"]?.string)
            let refund: JSON = ["amount": H.euro("2.00")]
            let refused = try await shop.post("/v1/payments/\(sold.payment)/refunds", refund, 2, by: .office)
            #expect(refused.status == 409 && shop.movements(2) == 0, "\(refused.body)")

            let path = "/v1/attempts/\(id)/decision"
            let seen: JSON = ["decision": "acknowledged", "acknowledges": "chargeback", "reason": "It was broken."]
            #expect(try await shop.post(path, seen, by: .till).status == 403)
            #expect(try await shop.post(path, seen, by: .other).status == 404)
            for _ in 1...2 {
                let reply = try await shop.post(path, seen, by: .office)
                #expect(reply.status == 200 && reply.body["attention"] == [], "\(reply.body)")
            }
            let paid = try await shop.post("/v1/payments/\(sold.payment)/refunds", refund, 3, by: .office)
            #expect(paid.status == 201, "\(paid.body)")
        }
    }

    /// A sale is declined, the order is sold again, and then the provider reports the first sale as approved.
    @Test func orderThatIsPaidTwice_showsInListAndPayment_untilOneIsRefunded() throws {
        try H.play { shop in
            #expect(try await shop.post("/v1/sales", H.sale("20.51"), 1).word == "declined")
            let first = try AttemptID(H.uuid(1))
            let second = try await shop.post("/v1/sales", H.sale("20.00"), 2)
            #expect(second.status == 201)
            #expect(try await shop.get("/v1/payments/\(second.payment)").body["attention"] == [])

            let sale = try await shop.till.journal.attempts(.attempt(first), after: nil, limit: 1).attempts.first
            let late = Notice(
                "message-1", try #require(sale?.newest).account, .attempt(first), [.sale],
                .approved(Approval(Money(minorUnits: 2_051, .eur))), at: shop.till.scheduler.now, names: ["psp-1"])
            _ = try await shop.till.journal.write(
                JournalEntry(.notice(late)), WriteID("message-1"),
                at: Attempt.Instant(wall: shop.till.scheduler.now, uptime: 0))

            func kinds(_ payment: JSON?) -> [String] {
                payment?["attention"]?.array?.compactMap { $0["kind"]?.string }.sorted() ?? ["none"]
            }
            let listed = try await shop.get("/v1/payments", by: .office).body["items"]?.array ?? []
            #expect(listed.map(kinds) == [["activeTwice"], ["activeTwice", "contradiction"]], "\(listed)")
            let shown = try await shop.get("/v1/payments/\(second.payment)").body
            #expect(shown["attention"]?.array?.first?["text"]?.string?.contains("\(first)") == true, "\(shown)")
            let refund: JSON = ["amount": H.euro("20.00")]
            let back = try await shop.post("/v1/payments/\(second.payment)/refunds", refund, 3, by: .office)
            #expect(back.status == 201, "\(back.body)")
            #expect(try await shop.get("/v1/payments/\(second.payment)").body["attention"] == [])
        }
    }

    // MARK: - Reading

    @Test func payments_areListedNewestFirst_pageByPage() throws {
        try H.play { shop in
            for number in 1...5 {
                _ = try await shop.post("/v1/sales", H.sale("1\(number).00", "order-\(number)"), number)
            }
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 6, by: .other)
            var (seen, next) = ([String](), "")
            repeat {
                let page = try await shop.get("/v1/payments?limit=2" + (next.isEmpty ? "" : "&cursor=\(next)"))
                seen += (page.body["items"]?.array ?? []).compactMap { $0["reference"]?.string }
                next = page.body["next"]?.string ?? ""
            } while !next.isEmpty
            let text = try await shop.get("/v1/payments?limit=2").body["next"]?.string ?? ""
            #expect(!text.isEmpty && text.utf8.allSatisfy { (97...122).contains($0) })
            #expect(seen == ["order-5", "order-4", "order-3", "order-2", "order-1"])
            let first = try await shop.get("/v1/payments?limit=2")
            let cursor = first.body["next"]?.string ?? ""
            #expect(try await shop.get("/v1/payments?limit=2&status=open&cursor=\(cursor)").status == 409)
        }
    }

    @Test func payments_areFiltered() throws {
        try H.play { shop in
            _ = try await shop.post("/v1/sales", H.sale("12.50", "order-1"), 1)
            _ = try await shop.post("/v1/sales", H.sale("20.15", "order 2"), 2)
            _ = try await shop.post("/v1/sales", H.sale("20.51", "order-3"), 3)
            func found(_ query: String) async throws -> [String] {
                let items = try await shop.get("/v1/payments?\(query)").body["items"]?.array ?? []
                return items.compactMap { $0["reference"]?.string }
            }
            let (open, declined) = (try await found("status=open"), try await found("status=declined"))
            #expect(open == ["order 2"])
            #expect(declined == ["order-3"])
            let (named, none) = (try await found("reference=order+2"), try await found("provider=unknown"))
            #expect(named == ["order 2"])
            #expect(none.isEmpty)
        }
    }

    @Test func events_andReceipt_ofAPayment() throws {
        try H.play { shop in
            let payment = try await Self.made(shop)
            let events = try await shop.get("\(payment)/events", by: .viewer)
            let kinds = (events.body["items"]?.array ?? []).compactMap { $0["kind"]?.string }
            #expect(kinds.contains("submitted") && kinds.contains("approved"))
            let receipts = try await shop.get("\(payment)/receipt", by: .viewer)
            #expect(receipts.body["items"]?.array?.count == 1)
        }
    }

    @Test func self_providers_readers_ready() throws {
        try H.play { shop in
            let own = try await shop.get("/v1/self", by: .viewer)
            #expect(own.body["shop"] == "berlin")
            #expect(own.body["role"] == "viewer")
            let providers = try await shop.get("/v1/providers")
            #expect(providers.body["items"]?[0]?["provider"] == "memory")
            #expect(providers.body["items"]?[0]?["capabilities"]?["sale"] == true)
            let readers = try await shop.get("/v1/readers")
            #expect(readers.status == 200)
            #expect(try await shop.get("/ready", by: .none).body["isReady"] == true)
            let problem = try await shop.get("/problems/referenceInUse", by: .none)
            #expect(problem.body["status"] == 409)
            #expect(try await shop.get("/problems/nothing", by: .none).status == 404)
        }
    }

    /// It was executed a day before the sale began.
    @Test func disputedApproval_isInThePaymentsAttention_asInItsAttempts() throws {
        try H.play { shop in
            #expect(try await shop.post("/v1/sales", H.sale("20.15"), 1).word == "pending")
            let id = try AttemptID(H.uuid(1))
            let sale = try await shop.till.journal.attempts(.attempt(id), after: nil, limit: 1).attempts.first
            var approval = Approval(Money(minorUnits: 2_015, .eur))
            approval.executedAt = shop.till.scheduler.now - 86_400_000
            let notice = Notice(
                "message-1", try #require(sale?.newest).account, .attempt(id), [.sale], .approved(approval),
                at: shop.till.scheduler.now, names: ["psp-9"])
            _ = try await shop.till.journal.write(
                JournalEntry(.notice(notice)), WriteID("message-1"),
                at: Attempt.Instant(wall: shop.till.scheduler.now, uptime: 0))
            let payment = try await shop.get("/v1/payments/\(H.uuid(1))").body
            #expect(payment["attempts"]?[0]?["attention"] == ["disputed"], "\(payment)")
            #expect(payment["attention"]?.array?.first?["kind"] == "disputed", "\(payment)")
        }
    }
}
