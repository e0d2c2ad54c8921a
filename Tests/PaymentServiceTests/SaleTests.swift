import MemoryProvider
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

/// What a sale answers, whatever becomes of it.
struct SaleTests {
    typealias H = ServiceHarness

    @Test func sale_approved_is201() throws {
        try H.play { shop in
            let reply = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            #expect(reply.status == 201)
            #expect(reply.word == "approved")
            #expect(reply.outcome == "executed")
            #expect(reply["Location"] == "/v1/attempts/\(H.uuid(1))")
            #expect(reply["Payments-Version"] == "1")
            #expect(reply["Cache-Control"] == "no-store")
            #expect(reply["Idempotency-Replayed"] == nil)
            #expect(reply.body["approvedAmount"] == H.euro("12.50"))
            #expect(reply.body["isRecorded"] == true)
            #expect(shop.movements(1) == 1)
        }
    }

    @Test func sale_declined_is402() throws {
        try H.play { shop in
            let reply = try await shop.post("/v1/sales", H.sale("20.51"), 1)
            #expect(reply.status == 402)
            #expect(reply.word == "declined")
            #expect(reply.outcome == "notExecuted")
            #expect(reply.body["decline"]?["reason"] == "insufficientFunds")
            // A till shows the reason; what the provider says is for the office.
            #expect(reply.body["decline"]?["message"] == .null)
            #expect(reply.body["problem"]?["code"] == "declined")
            #expect(reply.body["problem"]?["retry"] == "safe")
            let again = try await shop.post("/v1/sales", H.sale("20.51"), 1)
            #expect(again.status == 402)
            #expect(again["Idempotency-Replayed"] == "true")
        }
    }

    /// After the switch a till continues with an instrument of the old provider: the new one is not asked for it.
    @Test func sale_fromAnInstrumentThatTheOldProviderKeeps_isNotSentToTheNewOne() throws {
        let till = Till()
        let (second, origin) = (MemoryBackend(clock: till.scheduler), Origin(.http, "second.test", 80))
        let transport = InProcessTransport([Till.origin: till.backend, origin: second])
        let new = MemoryConfiguration(
            name: "new", endpoint: origin, merchant: "m-2", secret: Secret("memory-client-secret"))
        func service(_ routing: Routing) throws -> PaymentService {
            var options = till.dependencies
            options.scope = "berlin"
            let drivers: [any PaymentDriver] = [till.driver(transport, name: "old"), MemoryDriver(new, transport)]
            let client = try PaymentClient(drivers: drivers, routing: routing, options)
            return try H.service([ServiceShop("berlin", scope: "berlin", client: client)]) { options in
                (options.clock, options.random, options.executor) = (till.scheduler, till.random, till.scheduler)
            }
        }
        var switched = Routing(active: "new")
        switched.draining = ["old"]
        let (before, after) = (try service(Routing(active: "old")), try service(switched))
        try till.play {
            let saving = H.sale("12.50").adding("save", true).adding("customer", "c-1")
            let kept = try await H.post(before, "/v1/sales", saving, 1)
            let instrument = try #require(kept.body["saved"]?.string)
            let sale = H.sale("12.50", "order-2").adding("source", "saved").adding("saved", .string(instrument))
            let reply = try await H.post(after, "/v1/sales", sale, 2)
            #expect(reply.status != 201, "\(reply.body)")
            #expect(second.ledger.movements.isEmpty)
        }
    }

