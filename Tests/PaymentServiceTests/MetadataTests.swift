import PaymentBase
import PaymentModel
import PaymentSimulator
import PaymentTestTill
import Testing

@testable import PaymentService

/// What a shop keeps with an attempt.
struct MetadataTests {
    typealias H = ServiceHarness

    private static func sale(_ metadata: JSON, _ reference: String = "order-1") -> JSON {
        ["amount": H.euro("12.50"), "reference": .string(reference), "metadata": metadata]
    }

    @Test func metadata_isKeptWithTheAttempt_andARepeatChangesNothingOfIt() throws {
        try H.play { shop in
            let first: JSON = ["table": "5", "waiter": "w-7"]
            let sold = try await shop.post("/v1/sales", Self.sale(first), 1)
            #expect(sold.status == 201 && sold.body["metadata"] == first)
            #expect(sold.body["by"] == "till")
            let again = try await shop.post("/v1/sales", Self.sale(["table": "6"]), 1)
            #expect(again.status == 201 && again.body["metadata"] == first)
            #expect(again["Idempotency-Replayed"] == "true")
            let none = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            #expect(none.status == 201 && none.body["metadata"] == first)
            let list = try await shop.get("/v1/payments")
            #expect(list.body["items"]?.array?.first?["metadata"] == first)
            let back = try await shop.post(
                "/v1/payments/\(H.uuid(1))/refunds", ["all": true, "metadata": ["why": "cold"]], 2, by: .office)
            #expect(back.body["metadata"] == ["why": "cold"])
            let shown = try await shop.get("/v1/payments/\(H.uuid(1))")
            #expect(shown.body["metadata"] == first)
            #expect(shop.movements(1) == 1 && shop.movements(2) == 1)
            // The message leaves without it.
            let events = try await shop.get("/v1/payments/\(H.uuid(1))/events")
            #expect(!String(decoding: events.body.bytes(), as: UTF8.self).contains("waiter"))
        }
    }

    @Test func metadata_ofAnotherForm_is400_withItsPlace() throws {
        try H.play { shop in
            var many = JSONObject()
            for number in 0...10 { many["n\(number)"] = "x" }
            let long = String(repeating: "x", count: 201)
            let wrong: [(JSON, String)] = [
                (.object(many), "/metadata"), ("text", "/metadata"), (["a b": "x"], "/metadata/a b"),
                (["table": 5], "/metadata/table"), (["table": .string(long)], "/metadata/table"),
                (["table": "4111 1111 1111 1111"], "/metadata/table"), (["4111111111111111": "x"], "/metadata"),
            ]
            for (number, (metadata, pointer)) in wrong.enumerated() {
                let reply = try await shop.post("/v1/sales", Self.sale(metadata), number + 1)
                #expect(reply.status == 400)
                #expect(reply.pointers == [pointer])
                #expect(shop.movements(number + 1) == 0)
            }
        }
    }
}
