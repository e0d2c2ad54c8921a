import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// Prepare, link, purchase and next-day refund on Network International; nothing of ours travels with a purchase.
@Suite struct NICallSiteTests {
    struct NI: StubDriver, SaleDriver, RefundDriver, VoidDriver, ReaderDriver, SessionDriver {
        static let name = "ni"
        let provider: Provider
        let capabilities: Capabilities = {
            var takes = Capabilities(sources: [.reader], sendLimit: 0)
            takes.isExclusive = true
            return takes
        }()
        static let clockSkewMilliseconds: Int64 = 120_000

        func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
            let service = try await provider.send("access-token")
            let device = try await provider.send("devices/auth", ["token": service["token"] ?? ""])
            return AccessToken(Secret(device["token"] ?? ""), expiresAt: context.now + 8 * 3_600_000)
        }

        func activation(_ context: ReaderContext) async throws -> ActivationStatus {
            let isLinked = try await context.isLinked(token: try await token(context))
            return ActivationStatus(isLinked == true ? .active : .inactive, isLinked: isLinked)
        }

        func activate(_ context: ReaderContext) async throws { try await context.link(token: try await token(context)) }

        func prepare(_ context: ReaderContext) async throws {
            try await context.prepareReader(token: try await token(context))
        }

        private func token(_ context: ReaderContext) async throws -> Secret {
            let reply = try await context.exchange { _ in try await provider.send("reader-token") }
            return Secret(reply["token"] ?? "")
        }

