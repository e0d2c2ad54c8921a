import NetworkInternationalProvider
import PaymentCore
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

/// A part was approved: what no answer names is not reported as the whole.
@Suite struct NIPartTests {
    @Test func tap_approvedInPartWithoutAnAmountOfIt_isUnknown() throws {
        var till = NITill()
        till.configuration.isSoleUser = false
        till.tools.transport = AnsweringTransport(inner: till.tools.transport) { request, response in
            guard request.path.hasSuffix("/payment/card/purchase"), let said = try? JSONReader().read(response.body)
            else { return nil }
            let bent = said.adding("state", "PARTIALLY_AUTHORISED")
            return HTTPResponse(response.status, headers: response.headers, body: bent.bytes())
        }
        let shop = till
        let error = shop.failure { client in
            _ = try await client.sale(SaleRequest(.aed(1_500), from: .reader, reference: "o"))
        }
        #expect(error?.outcome == .unknown, "\(error.debugDescription)")
    }

    /// A till whose taps are approved in part, and whose orders have no sums.
    private static func partlyApproved() -> NITill {
        var till = NITill()
        till.tools.transport = AnsweringTransport(inner: till.tools.transport) { request, response in
            guard let said = try? JSONReader().read(response.body) else { return nil }
            let bent: JSON
            if request.path.hasSuffix("/payment/card/purchase") || request.path.hasSuffix("/payment/card/authorise") {
                bent = said.adding("state", "PARTIALLY_AUTHORISED")
            } else if request.path.contains("/reporting/orders/") {
                var members = said.object ?? [:]
                members["paymentInfo"] = nil
                bent = .object(members)
            } else {
                return nil
            }
            return HTTPResponse(response.status, headers: response.headers, body: bent.bytes())
        }
        return till
    }

    /// An order without sums shows what was ordered: neither a sale nor a hold is reported as the whole by it.
    @Test(arguments: [false, true]) func tap_approvedInPart_whoseOrderHasNoSums_isUnknown(_ holds: Bool) throws {
        let error = Self.partlyApproved().failure { client in
            let request = SaleRequest(.aed(1_500), from: .reader, reference: "o")
            if holds { _ = try await client.authorize(request) } else { _ = try await client.sale(request) }
        }
        #expect(error?.outcome == .unknown, "\(error.debugDescription)")
    }

    /// A person who says that it was executed has to say how much.
    @Test func tap_approvedInPart_needsThePersonsAmount() throws {
        let shop = Self.partlyApproved()
        try shop.play { [scheduler = shop.scheduler] client in
            let id = try AttemptID("a-1")
            await #expect(throws: PaymentError.self) {
                _ = try await client.sale(.aed(1_500), from: .reader, reference: "o", attempt: id)
            }
            try await scheduler.sleep(until: scheduler.now + 3_600_000)
            await #expect(throws: PaymentError.self) {
                _ = try await client.resolve(
                    id, as: .executed(name: "the-order", nil), by: "Ann", reason: "The portal shows it.")
            }
            _ = try await client.resolve(
                id, as: .executed(name: "the-order", .aed(750)), by: "Ann", reason: "The portal says how much.")
            let approved = try await client.status(id).payment?.approved
            #expect(approved == .aed(750))
        }
    }

    /// The order that the answer named is shown: a person who says that nothing was executed has to name it.
    @Test func tap_approvedInPart_calledNotExecutedUnnamed_isRefused() throws {
        let shop = Self.partlyApproved()
        try shop.play { [scheduler = shop.scheduler] client in
            let id = try AttemptID("a-1")
            await #expect(throws: PaymentError.self) {
                _ = try await client.sale(.aed(1_500), from: .reader, reference: "o", attempt: id)
            }
            try await scheduler.sleep(until: scheduler.now + 3_600_000)
            let refused = await #expect(throws: PaymentError.self) {
                try await client.resolve(id, as: .notExecuted(), reason: "not on the slip")
            }
            #expect(refused?.code == .conflict, "\(refused.debugDescription)")
        }
    }

    /// A refused card may leave an order and not name it: a payment that is lost is not found in it.
    @Test func tap_thatIsLost_isNotTheRefusedOneBefore() throws {
        var till = NITill()
        let count = Locked(0)
        till.tools.transport = AnsweringTransport(
            inner: till.tools.transport,
            answer: { request, _ in
                guard request.path.hasSuffix("/payment/card/purchase"), count.withLock({ $0 }) == 1 else { return nil }
                return HTTPResponse(
                    422, headers: ["Content-Type": "application/json"],
                    body: Array(#"{"errors":[{"errorCode":"114","message":"the scheme is not taken"}]}"#.utf8))
            },
            arrives: { request in
                guard request.path.hasSuffix("/payment/card/purchase") else { return true }
                return count.withLock { count in
                    count += 1
                    return count == 1
                }
            })
        let shop = till
        let first = try shop.play { try await $0.sale(.aed(1_051), from: .reader, reference: "o-1") }
        guard case .declined = first else {
            Issue.record("\(first)")
            return
        }
        let error = shop.failure { client in
            _ = try await client.sale(.aed(1_051), from: .reader, reference: "o-2")
        }
        #expect(error?.outcome == .unknown, "\(error.debugDescription)")
    }
}