    /// The entry of the provider gets another name between a sale and its repeat.
    @Test(arguments: [false, true])
    func sale_fromAStoredCardWhoseProviderWasRenamed_repeated_isReplayed(_ isShort: Bool) throws {
        let till = Till()
        func service(_ name: String) throws -> PaymentService {
            var options = till.dependencies
            options.scope = "berlin"
            let client = try PaymentClient(
                drivers: [till.driver(name: name)], routing: Routing(active: ProviderID(rawValue: name)), options)
            return try H.service([ServiceShop("berlin", scope: "berlin", client: client)]) { options in
                (options.clock, options.random, options.executor) = (till.scheduler, till.random, till.scheduler)
            }
        }
        let (before, after) = (try service("old"), try service("renamed"))
        try till.play {
            let saving = H.sale("12.50").adding("save", true).adding("customer", "c-1")
            let kept = try await H.post(before, "/v1/sales", saving, 1)
            let whole = try #require(kept.body["saved"]?.string)
            let bare = try #require(whole.split(separator: ":").last)
            let sale = H.sale("12.50", "order-2").adding("source", "saved").adding("customer", "c-1")
                .adding("saved", .string(isShort ? "old:\(bare)" : whole))
            let sold = try await H.post(before, "/v1/sales", sale, 2)
            #expect(sold.status == 201, "\(sold.body)")
            let again = try await H.post(after, "/v1/sales", sale, 2)
            #expect(again.status == 201 && again["Idempotency-Replayed"] == "true", "\(again.body)")
        }
    }

    /// Berlin and Paris have a customer of one name each, and one account.
    @Test func sale_ofACustomerWhoseNameAnotherShopHas_keepsTheCardForItsOwnShop() throws {
        try H.play { shop in
            let saving = H.sale("12.50").adding("save", true).adding("customer", "c-1")
            let kept = try await shop.post("/v1/sales", saving, 1)
            #expect(kept.status == 201)
            #expect(try await shop.post("/v1/sales", saving, 2, by: .other).status == 201)
            let client = try PaymentClient(shop.till.driver(), shop.till.dependencies)
            let cards = try #require(try client.provider(client.activeProvider).savedInstruments)
            for customer in ["berlin.c-1", "paris.c-1"] {
                #expect(try await cards.list(of: customer).count == 1, "\(customer)")
            }
            #expect(try await cards.list(of: "c-1").isEmpty)
            // The card's name alone may be another shop's.
            let bare = H.sale("9.00", "order-2").adding("source", "saved").adding("saved", kept.body["saved"] ?? .null)
            let refused = try await shop.post("/v1/sales", bare, 3, by: .other)
            #expect(refused.status != 201 && shop.movements(3) == 0, "\(refused.body)")
            let again = try await shop.post("/v1/sales", bare.adding("customer", "c-1"), 4)
            #expect(again.status == 201, "\(again.body)")
            // The name that was given is the content: a repeat is no other request.
            #expect(try await shop.post("/v1/sales", saving, 1)["Idempotency-Replayed"] == "true")
        }
    }

    @Test func sale_repeated_chargesOnce() throws {
        try H.play { shop in
            let first = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            for _ in 0..<3 {
                let again = try await shop.post("/v1/sales", H.sale("12.50"), 1)
                #expect(again.status == 201)
                #expect(again["Idempotency-Replayed"] == "true")
                #expect(again.body == first.body)
            }
            #expect(shop.movements(1) == 1)
        }
    }

