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

/// What the API promises of every operation: roles and shops, repeats, amounts.
struct PromiseTests {
    typealias H = ServiceHarness

    /// A body of each operation that takes one, made of its examples.
    private static func body(_ operation: Operation) -> JSON {
        var object = JSONObject()
        for parameter in operation.parameters where !operation.isInPath(parameter) && parameter.isRequired {
            object[parameter.name] = parameter.example
        }
        if ["sale", "authorize"].contains(operation.id) { object["reference"] = "new" }
        if ["capture", "refund"].contains(operation.id) { object["all"] = true }
        if operation.id == "resolve" { object["providerName"] = "P-1" }
        return .object(object)
    }

    private static func path(_ operation: Operation, _ payment: String) -> String {
        operation.path.replacing("{payment}", with: payment).replacing("{attempt}", with: payment)
            .replacing("{reader}", with: "memory").replacing("{account}", with: "memory")
            .replacing("{code}", with: "journal")
    }

    private static func call(_ shop: H, _ operation: Operation, _ path: String, by caller: Caller) async throws -> Reply
    {
        operation.method == "GET"
            ? try await shop.get(path, by: caller)
            : try await shop.post(path, operation.takesJSON ? body(operation) : [:], 50, by: caller, wait: 0)
    }

    // MARK: - Roles and shops

    /// A key of another shop finds nothing, a key of a lower role may not, and neither the provider nor the journal is asked to
    /// do anything.
    @Test(arguments: OperationTable.all.filter { $0.role != nil && $0.id != "events" }.map(\.id))
    func operation_byAnotherShop_orALowerRole_doesNothing(id: String) throws {
        let operation = try #require(OperationTable.all.first { $0.id == id })
        var till = Till()
        let journal = InMemoryJournal()
        till.journal = journal
        try H.play(till) { shop in
            let sold = try await shop.post("/v1/sales", H.sale("20.15"), 1)
            let (requests, writes) = (shop.till.backend.requestCount, journal.writeCount)
            let path = Self.path(operation, sold.payment)
            let lower = Caller.allCases.filter { caller in
                caller == .viewer && operation.role ?? .viewer > .viewer
                    || caller == .till && operation.role ?? .viewer > .till
            }
            for caller in lower {
                #expect(try await Self.call(shop, operation, path, by: caller).status == 403, "\(caller)")
            }
            for caller in [Caller.none, .unknown] {
                #expect(try await Self.call(shop, operation, path, by: caller).status == 401, "\(caller)")
            }
            if operation.path.contains("{payment}") || operation.path.contains("{attempt}"), id != "cancel" {
                let other = try await Self.call(shop, operation, path, by: .other)
                #expect(other.status == 404, "\(other.status)")
                #expect(!String(decoding: other.body.bytes(), as: UTF8.self).contains("20.15"))
            }
            #expect(shop.till.backend.requestCount == requests)
            #expect(journal.writeCount == writes)
        }
    }

    // MARK: - Repeats

    /// One member of a body that differs in a repeat, and whether it is content.
    struct Change: Sendable, CustomTestStringConvertible {
        let member: String
        let value: JSON
        let isContent: Bool
        var testDescription: String { member }
        init(_ member: String, _ value: JSON, isContent: Bool = true) {
            (self.member, self.value, self.isContent) = (member, value, isContent)
        }
    }

    private static let sale: JSON = [
        "amount": H.euro("12.50"), "tip": H.euro("1.00"), "reference": "order-1", "part": "1 of 2", "holdsFor": 600,
        "customer": "c-1", "contact": ["email": "a@example.org"], "displayText": "Two coffees", "routingLabel": "bar",
        "source": "token", "token": "tok-1", "timeout": 60,
    ]

    @Test(
        arguments: ["/v1/sales", "/v1/authorizations"],
        [
            Change("amount", H.euro("12.51")), Change("tip", H.euro("1.01")), Change("tip", .null),
            Change("reference", "order-2"), Change("part", "2 of 2"), Change("part", .null),
            Change("customer", "c-2"), Change("customer", .null), Change("source", "reader"),
            Change("displayText", "Three coffees"),
            Change("save", true), Change("acceptPartial", true), Change("token", "tok-2", isContent: false),
            Change("holdsFor", 1_200, isContent: false), Change("holdsFor", .null, isContent: false),
            Change("contact", ["email": "b@example.org"], isContent: false),
            Change("routingLabel", .null, isContent: false),
            Change("timeout", 61, isContent: false),
        ])
    func sale_repeatedWithOneMemberChanged_isReplayed_orIs422IfItIsContent(path: String, change: Change) throws {
        try H.play { shop in
            let first = try await shop.post(path, Self.sale, 1)
            #expect(first.status == 201)
            var body = Self.sale.adding(change.member, change.value)
            if change.member == "source" { body = body.adding("token", .null) }
            let reply = try await shop.post(path, body, 1)
            #expect(reply.status == (change.isContent ? 422 : 201), "\(reply.status)")
            #expect((reply["Idempotency-Replayed"] == "true") == !change.isContent)
            #expect(shop.movements(1) == 1)
        }
    }

