import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import PaymentTransport
import Testing

/// A request that comes twice on its way is carried out once and then refused, because nothing is left for it; only the
/// refusal is heard.
@Suite struct RefusedRepeatTests {
    /// Sends what ends so twice and gives the second answer back; what asks meets `asking`.
    private func client(
        _ till: Till, twice ending: String,
        asking: @escaping @Sendable () throws(TransportFailure) -> Void = {}
    ) throws -> PaymentClient {
        try till.client(
            HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
                if request.method == "GET" { try asking() }
                guard request.target.hasSuffix(ending) else { return try await next(request) }
                _ = try await next(request)
                return try await next(request)
            })
    }

    private func sold(_ till: Till, _ client: PaymentClient) throws -> PaymentID {
        let result = try till.play { try await client.sale(.cents(5_000), from: .reader, reference: "order") }
        return try #require(result.payment).id
    }

    @Test(arguments: [5_000, 3_000] as [Int64])
    func whatWasDoneBeforeItsRefusalIsDone(_ cents: Int64) throws {
        let till = Till()
        let client = try client(till, twice: "/refund")
        let id = try sold(till, client)
        let refunded = try till.play { try await client.refund(id, of: .cents(cents)).payment?.amounts.refunded }
        #expect(refunded == .cents(cents))
        #expect(till.backend.ledger.balance(.merchant)["EUR"] ?? 0 == 5_000 - cents)
        let error = till.failure { _ = try await client.refund(id, of: .cents(5_001 - cents)) }
        #expect(error == PaymentError(.amountTooHigh, outcome: .notExecuted))
    }

    @Test func aRefusedRepeatOfAVoidIsAVoid() throws {
        let till = Till()
        let client = try client(till, twice: "/void")
        let id = try sold(till, client)
        #expect(try till.play { try await client.void(id).payment?.amounts.isVoided } == true)
    }

    @Test func aRefusalOfWhatWasNotDoneStands() throws {
        let till = Till()
        let client = try till.client()
        let id = try sold(till, client)
        let refusal = HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
            guard request.target.hasSuffix("/refund") else { return try await next(request) }
            return HTTPResponse(409, body: Array(#"{"error":{"code":"tooMuch","message":"too much"}}"#.utf8))
        }
        let refused = try till.client(refusal)
        let error = till.failure { _ = try await refused.refund(id) }
        #expect(error == PaymentError(.amountTooHigh, outcome: .notExecuted))
        #expect(try till.play { try await client.refund(id).payment?.amounts.refunded } == .cents(5_000))
    }

    @Test func aRefusalThatNobodyCanCheckIsInDoubt() throws {
        let till = Till()
        let isCut = Locked(true)
        let client = try client(till, twice: "/refund") { () throws(TransportFailure) in
            if isCut.withLock({ $0 }) { throw .notSent(.connectionRefused) }
        }
        let id = try sold(till, client)
        let error = till.failure { _ = try await client.refund(id) }
        #expect(error == PaymentError(.amountTooHigh, outcome: .unknown))
        isCut.withLock { $0 = false }
        _ = try till.play { try await client.recover() }
        #expect(try till.play { try await client.payment(id).amounts.refunded } == .cents(5_000))
    }
}
