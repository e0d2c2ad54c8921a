import PaymentBase
import PaymentCore
import PaymentModel
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import AdyenProvider

/// What Adyen keeps for a customer: listed and removed in the back office.
@Suite struct AdyenStoredTests {
    private static let customer = AdyenSimulator.savedCustomer
    private static let id = AdyenMapping.instrument(AdyenSimulator.savedInstrument, customer)

    /// A client whose requests about stored payment methods are seen, and answered instead if `answer` gives something.
    private func client(
        _ till: AdyenTill, _ seen: Locked<[String]> = Locked([]),
        answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse? = { _ in nil }
    ) throws -> PaymentClient {
        try till.client(
            over: HookTransport(till.transport) { request, next throws(TransportFailure) in
                guard request.target.contains("/storedPaymentMethods") else { return try await next(request) }
                seen.withLock { $0.append("\(request.method) \(request.target)") }
                if let answer = answer(request) { return answer }
                return try await next(request)
            })
    }

    private func saved(_ client: PaymentClient) throws -> ProviderClient.SavedInstruments {
        try #require(try client.provider("adyen").savedInstruments)
    }

    @Test func instrument_listed_isRemovedAndChargedNoMore() throws {
        let (till, seen) = (AdyenTill(), Locked([String]()))
        let client = try client(till, seen)
        let kept = try saved(client)
        let (before, after, other) = try till.play {
            let before = try await kept.list(of: Self.customer)
            try await kept.remove(Self.id, of: Self.customer)
            return (before, try await kept.list(of: Self.customer), try await kept.list(of: "S 1/2&x"))
        }
        #expect(before.map(\.id) == [Self.id] && before.first?.customer == Self.customer)
        #expect(before.first?.card?.last4 == "9999" && before.first?.card?.expiry == "03/30")
        #expect(before.first?.additional["type"]?.value == "scheme")
        #expect(after.isEmpty && other.isEmpty)
        let query = "?merchantAccount=TestMerchant&shopperReference="
        #expect(
            seen.withLock { $0 } == [
                "GET /v72/storedPaymentMethods\(query)customer-1",
                "DELETE /v72/storedPaymentMethods/\(AdyenSimulator.savedInstrument)\(query)customer-1",
                "GET /v72/storedPaymentMethods\(query)customer-1", "GET /v72/storedPaymentMethods\(query)S%201%2F2%26x",
            ])
        let charged = try till.play {
            try? await client.sale(Money(minorUnits: 500, .eur), from: .saved(Self.id), reference: "o-1")
        }
        #expect(charged?.payment == nil && till.backend.ledger.movements.isEmpty)
    }

    /// The id of an instrument has its customer in it: with another customer's name nothing is sent.
    @Test func instrument_ofAnotherCustomer_isNotCharged() throws {
        let till = AdyenTill()
        let client = try client(till)
        var sale = SaleRequest(Money(minorUnits: 500, .eur), from: .saved(Self.id), reference: "o-1")
        sale.customer = "customer-2"
        let asked = sale
        let error = #expect(throws: PaymentError.self) {
            try till.play { _ = try await client.sale(asked) }
        }
        #expect(error?.code == .invalidRequest && error?.outcome == .notExecuted)
        #expect(till.backend.ledger.movements.isEmpty)
    }

    /// The list says what a lost answer did not: gone, or still there.
    @Test func removal_whoseAnswerIsLost_isLookedUpInTheList() throws {
        let till = AdyenTill()
        let lost = HTTPResponse(502)
        let done = try client(till) { request in
            guard request.method == "DELETE" else { return nil }
            till.backend.forget(AdyenSimulator.savedInstrument)
            return lost
        }
        let kept = try saved(done)
        try till.play { try await kept.remove(Self.id, of: Self.customer) }
        let again = AdyenTill()
        let undone = try saved(try client(again) { $0.method == "DELETE" ? lost : nil })
        let error = #expect(throws: PaymentError.self) {
            try again.play { try await undone.remove(Self.id, of: Self.customer) }
        }
        #expect(error?.code == .inDoubt && error?.retry == .afterStatusCheck)
    }

    @Test func removal_ofAnotherCustomersInstrument_sendsNothing() throws {
        let (till, seen) = (AdyenTill(), Locked([String]()))
        let kept = try saved(try client(till, seen))
        let error = #expect(throws: PaymentError.self) {
            try till.play { try await kept.remove(Self.id, of: "customer-2") }
        }
        #expect(error?.code == .invalidRequest && error?.outcome == .notExecuted)
        #expect(seen.withLock { $0 }.isEmpty)
        // Without its customer in its name the provider refuses it.
        let bare = SavedInstrument.ID(rawValue: AdyenSimulator.savedInstrument)
        #expect(throws: PaymentError.self) { try till.play { try await kept.remove(bare, of: "customer-2") } }
        #expect(try till.play { try await kept.list(of: Self.customer) }.count == 1)
    }

    /// A list that is not believed as a whole would hide what is still charged.
    @Test(arguments: [
        #"{"shopperReference":"customer-2","storedPaymentMethods":[]}"#,
        #"{"storedPaymentMethods":[{"id":"M1","shopperReference":"customer-2"}]}"#,
        #"{"storedPaymentMethods":[{"id":"M1"},{"type":"scheme"}]}"#, #"{"storedPaymentMethods":{"id":"M1"}}"#, "[]",
        "",
    ])
    func list_thatIsNotTheCustomersOrNotWhole_isNotBelieved(_ body: String) throws {
        let till = AdyenTill()
        let kept = try saved(
            try client(till) { _ in
                HTTPResponse(200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
            })
        #expect(throws: PaymentError.self) { try till.play { try await kept.list(of: Self.customer) } }
    }

    @Test func bankAccount_inTheList_hasNoCard() throws {
        let till = AdyenTill()
        let body = #"{"storedPaymentMethods":[{"id":"M2","type":"sepadirectdebit","iban":"DE","ownerName":"A B"}]}"#
        let kept = try saved(
            try client(till) { _ in
                HTTPResponse(200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
            })
        let list = try till.play { try await kept.list(of: Self.customer) }
        #expect(list.first?.card == nil && list.first?.additional["ownerName"]?.value == "A B")
        #expect(list.map(\.id.rawValue) == ["M2/customer-1"])
    }
}