    @Test func sale_keyInAnotherSpelling_isTheSame() throws {
        try H.play { shop in
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            for spelling in [H.uuid(1).uppercased(), "\"\(H.uuid(1))\""] {
                let again = try await shop.post(
                    "/v1/sales", H.sale("12.50"), fields: [HTTPField("idempotency-key", spelling)])
                #expect(again["Idempotency-Replayed"] == "true")
            }
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1).uppercased())").word == "approved")
            #expect(shop.movements(1) == 1)
        }
    }

    @Test func sale_sentTwiceAtOnce_chargesOnce() throws {
        try H.play { shop in
            async let one = shop.post("/v1/sales", H.sale("12.50"), 1)
            async let other = shop.post("/v1/sales", H.sale("12.50"), 1)
            // The newer request takes the place of the older one, which is answered with what is known.
            let statuses = try await [one.status, other.status]
            #expect(statuses.sorted() == [201, 202])
            #expect(shop.movements(1) == 1)
        }
    }

    @Test(
        arguments: [
            ["amount": H.euro("12.51"), "reference": "order-1"], ["amount": H.euro("12.50"), "reference": "order-2"],
            ["amount": H.euro("12.50"), "reference": "order-1", "part": "1 of 2"],
            ["amount": H.euro("12.50"), "reference": "order-1", "tip": H.euro("1.00")],
            ["amount": H.euro("12.50"), "reference": "order-1", "customer": "another"],
        ] as [JSON])
    func sale_keyUsedForOtherContent_is422(content: JSON) throws {
        try H.play { shop in
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            let reply = try await shop.post("/v1/sales", content, 1)
            #expect(reply.status == 422)
            #expect(reply.word == "keyReused")
            #expect(reply.body["other"]?["attempt"]?.string == H.uuid(1))
            #expect(shop.movements(1) == 1)
        }
    }

    @Test func sale_keyUsedForAnotherOperation_is422() throws {
        try H.play { shop in
            let sold = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            #expect(try await shop.post("/v1/authorizations", H.sale("12.50"), 1).status == 422)
            let refund = try await shop.post(
                "/v1/payments/\(sold.payment)/refunds", ["all": true], 1, by: .office)
            #expect(refund.status == 422)
            #expect(shop.movements(1) == 1)
        }
    }

    @Test func sale_notExecuted_repeated_staysNotExecuted() throws {
        let (till, isDown) = (Till(), Locked(true))
        let transport = HookTransport(till.transport) { request, next throws(TransportFailure) in
            if request.target.hasSuffix("/payments"), isDown.withLock({ $0 }) { throw .notSent(.connectionRefused) }
            return try await next(request)
        }
        try H.play(till, transport: transport) { shop in
            let first = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            #expect(first.status == 402)
            #expect(first.body["problem"]?["code"] == "network")
            isDown.withLock { $0 = false }
            let again = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            #expect(again.status == 402)
            #expect(again["Idempotency-Replayed"] == "true")
            let other = H.sale("12.50").adding("customer", "another")
            #expect(try await shop.post("/v1/sales", other, 1).status == 422)
            #expect(shop.movements(1) == 0)
            // A further try has a further key.
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 2).status == 201)
        }
    }

    @Test func sale_replyLost_isLookedUpAndChargedOnce() throws {
        try H.play { shop in
            let reply = try await shop.post("/v1/sales", H.sale("20.13"), 1)
            #expect(reply.status == 201)
            #expect(try await shop.post("/v1/sales", H.sale("20.13"), 1).status == 201)
            #expect(shop.movements(1) == 1)
        }
    }

    @Test func sale_unknown_is202_andALookupDecides() throws {
        let (till, isDown) = (Till(), Locked(false))
        let transport = HookTransport(till.transport) { request, next throws(TransportFailure) in
            if isDown.withLock({ $0 }) { throw .maybeSent(.connectionReset) }
            guard request.method == "POST", request.target.hasSuffix("/payments") else {
                return try await next(request)
            }
            isDown.withLock { $0 = true }
            _ = try await next(request)
            throw .maybeSent(.connectionReset)
        }
        try H.play(till, transport: transport) { shop in
            let reply = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            #expect(reply.status == 202)
            #expect(reply.outcome == "unknown")
            #expect(reply["Retry-After"] == "5")
            let again = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            #expect(again.status == 202)
            #expect(try await shop.post("/v1/sales", H.sale("13.50"), 1).status == 422)
            let other = H.sale("12.50").adding("customer", "another")
            #expect(try await shop.post("/v1/sales", other, 1).status == 422)
            // Another sale under the reference is refused, and names the open one.
            let blocked = try await shop.post("/v1/sales", H.sale("12.50"), 2)
            #expect(blocked.status == 409)
            #expect(blocked.outcome == "notExecuted")
            #expect(blocked.body["other"]?["attempt"]?.string == H.uuid(1))
            isDown.withLock { $0 = false }
            let looked = try await shop.post("/v1/attempts/\(H.uuid(1))/lookup")
            #expect(looked.status == 200)
            #expect(looked.word == "approved")
            let repeated = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            #expect(repeated.status == 201)
            #expect(shop.movements(1) == 1)
            #expect(shop.movements(2) == 0)
        }
    }

    @Test func sale_pending_is202() throws {
        try H.play { shop in
            let reply = try await shop.post("/v1/sales", H.sale("20.15"), 1)
            #expect(reply.status == 202)
            #expect(reply.word == "pending")
            #expect(reply["Retry-After"] == "60")
        }
    }

    @Test func sale_underAPaidReference_is409() throws {
        try H.play { shop in
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            let reply = try await shop.post("/v1/sales", H.sale("12.50"), 2)
            #expect(reply.status == 409)
            #expect(reply.word == "referenceInUse")
            #expect(reply.outcome == "notExecuted")
            #expect(reply.body["other"]?["status"] == "approved")
            // Another shop has its own references.
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 3, by: .other).status == 201)
        }
    }

    @Test func sale_whoseOutcomeCanNotBeWritten_is202_andLater201() throws {
        var till = Till()
        // The first write begins the attempt; those after it fail for a while.
        till.journal = FailingJournal(InMemoryJournal(), failing: 2, lasting: 2, .before)
        try H.play(till) { shop in
            let reply = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            #expect(reply.status == 202)
            #expect(reply.outcome == "unknown")
            #expect(reply.body["isRecorded"] == false)
            #expect(shop.movements(1) == 1)
            var repeated = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            for _ in 0..<4 where repeated.status == 202 {
                repeated = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            }
            #expect(repeated.status == 201)
            #expect(shop.movements(1) == 1)
        }
    }

    @Test func service_whoseJournalTakesNoEntry_isNotReady_untilItDoes() throws {
        var till = Till()
        let journal = RefusingJournal()
        till.journal = journal
        try H.play(till) { shop async throws -> Void in
            #expect(try await shop.get("/ready").status == 200)
            journal.refuses.withLock { $0 = true }
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 503)
            #expect(try await shop.get("/ready").status == 503)
            journal.refuses.withLock { $0 = false }
            #expect(try await shop.get("/ready").status == 200)
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
        }
    }

    /// A journal that was closed is read as before: the service says that it is not ready, before a sale is refused.
    @Test func service_whoseJournalIsClosed_isNotReady_beforeItsFirstSale() throws {
        var till = Till()
        let journal = RefusingJournal()
        till.journal = journal
        try H.play(till) { shop async throws -> Void in
            #expect(try await shop.get("/ready").status == 200)
            journal.refuses.withLock { $0 = true }
            shop.till.scheduler.advance(by: ServiceCore.probeEveryMilliseconds)
            #expect(try await shop.get("/ready").status == 503)
            journal.refuses.withLock { $0 = false }
            #expect(try await shop.get("/ready").status == 200)
        }
    }

    @Test func sale_whoseJournalCanNotBeWritten_is503_andMovesNothing() throws {
        var till = Till()
        till.journal = FailingJournal(InMemoryJournal(), failing: 1, .before)
        try H.play(till) { shop in
            let reply = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            #expect(reply.status == 503)
            #expect(reply.word == "journal")
            #expect(reply.outcome == nil)
            #expect(shop.movements(1) == 0)
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
        }
    }

    // MARK: - Waiting

    @Test func sale_withoutWaiting_is202_andTheAttemptIsCarried() throws {
        let (till, gate) = (Till(), Gate())
        try H.play(till, transport: gate.transport(till.transport)) { shop in
            let reply = try await shop.post("/v1/sales", H.sale("12.50"), 1, wait: 0)
            #expect(reply.status == 202)
            #expect(reply.word == "running")
            #expect(reply["Retry-After"] == "1")
            _ = await gate.reached.value()
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))").word == "running")
            #expect(try await shop.post("/v1/sales", H.sale("13.50"), 1, wait: 0).status == 422)
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1, by: .other, wait: 0).status == 422)
            async let waited = shop.get("/v1/attempts/\(H.uuid(1))", wait: 50)
            gate.opened.fulfill(true)
            #expect(try await waited.word == "approved")
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
            #expect(shop.movements(1) == 1)
        }
    }

    @Test(
        arguments: [
            H.sale("12.50").adding("customer", "another"), H.sale("12.50").adding("acceptPartial", true),
            H.sale("12.50").adding("source", "saved").adding("saved", "saved-1"),
            H.sale("12.50").adding("source", "token").adding("token", "tok-1"),
        ])
    func sale_otherContentWhileTheKeyRuns_is422(other: JSON) throws {
        let (till, gate) = (Till(), Gate())
        try H.play(till, transport: gate.transport(till.transport)) { shop in
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 1, wait: 0)
            _ = await gate.reached.value()
            let reply = try await shop.post("/v1/sales", other, 1, wait: 0)
            #expect(reply.status == 422)
            #expect(reply.outcome == "unknown")
            async let joined = shop.post("/v1/sales", H.sale("12.50"), 1)
            gate.opened.fulfill(true)
            #expect(try await joined.status == 201)
            #expect(try await shop.post("/v1/sales", other, 1).status == 422)
            #expect(shop.movements(1) == 1)
        }
    }

    @Test func sale_whoseWaitIsOver_is202_andIsExecutedLater() throws {
        let (till, gate) = (Till(), Gate())
        try H.play(till, transport: gate.transport(till.transport)) { shop in
            // 25 seconds of the stage's clock pass, because nothing else can happen.
            let reply = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            #expect(reply.status == 202)
            gate.opened.fulfill(true)
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))", wait: 10).word == "approved")
        }
    }

    @Test func sale_whoseTimeIsOverAtTheReader_is402_andItsKeyBeginsNothing() throws {
        let till = Till()
        till.reader.present(nil)
        try H.play(till) { shop in
            let sale = H.sale("12.50").adding("timeout", 10)
            let reply = try await shop.post("/v1/sales", sale, 1)
            #expect(reply.status == 402)
            #expect(reply.body["problem"]?["code"] == "timedOut")
            till.reader.present(SimulatedReader.Card(number: "4111111111111111"))
            #expect(try await shop.post("/v1/sales", sale, 1).status == 402)
            #expect(try await shop.post("/v1/sales", H.sale("12.51"), 1).status == 422)
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))").outcome == "notExecuted")
            #expect(shop.movements(1) == 0)
        }
    }

    @Test func sale_whoseTimeIsOverBeforeARecord_is402_andItsKeyBeginsNothing() throws {
        let (till, gate) = (Till(), Gate())
        try H.play(till, transport: gate.transport(till.transport, at: "/token")) { shop in
            let sale = H.sale("12.50").adding("timeout", 10).adding("source", "token").adding("token", "tok-1")
            let reply = try await shop.post("/v1/sales", sale, 1)
            #expect(reply.status == 402)
            #expect(reply.body["problem"]?["code"] == "timedOut")
            gate.opened.fulfill(true)
            #expect(try await shop.post("/v1/sales", sale, 1).status == 402)
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))").outcome == "notExecuted")
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))").body["cancelledBy"] == "timeout")
            #expect(shop.movements(1) == 0)
        }
    }

    @Test func stop_endsWaits_andBeginsNothing() throws {
        let (till, gate) = (Till(), Gate())
        try H.play(till, transport: gate.transport(till.transport)) { shop in
            async let waiting = shop.post("/v1/sales", H.sale("12.50"), 1, wait: 50)
            _ = await gate.reached.value()
            shop.service.beginStop()
            #expect(try await waiting.status == 202)
            let refused = try await shop.post("/v1/sales", H.sale("12.50", "order-2"), 2)
            #expect(refused.status == 503)
            #expect(refused.outcome == nil)
            #expect(refused.body["retry"] == "safe")
            #expect(refused["Retry-After"] != nil)
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))").word == "running")
            gate.opened.fulfill(true)
            #expect(await shop.service.drain(within: .seconds(60)))
            // What is recorded is answered all the same.
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
            #expect(shop.movements(1) == 1)
        }
    }

    // MARK: - Cancel

    /// What is paid was never nothing: a till that reads the word alone takes cash.
    @Test func cancel_ofASaleThatIsPaid_isTooLate() throws {
        try H.play { shop in
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
            let reply = try await shop.post("/v1/attempts/\(H.uuid(1))/cancel")
            #expect(reply.body["result"] == "tooLate", "\(reply.body)")
        }
    }

    @Test func cancel_ofAnUnknownID_keepsItFromBeginning() throws {
        try H.play { shop in
            let reply = try await shop.post("/v1/attempts/\(H.uuid(1))/cancel")
            #expect(reply.body["result"] == "nothingToCancel")
            let sale = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            #expect(sale.status == 402)
            #expect(sale.word == "cancelled")
            #expect(shop.movements(1) == 0)
        }
    }

    @Test func cancel_ofManyIDsInAnotherShop_forgetsNothingOfThisOne() throws {
        try H.play { shop in
            _ = try await shop.post("/v1/attempts/\(H.uuid(1))/cancel")
            for number in 2...AttemptCarrier.blockedMax + 2 {
                _ = try await shop.post("/v1/attempts/\(H.uuid(number))/cancel", by: .other)
            }
            _ = try await shop.post("/v1/attempts/\(H.uuid(1))/cancel", by: .other)
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 402)
            #expect(shop.movements(1) == 0)
        }
    }

    @Test func cancel_afterTheRequestWasSent_isTooLate() throws {
        let (till, gate) = (Till(), Gate())
        try H.play(till, transport: gate.transport(till.transport)) { shop in
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 1, wait: 0)
            _ = await gate.reached.value()
            let reply = try await shop.post("/v1/attempts/\(H.uuid(1))/cancel")
            #expect(reply.body["result"] == "tooLate")
            gate.opened.fulfill(true)
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))", wait: 50).word == "approved")
        }
    }

    @Test func cancel_whileACardIsAwaited_cancels() throws {
        let till = Till()
        till.reader.present(nil)
        try H.play(till) { shop in
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 1, wait: 5)
            let reply = try await shop.post("/v1/attempts/\(H.uuid(1))/cancel")
            #expect(reply.body["result"] == "cancelled")
            #expect(reply.body["attempt"]?["status"] == "cancelled")
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 402)
            #expect(shop.movements(1) == 0)
        }
    }

    /// The journal takes no entry when the attempt's time is over, and another process has the request next.
    @Test func sale_whoseEndCanNotBeKept_isNotSaidToBeDecided() throws {
        let gate = Gate()
        var till = Till()
        till.journal = FailingJournal(InMemoryJournal(), failing: 1, .before)
        let shop = try H(till, transport: gate.transport(till.transport, at: "/token"))
        let next = try H(till)
        try till.play { () async throws -> Void in
            let sale = H.sale("12.50").adding("timeout", 10).adding("source", "token").adding("token", "tok-1")
            let first = try await shop.post("/v1/sales", sale, 1)
            gate.opened.fulfill(true)
            let again = try await next.post("/v1/sales", sale, 1)
            #expect(first.status == again.status || first.status == 503, "\(first.status), then \(again.status)")
            #expect(first.status != 402 || shop.movements(1) == 0)
        }
    }
}

/// A journal on a disk that may be full: it is read, and takes nothing.
private final class RefusingJournal: JournalWrapper {
    let inner: any Journal = InMemoryJournal()
    let refuses = Locked(false)

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        if refuses.withLock({ $0 }) { throw .notWritten("the disk is full") }
        return try await inner.write(entry, id, at: instant)
    }

    func draw(_ count: Int64) async throws(JournalFailure) -> Int64 {
        if refuses.withLock({ $0 }) { throw .notWritten("the disk is full") }
        return try await inner.draw(count)
    }
}
