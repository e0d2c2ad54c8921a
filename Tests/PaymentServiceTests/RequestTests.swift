import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentHTTPServer
import PaymentModel
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import PaymentService

/// What is refused before the client is asked.
struct RequestTests {
    typealias H = ServiceHarness

    private static let till = [HTTPField("content-type", "application/json")]

    // MARK: - Bodies

    /// A body with the pointers of what is wrong with it.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let body: String
        let pointers: [String]
        var testDescription: String { body }
        init(_ body: String, _ pointers: String...) { (self.body, self.pointers) = (body, pointers) }
    }

    private static let amount = #""amount": {"value": "12.50", "currency": "EUR"}"#

    static let wrong: [Wrong] = [
        Wrong("{}", "/amount"),
        Wrong("{\(amount)}", "/reference"),
        Wrong(#"{\#(amount), "reference": "a", "referense": "b"}"#, "/referense"),
        Wrong(#"{\#(amount), "reference": "a", "reference": "b"}"#, "/reference"),
        Wrong(#"{"amount": {"value": "1.00", "currency": "EUR", "value": "2.00"}, "reference": "a"}"#, "/amount/value"),
        Wrong(#"{"amount": {"value": "12.50", "currency": "EUR", "tip": 1}, "reference": "a"}"#, "/amount/tip"),
        Wrong(#"{"amount": {"value": "1250", "currency": "EUR"}, "reference": "a"}"#, "/amount/value"),
        Wrong(#"{"amount": {"value": "12.5", "currency": "EUR"}, "reference": "a"}"#, "/amount/value"),
        Wrong(#"{"amount": {"value": "12.500", "currency": "EUR"}, "reference": "a"}"#, "/amount/value"),
        Wrong(#"{"amount": {"value": "0.00", "currency": "EUR"}, "reference": "a"}"#, "/amount/value"),
        Wrong(#"{"amount": {"value": "-1.00", "currency": "EUR"}, "reference": "a"}"#, "/amount/value"),
        Wrong(#"{"amount": {"value": "01.00", "currency": "EUR"}, "reference": "a"}"#, "/amount/value"),
        Wrong(#"{"amount": {"value": "1e3", "currency": "EUR"}, "reference": "a"}"#, "/amount/value"),
        Wrong(#"{"amount": {"value": "1250.00", "currency": "JPY"}, "reference": "a"}"#, "/amount/value"),
        Wrong(#"{"amount": {"value": "99999999999999999.00", "currency": "EUR"}, "reference": "a"}"#, "/amount/value"),
        Wrong(#"{"amount": {"value": 12.50, "currency": "EUR"}, "reference": "a"}"#, "/amount/value"),
        Wrong(#"{"amount": {"value": "12.50", "currency": "eur"}, "reference": "a"}"#, "/amount/currency"),
        Wrong(#"{"amount": {"value": "12.50", "currency": "XXX"}, "reference": "a"}"#, "/amount/currency"),
        Wrong(#"{"amount": 12.5, "reference": "a"}"#, "/amount"),
        Wrong(#"{"amount": "12.50 EUR", "reference": 7}"#, "/amount", "/reference"),
        Wrong(#"{\#(amount), "reference": "4111 1111 1111 1111"}"#, "/reference"),
        Wrong(#"{\#(amount), "reference": "a", "4111111111111111": 1}"#, "/************1111"),
        Wrong(#"{\#(amount), "reference": "a\u0000b"}"#, "/reference"),
        Wrong(#"{\#(amount), "reference": ""}"#, "/reference"),
        Wrong(#"{\#(amount), "reference": "  "}"#, "/reference"),
        Wrong(#"{\#(amount), "reference": "\u00a0\u200b"}"#, "/reference"),
        Wrong(#"{\#(amount), "reference": "a", "source": "card"}"#, "/source"),
        Wrong(#"{\#(amount), "reference": "a", "source": "saved"}"#, "/saved"),
        Wrong(#"{\#(amount), "reference": "a", "token": "t"}"#, "/token"),
        Wrong(#"{\#(amount), "reference": "a", "timeout": 0}"#, "/timeout"),
        Wrong(#"{\#(amount), "reference": "a", "timeout": "60"}"#, "/timeout"),
        Wrong(#"{\#(amount), "reference": "a", "timeout": 1e400}"#, "/timeout"),
        Wrong(#"{\#(amount), "reference": "a", "tip": {"value": "13.00", "currency": "EUR"}}"#, "/tip"),
        Wrong(#"{\#(amount), "reference": "a", "contact": {"mail": "x"}}"#, "/contact/mail"),
        Wrong("[]", ""), Wrong("{", ""), Wrong("{}{}", ""), Wrong("\u{FEFF}{}", ""),
    ]

    @Test(arguments: wrong)
    func wrongBody_is400_andNamesTheMember(wrong: Wrong) throws {
        try H.play { shop in
            let reply = try await H.send(
                shop.service, "POST", "/v1/sales", Array(wrong.body.utf8), by: .till,
                Self.till + [HTTPField("idempotency-key", H.uuid(1))])
            #expect(reply.status == 400, "\(reply.body["detail"]?.string ?? "")")
            #expect(reply.pointers == wrong.pointers)
            #expect(reply.outcome == nil)
            #expect(reply["Content-Type"] == "application/problem+json")
            #expect(!String(decoding: reply.body.bytes(), as: UTF8.self).contains("4111"))
            #expect(shop.till.backend.requestCount == 0)
        }
    }

    @Test func deepBody_is400() throws {
        try H.play { shop in
            let body = String(repeating: "[", count: 60_000)
            let reply = try await H.send(
                shop.service, "POST", "/v1/sales", Array(body.utf8), by: .till,
                Self.till + [HTTPField("idempotency-key", H.uuid(1))])
            #expect(reply.status == 400)
        }
    }

    @Test func wrongQuery_is400() throws {
        try H.play { shop in
            let wrong = [
                "limit=0": "?limit", "limit=+5": "?limit", "limit=5&limit=6": "?limit", "page=2": "?page",
                "cursor=1-abc": "?cursor", "reference=+": "?reference", "status=paid": "?status",
            ]
            for (query, pointer) in wrong {
                let reply = try await shop.get("/v1/payments?\(query)")
                #expect(reply.pointers == [pointer])
            }
            #expect(try await shop.get("/v1/payments?cursor=%zz").status == 400)
            #expect(try await shop.get("/v1/self?x=1").status == 400)
        }
    }

    // MARK: - Keys of operations

    @Test(arguments: [nil, "", "order-1", "0193a7e2-5b1c-7c55-9d0a-00000000000g", "0193a7e25b1c7c559d0a000000000001"])
    func idempotencyKey_thatIsNoUUID_is400(text: String?) throws {
        try H.play { shop in
            let fields = text.map { [HTTPField("idempotency-key", $0)] } ?? []
            let reply = try await shop.post("/v1/sales", H.sale("12.50"), fields: fields)
            #expect(reply.status == 400)
            #expect(reply.word == "keyMissing")
        }
    }

    @Test func idempotencyKey_sentTwice_is400() throws {
        try H.play { shop in
            let two = [HTTPField("idempotency-key", H.uuid(1)), HTTPField("idempotency-key", H.uuid(2))]
            let reply = try await shop.post("/v1/sales", H.sale("12.50"), fields: two)
            #expect(reply.status == 400)
        }
    }

    /// A preference that can't be read is none, and no wait is longer than 50 seconds (RFC 7240).
    @Test(
        arguments: [
            ("wait", nil), ("wait=-1", nil), ("wait=1.5", nil), ("wait=x", nil), ("", nil), ("respond-async", nil),
            ("wait=0", 0), ("wait=7", 7_000), ("respond-async, wait = 7", 7_000), ("wait=51", 50_000),
            ("wait=99999999999999999999", 50_000),
        ] as [(String, Int64?)])
    func prefer_saysHowLongToWait(text: String, milliseconds: Int64?) {
        let head = RequestHead(method: "GET", target: "/", fields: [HTTPField("prefer", text)])
        #expect(Preferences.wait(head) == milliseconds)
    }

    // MARK: - Access keys, roles, shops

    @Test func accessKey_missingOrUnknown_is401() throws {
        try H.play { shop in
            for caller in [Caller.none, .unknown] {
                let reply = try await shop.post("/v1/sales", H.sale("12.50"), 1, by: caller)
                #expect(reply.status == 401)
                #expect(reply["WWW-Authenticate"] == "Bearer")
                #expect(try await shop.get("/v1/nothing", by: caller).status == 401)
            }
            #expect(try await shop.get("/ready", by: .none).status == 200)
            #expect(shop.till.backend.requestCount == 0)
        }
    }

    @Test(arguments: OperationTable.all.map(\.id))
    func operation_calledWithALowerRole_is403(id: String) throws {
        let operation = try #require(OperationTable.all.first { $0.id == id })
        guard let role = operation.role else { return }
        try H.play { shop in
            let path = operation.path.replacing("{payment}", with: H.uuid(1))
                .replacing("{attempt}", with: H.uuid(1)).replacing("{reader}", with: "memory")
            for caller in [Caller.viewer, .till] {
                guard let own = ServiceRole(rawValue: caller.rawValue), own < role else { continue }
                let reply = try await H.send(shop.service, operation.method, path, [], by: caller, [])
                #expect(reply.status == 403)
                #expect(reply.word == "forbidden")
            }
        }
    }

    @Test(arguments: OperationTable.all.map(\.id))
    func operation_thatNamesAnotherShopsPayment_is404(id: String) throws {
        let operation = try #require(OperationTable.all.first { $0.id == id })
        guard operation.path.contains("{payment}") || operation.path.contains("{attempt}") else { return }
        // An id that is unknown is no secret: a cancel blocks it in the caller's own shop.
        guard operation.id != "cancel" else { return }
        try H.play { shop in
            let sold = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            #expect(sold.status == 201)
            let before = shop.till.backend.requestCount
            let path = operation.path.replacing("{payment}", with: sold.payment).replacing("{attempt}", with: H.uuid(1))
            var members = JSONObject()
            for parameter in operation.parameters where !operation.isInPath(parameter) && operation.method == "POST" {
                if parameter.isRequired { members[parameter.name] = parameter.example }
            }
            if ["capture", "refund"].contains(operation.id) { members["all"] = true }
            let body = operation.method == "POST" ? JSON.object(members).bytes() : []
            let fields = [HTTPField("content-type", "application/json"), HTTPField("idempotency-key", H.uuid(2))]
            let reply = try await H.send(shop.service, operation.method, path, body, by: .other, fields)
            #expect(reply.status == 404)
            #expect(reply.body["other"] == .null)
            #expect(shop.till.backend.requestCount == before)
        }
    }

    /// For good, and not for some minutes.
    @Test func cancel_ofAnUnknownId_spendsIt_asItsSummarySays() throws {
        try H.play { shop in
            #expect(try await shop.post("/v1/attempts/\(H.uuid(1))/cancel").status == 200)
            try await shop.till.scheduler.sleep(until: shop.till.scheduler.now + 3_600_000)
            let sale = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            #expect(sale.status == 402 && sale.word == "cancelled", "\(sale.status) \(sale.body)")
            #expect(shop.movements(1) == 0)
            let cancel = try #require(OperationTable.all.first { $0.id == "cancel" })
            #expect(!cancel.summary.contains("minutes"), "\(cancel.summary)")
        }
    }

    @Test func cancel_ofAnotherShopsAttempt_showsNothing() throws {
        try H.play { shop in
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            let reply = try await shop.post("/v1/attempts/\(H.uuid(1))/cancel", by: .other)
            #expect(reply.body["result"] == "nothingToCancel")
            #expect(reply.body["attempt"] == .null)
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
        }
    }

    @Test func idempotencyKey_ofAnotherShop_is422_andShowsNothing() throws {
        try H.play { shop in
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            let reply = try await shop.post("/v1/sales", H.sale("12.50"), 1, by: .other)
            #expect(reply.status == 422)
            #expect(reply.body["other"] == .null)
        }
    }

    @Test func refund_byATillsKey_needsItsPermission() throws {
        try H.play { shop in
            let sold = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            let path = "/v1/payments/\(sold.payment)/refunds"
            let all: JSON = ["all": true]
            #expect(try await shop.post(path, all, 2).status == 403)
            #expect(try await shop.post(path, all, 2, by: .free).status == 201)
        }
    }

    @Test func saleWithoutAReference_needsAPermission() throws {
        try H.play { shop in
            let sale: JSON = ["amount": H.euro("12.50"), "unreferenced": true]
            let refused = try await shop.post("/v1/sales", sale, 1)
            #expect(refused.status == 403)
            #expect(try await shop.post("/v1/sales", sale, 1, by: .free).status == 201)
        }
    }

    // MARK: - Paths and types

    @Test(arguments: [
        "/v1/sales/", "/v1//sales", "/v1/sale%73", "/v1/sales;x", "/V1/sales", "/v1/payments/a%2fb",
        "/v1/payments/a;b/voids",
        "/v1/payments/", "/v1", "/", "/v1/payments/../self", "/v1/payments/a b",
    ])
    func pathInAnotherSpelling_is404(path: String) throws {
        try H.play { shop in
            let reply = try await shop.post(path, H.sale("12.50"), 1, by: .office)
            #expect(reply.status == 404)
            #expect(try await shop.get(path, by: .office).status == 404)
        }
    }

    @Test func methodThatAResourceLacks_is405() throws {
        try H.play { shop in
            let reply = try await shop.get("/v1/sales")
            #expect(reply.status == 405)
            #expect(reply["Allow"] == "POST")
            let other = try await H.send(shop.service, "DELETE", "/v1/payments", [], by: .office, [])
            #expect(other["Allow"] == "GET, HEAD")
            let head = try await H.send(shop.service, "HEAD", "/v1/self", [], by: .viewer, [])
            #expect(head.status == 200)
        }
    }

    @Test(arguments: [
        "text/plain", "application/json; charset=latin1", "application/json, text/plain", "multipart/form-data",
    ])
    func bodyOfAnotherType_is415(type: String) throws {
        try H.play { shop in
            let fields = [HTTPField("content-type", type), HTTPField("idempotency-key", H.uuid(1))]
            let reply = try await H.send(
                shop.service, "POST", "/v1/sales", H.sale("12.50").bytes(), by: .till, fields)
            #expect(reply.status == 415)
        }
    }

    @Test func bodyWithItsCharset_isTaken() throws {
        try H.play { shop in
            let fields = [
                HTTPField("content-type", "application/json; charset=utf-8"), HTTPField("idempotency-key", H.uuid(1)),
            ]
            let reply = try await H.send(
                shop.service, "POST", "/v1/sales", H.sale("12.50").bytes(), by: .till, fields)
            #expect(reply.status == 201)
        }
    }
}
