import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentTestTill
import PaymentTesting
import Testing

/// A 3-D Secure card sale with clarification on ecommpay: questions on the way, the answer by status.
@Suite struct EcommpayCallSiteTests {
    struct Ecommpay: StubDriver, SaleDriver, WebhookDriver {
        static let name = "ecommpay"
        static let pollsMax = 50
        let provider: Provider
        let capabilities = Capabilities(sources: [.card, .saved, .token, .wallet], sendLimit: 0)

        func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
            try context.needs(ThreeDSecureChallenge.self)
            let id = context.attempt.text
            let session = try await context.exchange(.readOnly) { _ in
                try await provider.send("init", ["payment_id": id])
            }
            try context.note("sid", session["sid"] ?? "")
            _ = try await context.exchange(.money) { _ in try await provider.send("pay", ["payment_id": id]) }
            for poll in 1...Self.pollsMax {
                let state = try await status(id, context.query)
                switch state["status"] {
                case "awaiting 3ds result":
                    let challenge = ThreeDSecureChallenge(.challenge, address: state["page"] ?? "")
                    guard let answer = await context.ask(challenge) else { return .pending(Pending(shouldPoll: true)) }
                    try await send("3ds/result", answer.result?.expose() ?? "", context)
                case "awaiting clarification":
                    let asked = RequestedFields(
                        (state["fields"] ?? "").split(separator: ",").map { RequestedFields.Field(String($0)) })
                    guard let answer = await context.ask(asked) else { return .pending(Pending(shouldPoll: true)) }
                    try await send("clarification", answer.keys.sorted().joined(separator: ","), context)
                case "processing":
                    await context.pause(until: context.now + Int64(min(poll, 5)) * 1_000)
                default: return try verdict(state, request.amount)
                }
            }
            return .pending(Pending(shouldPoll: true))
        }

        private func status(_ id: String, _ context: LookupContext) async throws(PaymentError) -> Provider.Message {
            try await context.exchange { _ in try await provider.send("status", ["payment_id": id]) }
        }

        private func send(_ path: String, _ text: String, _ context: PaymentContext) async throws {
            _ = try await context.exchange(.money) { _ in try await provider.send(path, ["answer": text]) }
        }

        private func verdict(_ state: Provider.Message, _ asked: Money) throws -> Verdict {
            switch state["status"] {
            case "success":
                return .approved(Approval(try money(state, like: asked), references: ["operation": "5028800010128225"]))
            case "decline":
                return .declined(Decline(.authenticationFailed, provider: ProviderMessage(code: state["code"] ?? "")))
            default: throw PaymentError(.unreadableReply, outcome: .unknown, detail: "unlisted status")
            }
        }

        func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
            LookupPlan(every: 5_000)
        }

        func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
            let state = try await status(inquiry.attempt.text, context)
            switch state["status"] {
            case "awaiting 3ds result", "awaiting clarification", "processing":
                return .cannotTell("It can't be seen now.")
            default: return .found(try verdict(state, inquiry.amount))
            }
        }

        /// A stand-in for a signed callback: the payment's id.
        func notices(in message: WebhookMessage) throws -> [ProviderNotice] {
            let id = try AttemptID(String(decoding: message.body, as: UTF8.self))
            return [ProviderNotice(.attempt(id), nil, at: message.at, kind: "callback")]
        }
    }

    private static let steps: [Provider.Message] = [
        ["status": "awaiting 3ds result", "page": "https://acs.example"],
        ["status": "awaiting clarification", "fields": "email"], ["status": "processing"],
        ["status": "success", "amount": "400"],
    ]

    private func till(answering: Bool = true) -> Till {
        var till = Till()
        if answering {
            till.answers.handle(ThreeDSecureChallenge.self) { .init(result: Secret("cres of \($0.address)")) }
            till.answers.handle(RequestedFields.self) { asked in
                Dictionary(uniqueKeysWithValues: asked.fields.map { ($0.name, "a@b.example") })
            }
        }
        return till
    }

    @Test func aCardSaleThroughTheQuestions() throws {
        let till = till()
        let provider = Provider { path, _, before in
            switch path {
            case "init": ["sid": "s-1"]
            case "status": Self.steps[min(before, Self.steps.count - 1)]
            default: ["status": "accepted"]
            }
        }
        let payments = try till.client(over: Ecommpay(provider: provider))
        let card = try Cards.good()
        let result = try till.play { try await payments.sale(Money("4.00", .eur), from: card, reference: "payment_21") }
        #expect(result.payment?.amounts.captured == .cents(400))
        #expect(
            provider.paths == [
                "init", "pay", "status", "3ds/result", "status", "clarification", "status", "status",
            ])
    }

    @Test func aPushEndsTheWait() throws {
        let till = till()
        let isPaid = Locked(false)
        let provider = Provider { path, _, _ in
            guard path == "status" else { return ["sid": "s-1"] }
            return isPaid.withLock { $0 } ? ["status": "success", "amount": "400"] : ["status": "processing"]
        }
        let payments = try till.client(over: Ecommpay(provider: provider))
        let card = try Cards.good()
        let id = try AttemptID("payment-21")
        let took = try till.play { [scheduler = till.scheduler] in
            let start = scheduler.now
            let sale = Task(executorPreference: scheduler) {
                try await payments.sale(.cents(400), from: card, reference: "o", attempt: id)
            }
            try await scheduler.sleep(until: start + 200)
            isPaid.withLock { $0 = true }
            try await payments.receiveWebhook(Array(id.text.utf8), from: "ecommpay")
            #expect(try await sale.value.payment != nil)
            return scheduler.now - start
        }
        #expect(took == 200)
    }

    @Test func withoutAHandlerItEndsBeforeAnythingIsSent() throws {
        let till = till(answering: false)
        let provider = Provider { _, _, _ in [:] }
        let payments = try till.client(over: Ecommpay(provider: provider))
        let card = try Cards.good()
        let error = till.failure { _ = try await payments.sale(.cents(400), from: card, reference: "o") }
        #expect(error == PaymentError(.unsupported, outcome: .notExecuted))
        #expect(error?.detail.contains("ThreeDSecureChallenge") == true)
        #expect(provider.paths.isEmpty)
    }
}
