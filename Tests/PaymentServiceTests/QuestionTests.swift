import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentHTTPServer
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import PaymentService

/// What an attempt asks on its way, and the answers of a till.
struct QuestionTests {
    typealias H = ServiceHarness

    /// A sale of which the provider approves half.
    private static let partial = H.sale("20.20").adding("acceptPartial", true)
    private static let answers = "/v1/attempts/\(H.uuid(1))/answers"

    /// The question of attempt 1, which the sale's answer has at once.
    private static func asked(_ shop: H, _ sale: JSON) async throws -> JSON {
        let reply = try await shop.post("/v1/sales", sale, 1, wait: 50)
        #expect(reply.status == 202)
        #expect(reply.outcome == "unknown")
        return try #require(reply.body["question"])
    }

    private static func answer(_ question: JSON, _ answer: JSON) -> JSON {
        ["question": question["id"] ?? .null, "answer": answer]
    }

    @Test(arguments: [true, false])
    func partialApproval_isOffered_andTheAnswerDecides(isTaken: Bool) throws {
        try H.play { shop in
            let question = try await Self.asked(shop, Self.partial)
            #expect(question["kind"] == "PartialApprovalOffer")
            #expect(question["approved"] == H.euro("10.10"))
            #expect(question["asked"] == H.euro("20.20"))
            #expect(question["form"]?["type"] == "boolean")
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))").body["question"] == question)
            let given = try await shop.post(Self.answers, Self.answer(question, .bool(isTaken)), wait: 20)
            #expect(given.status == 200)
            let ended = try await shop.get("/v1/attempts/\(H.uuid(1))", wait: 20)
            #expect(ended.body["question"] == .null)
            let repeated = try await shop.post("/v1/sales", Self.partial, 1)
            #expect(repeated.status == (isTaken ? 201 : 402))
            if isTaken { #expect(repeated.body["approvedAmount"] == H.euro("10.10")) }
            #expect(ended.body["attention"]?.array?.isEmpty == true, "\(ended.body)")
        }
    }

    /// Who has the address of a page can pay there: a key that only reads gets none.
    @Test func question_isNotShownToAViewer() throws {
        try H.play { shop in
            let question = try await Self.asked(shop, Self.partial)
            let path = "/v1/attempts/\(H.uuid(1))"
            #expect(try await shop.get(path).body["question"] == question)
            #expect(try await shop.get(path, by: .viewer).body["question"] == .null)
            let open = try await shop.get("/v1/attempts?status=open", by: .viewer)
            #expect(open.body["items"]?[0]?["question"] == .null, "\(open.body)")
        }
    }

    /// No till can take the part any more.
    @Test func partialApproval_whoseTimeoutIsOver_isReturned() throws {
        try H.play { shop in
            let sale = Self.partial.adding("timeout", 5)
            let asked = try await shop.post("/v1/sales", sale, 1, wait: 2)
            #expect(asked.body["question"]?["kind"] == "PartialApprovalOffer", "\(asked.body)")
            try await shop.till.scheduler.sleep(until: shop.till.scheduler.now + 10_000)
            let ended = try await shop.get("/v1/attempts/\(H.uuid(1))", wait: 5)
            #expect(ended.word == "cancelled" && ended.outcome == "notExecuted", "\(ended.body)")
            #expect(shop.movements(1) == 2)
        }
    }

    /// No answer is taken that no provider gets, and nothing waits for one.
    @Test func answer_afterTheTimeout_isRefused() throws {
        try H.play { shop in
            let sale = H.sale("20.31").adding("source", "token").adding("token", "tok-1").adding("timeout", 5)
            let asked = try await shop.post("/v1/sales", sale, 1, wait: 2)
            let question = try #require(asked.body["question"])
            #expect(question["kind"] == "RequestedFields", "\(asked.body)")
            let until = Timestamp(question["until"]?.string ?? "")
            #expect(until.map { $0.milliseconds <= shop.till.scheduler.now + 5_000 } == true, "\(question)")
            // A caller may come back for five seconds.
            try await shop.till.scheduler.sleep(until: shop.till.scheduler.now + 15_000)
            let given = Self.answer(question, ["email": "customer@example.org"])
            for caller in [Caller.till, .free, .office] {
                #expect(try await shop.post(Self.answers, given, by: caller).status == 409, "\(caller)")
            }
            let ended = try await shop.get("/v1/attempts/\(H.uuid(1))", wait: 0)
            #expect(ended.word != "running" && ended.body["question"] == .null, "\(ended.body)")
            #expect(shop.movements(1) == 0)
        }
    }

    @Test func answer_again_isTakenOnce_andAnotherOneIs409() throws {
        try H.play { shop in
            let question = try await Self.asked(shop, Self.partial)
            let yes = Self.answer(question, true)
            #expect(try await shop.post(Self.answers, yes).status == 200)
            #expect(try await shop.post(Self.answers, yes).status == 200)
            #expect(try await shop.post(Self.answers, Self.answer(question, false)).status == 409)
            #expect(try await shop.post(Self.answers, ["question": "other", "answer": true]).status == 409)
        }
    }

    @Test func answer_ofAnotherForm_is400_andDecidesNothing() throws {
        try H.play { shop in
            let question = try await Self.asked(shop, Self.partial)
            let wrong = try await shop.post(Self.answers, Self.answer(question, "yes"))
            #expect(wrong.status == 400)
            #expect(wrong.pointers == ["/answer"])
            #expect(try await shop.post(Self.answers, Self.answer(question, true)).status == 200)
        }
    }

    @Test func answer_byAnotherKey_is403_andByAnotherShop_is404() throws {
        try H.play { shop in
            let question = try await Self.asked(shop, Self.partial)
            let yes = Self.answer(question, true)
            #expect(try await shop.post(Self.answers, yes, by: .free).status == 403)
            #expect(try await shop.post(Self.answers, yes, by: .other).status == 404)
            #expect(try await shop.post(Self.answers, yes, by: .office).status == 200)
        }
    }

    @Test func fields_areAskedFor_andCheckedBeforeTheyAreTaken() throws {
        try H.play { shop in
            var sale = H.sale("20.31")
            sale = sale.adding("source", "token").adding("token", "tok-1")
            let question = try await Self.asked(shop, sale)
            #expect(question["kind"] == "RequestedFields")
            let names = (question["form"]?["required"]?.array ?? []).compactMap(\.string)
            #expect(names == ["email"])
            let none = try await shop.post(Self.answers, Self.answer(question, [:]))
            #expect(none.pointers == ["/answer/\(names[0])"])
            var fields = JSONObject()
            for name in names { fields[name] = "unknown" }
            let unknown = JSON.object(fields).adding("other", "x")
            #expect(try await shop.post(Self.answers, Self.answer(question, unknown)).status == 400)
            let next = try await shop.post(Self.answers, Self.answer(question, .object(fields)), wait: 20)
            // An address that the provider does not take is asked for again, as another question.
            let second = try #require(next.body["question"])
            #expect(second["id"] != question["id"])
            let address: JSON = ["email": "customer@example.org"]
            #expect(try await shop.post(Self.answers, Self.answer(second, address)).status == 200)
            #expect(try await shop.post("/v1/sales", sale, 1).status == 201)
        }
    }

    /// Nothing that answers later repeats what the bank handed back.
    @Test(arguments: ["ok", "no-such-result"])
    func challenge_isShown_andTheBanksResultDecides(result: String) throws {
        try H.play { shop in
            let sale = H.sale("20.30").adding("source", "token").adding("token", "tok-1")
            let question = try await Self.asked(shop, sale)
            #expect(question["kind"] == "ThreeDSecureChallenge" && question["step"] == "challenge", "\(question)")
            #expect(question["address"]?.string?.hasPrefix("https://bank.example/challenge/") == true)
            #expect(question["fields"]?.object?.isEmpty == true && question["returnAddress"] == .null)
            let none = try await shop.post(Self.answers, Self.answer(question, [:]))
            #expect(none.status == 400 && none.pointers == ["/answer/result"], "\(none.body)")
            let given = Self.answer(question, ["result": .string(result)])
            for _ in 1...2 { #expect(try await shop.post(Self.answers, given).status == 200) }
            let other = Self.answer(question, ["result": "another"])
            #expect(try await shop.post(Self.answers, other).status == 409)
            let ended = try await shop.get("/v1/attempts/\(H.uuid(1))", wait: 20)
            let sold = try await shop.post("/v1/sales", sale, 1)
            #expect(ended.body["question"] == .null && sold.status == (result == "ok" ? 201 : 402), "\(sold.body)")
            for reply in [ended, sold] {
                #expect(!String(decoding: reply.body.bytes(), as: UTF8.self).contains("no-such-result"))
            }
        }
    }

    @Test func challenge_form_needsAResult() throws {
        let form = Form<ThreeDSecureChallenge.Answer>.challenge
        let answer = try form.read(["result": "pares", "merchantData": "md-1"])
        #expect(answer.result?.expose() == "pares" && answer.merchantData == "md-1")
        let wrong: [JSON] = [[:], ["merchantData": "md-1"], ["result": ""], ["result": "x", "pan": "y"], true]
        for json in wrong { #expect(throws: FormError.self) { try form.read(json) } }
    }

    /// What only some providers want to know of the customer.
    @Test func contact_takesFurtherFields_ofTheCustomer() throws {
        let given: JSON = ["email": "a@example.org", "additional": ["screen_res": "1920x1080"]]
        let contact = try Form<CustomerContact>.contact.read(given)
        #expect(contact.additional["screen_res"]?.value == "1920x1080" && contact.email?.value == "a@example.org")
        do throws(FormError) {
            _ = try Form<CustomerContact>.contact.read(["additional": ["screen_res": 7]])
            Issue.record("it was taken")
        } catch { #expect(error.below == "/additional/screen_res") }
    }

    /// The provider's message about a part comes before the reply that offers it.
    @Test func part_thatAMessageReportsFirst_isNotExecuted_beforeTheTillHasAnswered() throws {
        let (till, late, replied) = (Till(), Promise<Bool>(), Promise<[UInt8]>())
        let line = HookTransport(till.transport) { request, next throws(TransportFailure) in
            let reply = try await next(request)
            let isFirst = String(decoding: request.body, as: UTF8.self).contains(H.uuid(1))
            if isFirst, request.method == "POST", request.target.hasSuffix("/payments") {
                replied.fulfill(reply.body)
                _ = await late.value()
            }
            return reply
        }
        let shop = try H(till, transport: line)
        try till.play { [scheduler = till.scheduler] in
            #expect(try await shop.post("/v1/sales", H.sale("20.15", "order-2"), 2).status == 202)
            let proof = try #require(till.backend.decide(H.uuid(2), succeeds: true)?.headers)
            async let sold = shop.post("/v1/sales", Self.partial, 1, wait: 50)
            let part = try JSONReader().read(await replied.value())
            let message = part.adding("at", .number(JSONNumber(scheduler.now))).adding("event", "sale")
            let head = RequestHead(
                method: "POST", target: "/v1/webhooks/memory",
                fields: proof.map { HTTPField($0.key.lowercased(), $0.value) })
            #expect(await shop.service.response(to: ServerRequest(head, body: message.bytes())).status == 200)
            let early = try await shop.get("/v1/attempts/\(H.uuid(1))", wait: 0)
            #expect(early.outcome == "unknown" && early.word == "running", "\(early.body)")
            late.fulfill(true)
            let asked = try await sold
            #expect(asked.status == 202 && asked.body["question"]?["kind"] == "PartialApprovalOffer", "\(asked.body)")
            let question = try #require(asked.body["question"])
            #expect(try await shop.post(Self.answers, Self.answer(question, false)).status == 200)
            let ended = try await shop.get("/v1/attempts/\(H.uuid(1))", wait: 50)
            #expect(ended.outcome == "notExecuted" && shop.movements(1) == 2, "\(ended.body)")
        }
    }

    @Test func question_withoutAnAnswer_endsAsTheClientSays() throws {
        try H.play { shop in
            _ = try await Self.asked(shop, Self.partial)
            // The offer lapses after two minutes of the stage's clock; what was approved then counts.
            var reply = try await shop.get("/v1/attempts/\(H.uuid(1))", wait: 50)
            for _ in 0..<4 where reply.outcome == "unknown" {
                reply = try await shop.get("/v1/attempts/\(H.uuid(1))", wait: 50)
            }
            #expect(reply.outcome != "unknown")
            #expect(reply.body["question"] == .null)
        }
    }

    /// The provider answers between the till's request and its first look.
    @Test func question_thatTheTillHasNotSeen_endsItsWait() throws {
        try H.play { shop in
            let sold = try await shop.post("/v1/sales", Self.partial, 1, wait: 0)
            #expect(sold.status == 202 && sold.body["question"] == .null)
            try await shop.till.scheduler.sleep(until: shop.till.scheduler.now + 5_000)
            let began = shop.till.scheduler.now
            let first = try await shop.get("/v1/attempts/\(H.uuid(1))", wait: 50)
            #expect(first.body["question"]?["kind"] == "PartialApprovalOffer", "\(first.body)")
            #expect(shop.till.scheduler.now < began + 50_000)
            // It has seen it now: the next one waits.
            let again = shop.till.scheduler.now
            _ = try await shop.get("/v1/attempts/\(H.uuid(1))", wait: 10)
            #expect(shop.till.scheduler.now == again + 10_000)
        }
    }
}