    /// A member that is missing is one that differs, and everything that is left is another content than its amount.
    @Test func followUps_repeatedOtherwise_are422_andMoveNothing() throws {
        try H.play { shop in
            let held = try await shop.post("/v1/authorizations", H.sale("50.00"), 1)
            let sold = try await shop.post("/v1/sales", H.sale("50.00", "order-2"), 2)
            let (hold, sale) = ("/v1/payments/\(held.payment)", "/v1/payments/\(sold.payment)")
            let calls: [(String, JSON, [JSON])] = [
                (
                    "\(hold)/adjustments", ["newTotal": H.euro("60.00")],
                    [["newTotal": H.euro("60.01")], ["newTotal": ["value": "60", "currency": "JPY"]]]
                ),
                (
                    "\(hold)/captures", ["amount": H.euro("20.00"), "reference": "part 1"],
                    [
                        ["amount": H.euro("20.01"), "reference": "part 1"], ["amount": H.euro("20.00")],
                        ["amount": H.euro("20.00"), "reference": "part 2"], ["all": true, "reference": "part 1"],
                    ]
                ),
                (
                    "\(sale)/refunds", ["amount": H.euro("5.00"), "reference": "item 1"],
                    [
                        ["amount": H.euro("5.01"), "reference": "item 1"], ["amount": H.euro("5.00")],
                        ["amount": H.euro("5.00"), "reference": "item 2"], ["all": true, "reference": "item 1"],
                    ]
                ),
                (
                    "/v1/refunds", ["amount": H.euro("1.00"), "reference": "gift"],
                    [
                        ["amount": H.euro("1.01"), "reference": "gift"],
                        ["amount": H.euro("1.00"), "reference": "gift 2"],
                        ["amount": H.euro("1.00"), "reference": "gift", "payment": .string(sold.payment)],
                    ]
                ),
            ]
            for (place, (path, body, others)) in calls.enumerated() {
                let key = 10 + place
                let first = try await shop.post(path, body, key, by: .office)
                #expect(first.status == 201, "\(path)")
                for other in others {
                    let reply = try await shop.post(path, other, key, by: .office)
                    #expect(reply.status == 422, "\(path) \(reply.status)")
                }
                // Another path under the key is other content, too.
                #expect(try await shop.post("\(hold)/voids", [:], key, by: .office).status == 422)
                let again = try await shop.post(path, body.adding("timeout", 33), key, by: .office)
                #expect(again.status == 201 && again["Idempotency-Replayed"] == "true")
            }
            let amounts = try await shop.get(sale).body["amounts"]
            #expect(amounts?["refunded"] == H.euro("5.00"))
            #expect(try await shop.get(hold).body["amounts"]?["captured"] == H.euro("20.00"))
        }
    }

    @Test(arguments: [
        ("1250", "EUR"), ("1250", "KWD"), ("1250.00", "JPY"), ("12500", "KWD"), ("12.5", "EUR"), ("12.50", "JPY"),
    ])
    func amount_inMinorUnits_is400InEveryOperation(value: String, currency: String) throws {
        let amount: JSON = ["value": .string(value), "currency": .string(currency)]
        try H.play { shop in
            let sold = try await shop.post("/v1/sales", H.sale("50.00"), 1)
            let requests = shop.till.backend.requestCount
            for operation in OperationTable.all where operation.effect == .moves {
                let members = operation.parameters.map(\.name).filter {
                    ["amount", "tip", "newTotal", "newTip"].contains($0)
                }
                for member in members {
                    let body = Self.body(operation).adding(member, amount)
                    let reply = try await shop.post(Self.path(operation, sold.payment), body, 2, by: .office)
                    #expect(reply.status == 400, "\(operation.id) \(member)")
                    #expect(reply.pointers.contains("/\(member)/value"), "\(operation.id) \(reply.pointers)")
                }
            }
            #expect(shop.till.backend.requestCount == requests)
        }
    }

    /// A client with a time limit of 2 seconds repeats its sale while the provider hangs: it is never 429, and charged once.
    @Test func impatientClient_isNever429ForItsOwnSale() throws {
        let (till, gate) = (Till(), Gate())
        try H.play(till, transport: gate.transport(till.transport)) { shop in
            for _ in 0..<30 {
                let reply = try await shop.post("/v1/sales", H.sale("12.50").adding("timeout", 120), 1, wait: 2)
                #expect(reply.status == 202)
            }
            gate.opened.fulfill(true)
            #expect(try await shop.post("/v1/sales", H.sale("12.50").adding("timeout", 120), 1).status == 201)
            #expect(shop.movements(1) == 1)
        }
    }

    // MARK: - Decisions

    @Test func decision_onAnOlderVersion_is409_andTheSameAgainIs200() throws {
        try H.play { shop in
            let sold = try await shop.post("/v1/sales", H.sale("20.15"), 1)
            let version = try #require(sold.body["version"]?.int64)
            let path = "/v1/attempts/\(H.uuid(1))/decision"
            let decision: JSON = ["decision": "executed", "providerName": "P-17", "reason": "Seen in the portal."]
            let old = try await shop.post(
                path, decision.adding("version", .number(JSONNumber(version + 1))), by: .office)
            #expect(old.status == 409 && old.word == "changed")
            #expect(old.body["other"]?["attempt"]?.string == H.uuid(1))
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))").word == "pending")
            let seen = decision.adding("version", .number(JSONNumber(version)))
            #expect(try await shop.post(path, seen, by: .office).status == 200)
            // The version is another one now; the same decision is no conflict with itself.
            let again = try await shop.post(path, seen, by: .office)
            #expect(again.status == 200 && again.word == "approved")
            let other = try await shop.post(path, decision.adding("providerName", "P-18"), by: .office)
            #expect(other.status == 409)
        }
    }
}
