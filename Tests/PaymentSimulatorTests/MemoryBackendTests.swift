import PaymentBase
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// The memory provider on its own, spoken to in plain HTTP.
@Suite struct MemoryProviderTests {
    private let provider = MemoryBackend(clock: TestScheduler())

    private func ask(_ method: String, _ target: String, _ body: JSON? = nil, token: String = "") async throws -> JSON {
        var request = HTTPRequest(method, Origin(.http, "memory.test"), target)
        request.headers["Authorization"] = "Bearer \(token)"
        if let body {
            request.headers["Content-Type"] = "application/json"
            request.body = body.bytes()
        }
        return try JSONReader().read(try #require(await provider.answer(request).response).body)
    }

    /// However often: what a ledger adds up never reaches the end of its numbers.
    @Test func anAmountThatNoPaymentHasIsRefused() async throws {
        let token = try await ask("POST", "/token", ["secret": "memory-client-secret"])["token"]?.string ?? ""
        for attempt in ["1", "2"] {
            let sale: JSON = [
                "attempt": .string(attempt), "kind": "sale", "reference": .string(attempt),
                "amount": ["minorUnits": .number(JSONNumber(Int64.max)), "currency": "EUR"],
                "source": ["kind": "card", "number": "4111111111111111"],
            ]
            #expect(try await ask("POST", "/payments", sale, token: token)["error"]?["code"] == "incomplete")
        }
        #expect(provider.ledger.movements.isEmpty)
    }

    @Test(arguments: [
        ("", ["e", "d", "c", "b", "a"], nil), ("?limit=2", ["e", "d"], "2"), ("?limit=2&cursor=2", ["c", "b"], "4"),
        ("?limit=2&cursor=4", ["a"], nil), ("?limit=0", ["e"], "1"), ("?limit=-5&cursor=-5", ["e"], "1"),
        ("?limit=\(Int.max)&cursor=\(Int.max)", [], nil), ("?cursor=5", [], nil), ("?reference=c", ["c"], nil),
        ("?reference=x", [], nil),
    ])
    func aListIsGivenInPartsTheNewestFirst(query: String, references: [String], next: String?) async throws {
        let token = try await ask("POST", "/token", ["secret": "memory-client-secret"])["token"]?.string ?? ""
        for reference in ["a", "b", "c", "d", "e"] {
            let sale: JSON = [
                "attempt": .string("at-\(reference)"), "kind": "sale", "reference": .string(reference),
                "amount": ["minorUnits": 5_000, "currency": "EUR"],
                "source": ["kind": "card", "number": "4111111111111111"],
            ]
            #expect(try await ask("POST", "/payments", sale, token: token)["state"] == "approved")
        }
        let list = try await ask("GET", "/payments\(query)", token: token)
        #expect(list["items"]?.array?.compactMap { $0["reference"]?.string } == references)
        #expect(list["next"]?.string == next)
    }
}