        func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
            let read = try await context.read(CardReadRequest(.purchase, request.amount))
            let reply = try await context.exchange(.money) { _ in
                try await provider.send("purchase", ["payment": read.id])
            }
            return try verdict(reply, request.amount)
        }

        func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
            try await follow("cancel", request, context)
        }

        func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
            // What is refunded so far is the baseline from which a lost reply is told.
            try context.note("baseline", String(request.payment.amounts.refunded.minorUnits))
            return try await follow("refund", request, context)
        }

        private func follow(
            _ action: String, _ request: FollowUpRequest, _ context: PaymentContext
        ) async throws -> Verdict {
            let order = request.payment.references["order"] ?? ""
            let reply = try await context.exchange(.money) { _ in
                let body = ["amount": String(request.amount.minorUnits)]
                let reply = try await provider.send("orders/\(order)/\(action)", body)
                // An answer that proves a refusal is thrown inside the exchange: it is what the exchange proves.
                guard reply["status"] == "SUCCESS" else {
                    throw PaymentError(.conflict, outcome: .notExecuted, provider: ProviderMessage(code: "119"))
                }
                return reply
            }
            return .approved(Approval(request.amount, references: [action: reply["id"] ?? ""]))
        }

        private func verdict(_ reply: Provider.Message, _ asked: Money) throws -> Verdict {
            switch reply["state"] {
            case "PURCHASED":
                let references = ["order": reply["order"] ?? "", "reference": reply["reference"] ?? ""]
                return .approved(Approval(try money(reply, like: asked), references: references))
            case "FAILED": return .declined(Decline(.doNotHonor, provider: ProviderMessage(code: "05")))
            default: throw PaymentError(.unreadableReply, outcome: .unknown, detail: "unlisted state")
            }
        }

        func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
            LookupPlan(every: 2_000, giveUpAfter: 6_000)
        }

        func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
            switch inquiry.record.intent.operation {
            case .sale: return try await likeness(inquiry, context)
            case .refund: return try await difference(inquiry, context)
            case .void: return try await cancellation(inquiry, context)
            default: return .cannotTell("It can't be seen now.")
            }
        }

        /// Purchases of the same amount around the same time; at most one of them can be ours.
        private func likeness(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
            let reply = try await context.exchange { _ in try await provider.send("reporting/payments") }
            guard let submitted = inquiry.record.submittedAt else { return .cannotTell("It can't be seen now.") }
            let items = (reply["items"] ?? "").split(separator: ";").map { $0.split(separator: " ").map(String.init) }
            let alike = items.filter { item in
                guard item.count == 3, let at = Int64(item[2]) else { return false }
                return item[1] == String(inquiry.amount.minorUnits) && abs(at - submitted) <= Self.clockSkewMilliseconds
            }
            return .candidates(
                alike.map { item in
                    LookupResult.Candidate(item[0], .approved(Approval(inquiry.amount, references: ["order": item[0]])))
                })
        }

        /// An order says whether it was cancelled, which a cancellation that came twice would be refused for.
        private func cancellation(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
            guard let order = inquiry.payment?.references["order"] else { return .cannotTell("It can't be seen now.") }
            let reply = try await context.exchange { _ in try await provider.send("reporting/orders/\(order)") }
            return reply["cancelled"] == nil ? .notFound(seesBack: nil) : .found(.approved(Approval(inquiry.amount)))
        }

        /// What is refunded now against what was before; told only when exactly our amount is missing.
        private func difference(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
            guard let baseline = inquiry.note("baseline").flatMap({ Int64($0) }),
                let order = inquiry.payment?.references["order"]
            else { return .cannotTell("It can't be seen now.") }
            let reply = try await context.exchange { _ in try await provider.send("reporting/orders/\(order)") }
            guard let refunded = reply["refunded"].flatMap({ Int64($0) }) else {
                return .cannotTell("It can't be seen now.")
            }
            if refunded - baseline == inquiry.amount.minorUnits { return .found(.approved(Approval(inquiry.amount))) }
            return .cannotTell("It can't be seen now.")
        }
    }

    private func provider(
        listing: @escaping @Sendable () -> String = { "" }, refunded: String = "0",
        purchase: @escaping @Sendable () throws -> Provider.Message = {
            ["state": "PURCHASED", "amount": "12550", "order": "ord-1", "reference": "pay-1"]
        },
        refund: @escaping @Sendable () throws -> Provider.Message = { ["status": "SUCCESS", "id": "rfn_1"] }
    ) -> Provider {
        Provider { path, _, _ in
            switch path {
            case "purchase": try purchase()
            case "orders/ord-1/refund": try refund()
            case "orders/ord-1/cancel": ["status": "FAILED"]
            case "reporting/payments": ["items": listing()]
            case "reporting/orders/ord-1": ["refunded": refunded]
            default: ["token": "t"]
            }
        }
    }

    @Test func prepareLinkPurchaseAndNextDayRefund() throws {
        let till = Till()
        let payments = try till.client(over: NI(provider: provider()))
        let progress = Locked([Int]())
        let refunded = try till.play { [scheduler = till.scheduler] in
            guard let reader = payments.reader else { return Money?.none }
            #expect(try await reader.activation().isLinked == false)
            try await reader.activate()
            #expect(try await reader.activation().step == .active)
            try await reader.prepare { percent in progress.withLock { $0.append(percent) } }
            let amount = try Money("125.50", .aed)
            let sold = try await payments.sale(amount, from: .reader, reference: "order-9").payment
            guard let id = sold?.id else { return nil }
            scheduler.advance(by: 24 * 3_600_000)
            // After settlement a void is refused by the provider; it is never turned into a refund silently.
            do {
                try await payments.void(id)
                Issue.record("a void after settlement")
            } catch let error as PaymentError {
                // A copy of an executed void gets the same refusal, and nothing shows which it was: a person decides.
                #expect(error == PaymentError(.conflict, outcome: .unknown))
                scheduler.advance(by: 120_000)
                let doubt = try #require(error.attempt)
                _ = try await payments.resolve(
                    doubt, as: .notExecuted(), reason: "the portal shows the payment as settled")
            }
            return try await payments.refund(id, of: Money("25.50", .aed)).payment?.amounts.refunded
        }
        #expect(refunded == Money(minorUnits: 2_550, .aed))
        #expect(progress.withLock { $0 } == [1, 50, 100])
    }

    @Test(arguments: [1, 2]) func aLostPurchaseIsFoundOnlyWhenExactlyOneLooksLikeIt(_ count: Int) throws {
        let till = Till()
        let scheduler = till.scheduler
        let provider = provider(
            listing: { (1...count).map { "ord-\($0) 12550 \(scheduler.now)" }.joined(separator: ";") },
            purchase: { throw Lost() })
        let payments = try till.client(over: NI(provider: provider))
        let sale: @Sendable () async throws -> PaymentResult = {
            try await payments.reader?.prepare()
            return try await payments.sale(Money("125.50", .aed), from: .reader, reference: "o")
        }
        if count == 1 {
            #expect(try till.play(sale).payment?.references["order"] == "ord-1")
        } else {
            #expect(till.failure { _ = try await sale() } == PaymentError(.network, outcome: .unknown))
        }
    }

    @Test func aLostRefundIsToldByTheDifference() throws {
        let till = Till()
        let payments = try till.client(over: NI(provider: provider(refunded: "2550", refund: { throw Lost() })))
        let result = try till.play {
            try await payments.reader?.prepare()
            let sold = try await payments.sale(Money("125.50", .aed), from: .reader, reference: "o").payment
            guard let id = sold?.id else { return PaymentResult?.none }
            return try await payments.refund(id, of: Money("25.50", .aed))
        }
        #expect(result?.payment?.amounts.refunded == Money(minorUnits: 2_550, .aed))
    }
}
