import EcommpayProvider
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentModel
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Synchronization
import Testing

/// A card that is declined while the replies to the requests are lost.
@Suite struct EcommpayLostDeclineTests {
    /// A line on which replies to requests that begin a payment are lost.
    private final class Line: HTTPTransport {
        private let real: any HTTPTransport
        private let left: Locked<Int>
        /// The provider whose status says that no payment was registered, since the request has a mistake.
        private let erring: EcommpaySimulator?

        init(_ real: any HTTPTransport, losing count: Int, erring: EcommpaySimulator? = nil) {
            (self.real, left, self.erring) = (real, Locked(count), erring)
        }

        var sendLimitMilliseconds: Int64? { real.sendLimitMilliseconds }

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            var response = try await real.send(request)
            if let erring, request.target == "/v2/payment/status", let said = try? JSONReader().read(response.body),
                let payment = said["payment"]
            {
                let bare = said.adding("payment", payment.adding("status", "error")).adding("operations", [])
                    .adding("errors", [["code": 2004, "message": "Required field not provided"]])
                response.body = erring.sealed(bare).bytes()
            }
            let begins = request.target.hasSuffix("/msdk/v1/pay") || request.target.hasPrefix("/v2/payment/card/sale")
            let isLost = left.withLock { left in
                guard begins, left > 0 else { return false }
                left -= 1
                return true
            }
            if isLost { throw .maybeSent(.stalled) }
            return response
        }
    }

    private static func till(_ link: EcommpayConfiguration.Integration) -> EcommpayTill {
        var till = EcommpayTill()
        (till.configuration.link, till.configuration.returnAddress) = (link, "https://shop.example/back")
        till.configuration.notificationAddress = "https://shop.example/loaded"
        return till
    }

    private static func told(_ result: () throws -> PaymentResult) throws -> String {
        do {
            switch try result() {
            case .approved: return "approved"
            case .declined: return "declined"
            case .cancelled, .pending: return "other"
            }
        } catch let error as PaymentError { return error.outcome.rawValue }
    }

    private static let declinedCard = "4111111111111111"

    @Test(arguments: [.gate, .session] as [EcommpayConfiguration.Integration], [1, 2, 9])
    func sale_declinedAndItsRepliesLost_isDeclined(
        _ link: EcommpayConfiguration.Integration, _ lost: Int
    ) throws {
        var till = Self.till(link)
        till.tools.transport = Line(till.tools.transport, losing: lost)
        let request = try EcommpayTill.gateRequest(5_000, Self.declinedCard)
        let id = try AttemptID("lost-1")
        #expect(try Self.told { try till.play { try await $0.sale(request, attempt: id) } } == "declined")
        #expect(try Self.told { try till.play { try await $0.status(id) } } == "declined")
        #expect(till.backend.ledger.movements.isEmpty)
    }

    /// A payment of the word *error* is registered nowhere, and its id is free: a request on its way may still be taken.
    @Test func sale_refusedForAMistakeAndItsRepliesLost_staysUnknownUntilTheQuietTime() throws {
        var till = Self.till(.gate)
        let id = try AttemptID("lost-2")
        till.tools.transport = Line(till.tools.transport, losing: 9, erring: till.backend)
        let request = try EcommpayTill.gateRequest(5_000, Self.declinedCard)
        #expect(try Self.told { try till.play { try await $0.sale(request, attempt: id) } } == "unknown")
    }
}

/// A debit that is declined, and that the provider may try again on its own.
@Suite struct EcommpayRetryTests {
    private static let declinedCard = "4000000000000135"

    private static func debit(_ client: PaymentClient, _ id: AttemptID) async throws -> (
        result: PaymentResult, card: SavedInstrument.ID
    ) {
        let card = try await EcommpayRegistrationTests.register(client, declinedCard)
        var debit = CardOnFileRequest(Money(minorUnits: 700, .eur), of: card, reference: "d")
        debit.customer = "customer-1"
        return (try await client.chargeCardOnFile(debit, attempt: id), card)
    }

