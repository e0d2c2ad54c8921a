import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentTestTill
import PaymentTesting
import Testing

/// A pre-authorisation, its capture and a refund that a webhook settles, on Adyen.
@Suite struct AdyenCallSiteTests {
    struct Adyen: StubDriver, AuthorizationDriver, SaleDriver, RefundDriver, WebhookDriver {
        static let name = "adyen"
        let provider: Provider
        let capabilities: Capabilities

        init(provider: Provider) {
            self.provider = provider
            var takes = Capabilities(sources: [.reader], sendLimit: 0)
            takes.authorizationSources = [.reader]
            // The terminal is the provider's: no hardware of the application's is needed.
            takes.usesProviderTerminal = true
            capabilities = takes
        }

        func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
            try await pay(request, context)
        }

        func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
            try await pay(request, context)
        }

        private func pay(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
            let reply = try await context.send(.money) { attempt in
                // A repeat needs a fresh ServiceID, and a lookup needs the last one.
                let serviceID = "\(context.attempt.text.suffix(8))\(attempt.number)"
                return Outgoing(notes: ["serviceID": serviceID]) {
                    try await provider.send("async", ["ServiceID": serviceID])
                }
            }
            return reply["Result"] == nil
                ? .pending(Pending(shouldPoll: true)) : try verdict(reply, request.amount)
        }

        func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
            let psp = request.payment.references["psp"] ?? ""
            let reply = try await context.exchange(.money) { _ in
                try await provider.send("payments/\(psp)/captures", ["Idempotency-Key": context.attempt.text])
            }
            return .pending(Pending(references: ["modification": reply["pspReference"] ?? ""], shouldPoll: false))
        }

        func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
            let psp = request.payment.references["psp"] ?? ""
            let reply = try await context.exchange(.money) { _ in
                try await provider.send("payments/\(psp)/refunds", ["Idempotency-Key": context.attempt.text])
            }
            return .pending(Pending(references: ["modification": reply["pspReference"] ?? ""], shouldPoll: false))
        }

        private func verdict(_ reply: Provider.Message, _ asked: Money) throws -> Verdict {
            switch (reply["Result"], reply["ErrorCondition"]) {
            case ("Success", _):
                .approved(Approval(try money(reply, like: asked), references: ["psp": reply["psp"] ?? ""]))
            case (_, "Refusal"): .declined(Decline(.doNotHonor, provider: ProviderMessage(code: "Refusal")))
            case (_, "Cancel"), (_, "Aborted"): .cancelled(Cancellation(cause: .customer))
            default: throw PaymentError(.unreadableReply, outcome: .unknown, detail: "unlisted condition")
            }
        }

        func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
            LookupPlan(every: 5_000, giveUpAfter: 160_000, quiet: 150_000)
        }

        func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
            guard let serviceID = inquiry.note("serviceID") else { return .cannotTell("It can't be seen now.") }
            let reply = try await context.exchange { _ in try await provider.send("status", ["ServiceID": serviceID]) }
            switch reply["ErrorCondition"] {
            case "NotFound": return .notFound(seesBack: nil)
            case "InProgress": return .cannotTell("It can't be seen now.")
            default: return .found(try verdict(reply, inquiry.amount))
            }
        }

        /// A stand-in for a signed notification: code, reference, success, minor units, event time.
        func notices(in message: WebhookMessage) throws -> [ProviderNotice] {
            let parts = String(decoding: message.body, as: UTF8.self).split(separator: " ").map(String.init)
            guard parts.count == 5, let amount = Int64(parts[3]), let at = Int64(parts[4]) else {
                throw PaymentError(.signatureInvalid, outcome: .notExecuted, detail: "not signed")
            }
            let isFailure = parts[0].hasSuffix("_FAILED") || parts[2] == "false"
            let verdict: Verdict =
                isFailure
                ? .declined(Decline(.failedAfterApproval, provider: ProviderMessage(code: parts[0])))
                : .approved(Approval(.cents(amount), references: ["modification": parts[1]]))
            return [ProviderNotice(.reference(parts[1], [.capture, .refund]), verdict, at: at, kind: parts[0])]
        }
    }

    private let provider = Provider { path, message, before in
        switch path {
        case "async": return [:]
        case "status":
            return before == 0
                ? ["ErrorCondition": "InProgress"]
                : ["Result": "Success", "psp": "8515565295894301", "amount": "10000"]
        case "payments/8515565295894301/captures": return ["pspReference": "CAP1"]
        case "payments/8515565295894301/refunds": return ["pspReference": "REF\(before + 1)"]
        default: return [:]
        }
    }

    @Test func aPreAuthorisationCaptureAndRefundByWebhook() throws {
        let till = Till()
        let payments = try till.client(over: Adyen(provider: provider))
        let amounts = try till.play { [scheduler = till.scheduler] in
            let room = try await payments.authorize(Money("100.00", .eur), from: .reader, reference: "room-7")
            guard let id = room.payment?.id else { return [PaymentAmounts]() }
            guard case .pending = try await payments.capture(id, of: Money("80.00", .eur)) else { return [] }
            let hook: @Sendable (String) async throws -> PaymentAmounts = { text in
                try await payments.receiveWebhook(Array(text.utf8), from: "adyen")
                return try await payments.payment(id).amounts
            }
            let now = scheduler.now
            var seen = [try await payments.payment(id).amounts]
            seen.append(try await hook("CAPTURE CAP1 true 8000 \(now + 1)"))
            guard case .pending = try await payments.refund(id, of: Money("30.00", .eur)) else { return [] }
            seen.append(try await payments.payment(id).amounts)
            seen.append(try await hook("REFUND REF1 true 3000 \(now + 2)"))
            // It fails later, arrives twice, and the success arrives once more, late.
            seen.append(try await hook("REFUND_FAILED REF1 true 3000 \(now + 9)"))
            seen.append(try await hook("REFUND_FAILED REF1 true 3000 \(now + 9)"))
            seen.append(try await hook("REFUND REF1 true 3000 \(now + 2)"))
            return seen
        }
        try #require(amounts.count == 7)
        #expect(amounts[0].capturePending == .cents(8_000))
        #expect(amounts[1].captured == .cents(8_000))
        #expect(amounts[2].refundPending == .cents(3_000))
        #expect(amounts[2].refundable == .cents(5_000))
        #expect(amounts[3].refunded == .cents(3_000))
        for late in amounts[4...] { #expect(late.refunded == .cents(0)) }
        #expect(amounts[6].refundable == .cents(8_000))
    }

    @Test func whatNeverReachedTheTerminalIsSentAgainUnderAFreshServiceID() throws {
        let till = Till()
        let ids = Locked([String]())
        let provider = Provider { path, message, before in
            guard path == "async" else { return ["Result": "Success", "psp": "1", "amount": "1000"] }
            ids.withLock { $0.append(message["ServiceID"] ?? "") }
            if before == 0 { throw NotDelivered() }
            return [:]
        }
        let payments = try till.client(over: Adyen(provider: provider))
        let result = try till.play { try await payments.sale(.cents(1_000), from: .reader, reference: "o") }
        #expect(result.payment != nil)
        #expect(Set(ids.withLock { $0 }).count == 2)
    }

    @Test func notFoundProvesNothingBeforeTheQuietTime() throws {
        let till = Till()
        let provider = Provider { path, _, _ in
            if path == "async" { throw Lost() }
            return ["ErrorCondition": "NotFound"]
        }
        let payments = try till.client(over: Adyen(provider: provider))
        let start = till.scheduler.now
        let error = till.failure { _ = try await payments.sale(.cents(1_000), from: .reader, reference: "o") }
        #expect(error == PaymentError(.notReceived, outcome: .notExecuted))
        #expect(till.scheduler.now - start >= 150_000)
    }
}