    /// The registration says whether the provider debits once more.
    @Test(arguments: [true, false]) func debit_declined_isFinalOnlyIfItIsNotTriedAgain(_ isTriedAgain: Bool) throws {
        var till = EcommpayTill()
        till.tools.transport = HookTransport(till.tools.transport) { request, next throws(TransportFailure) in
            var response = try await next(request)
            if request.target == "/v2/payment/card/recurring/info", let said = try? JSONReader().read(response.body) {
                response.body = said.adding("retry_info", ["next_retry_exists": .bool(isTriedAgain)]).bytes()
            }
            return response
        }
        let result = try till.play { client in try await Self.debit(client, AttemptID("debit-1")).result }
        let isPending = if case .pending = result { true } else { false }
        #expect(isPending == isTriedAgain, "\(result)")
    }

    /// A refusal for now says nothing about the registration: it is asked again.
    @Test func debit_declinedAndItsRegistrationRefusedForNow_isNotFinal() throws {
        var till = EcommpayTill()
        let count = Mutex(0)
        till.tools.transport = HookTransport(till.tools.transport) { request, next throws(TransportFailure) in
            guard request.target == "/v2/payment/card/recurring/info" else { return try await next(request) }
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst {
                let said: JSON = ["status": "error", "code": "3106", "message": "Try again later"]
                return HTTPResponse(400, headers: ["Content-Type": "application/json"], body: said.bytes())
            }
            var response = try await next(request)
            if let said = try? JSONReader().read(response.body) {
                response.body = said.adding("retry_info", ["next_retry_exists": true]).bytes()
            }
            return response
        }
        let state = try till.play { client in
            let id = try AttemptID("debit-1")
            _ = try? await Self.debit(client, id)
            _ = try await client.recover()
            return try await client.attempt(id)?.state
        }
        #expect(state == .pending)
        #expect(count.withLock { $0 } > 1)
    }

    /// A project that may debit and may not ask can't know whether the provider debits once more: a person decides.
    @Test(arguments: ["310", "3102", "3123", "3181", "3183", "3184"])
    func debit_declinedAndItsRegistrationRefused_isFinalOnlyIfThatIsGone(_ code: String) throws {
        var till = EcommpayTill()
        till.tools.transport = HookTransport(till.tools.transport) { request, next throws(TransportFailure) in
            guard request.target == "/v2/payment/card/recurring/info" else { return try await next(request) }
            let said: JSON = ["status": "error", "code": .string(code), "message": "No"]
            return HTTPResponse(400, headers: ["Content-Type": "application/json"], body: said.bytes())
        }
        let state = try till.play { client in
            let id = try AttemptID("debit-1")
            _ = try? await Self.debit(client, id)
            return try await client.attempt(id)?.state
        }
        #expect(state == (["3181", "3183", "3184"].contains(code) ? .declined : .pending))
    }

    /// The provider debits once more after ten minutes, unless that is stopped.
    @Test(arguments: [false, true]) func debit_triedAgain_endsAsTheLastTry(_ isStopped: Bool) throws {
        let till = EcommpayTill()
        #expect(till.backend.play("ecommpay.debit.retries.retried-by-company"))
        let id = try AttemptID("debit-1")
        try till.play { client in
            let (result, card) = try await Self.debit(client, id)
            guard case .pending(let pending) = result else {
                Issue.record("it is \(result)")
                return
            }
            if isStopped {
                let operation = try #require(pending.references["operation"])
                try await client.provider("ecommpay").ecommpay?.stopRetries(of: operation, under: card)
            }
        }
        till.scheduler.advance(by: 3_600_000)
        let state = try till.play { client in
            _ = try await client.recover()
            return try await client.attempt(id)?.state
        }
        #expect(state == (isStopped ? .declined : .approved))
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == (isStopped ? [5_000] : [5_000, 700]))
    }
}
