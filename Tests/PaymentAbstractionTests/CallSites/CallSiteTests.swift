import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// A provider of a call site: answers from a function, and writes down what came.
struct Provider: Sendable {
    /// What comes and goes: names and texts, no bytes.
    typealias Message = [String: String]

    let calls = Locked([String]())
    private let play: @Sendable (String, Message, Int) throws -> Message

    /// Makes a provider; the function gets the path, the message, and how often the path was called before.
    init(_ play: @escaping @Sendable (String, Message, Int) throws -> Message) { self.play = play }

    /// Sends one message.
    func send(_ path: String, _ message: Message = [:]) async throws -> Message {
        let before = calls.withLock { calls in
            defer { calls.append(path) }
            return calls.filter { $0 == path }.count
        }
        return try play(path, message, before)
    }

    /// The paths that were called.
    var paths: [String] { calls.withLock { $0 } }
}

/// Lost on the way, or after it was done.
struct Lost: DeliveryEvidence {
    let delivery = Delivery.maybeSent
}

/// Proven not to have been executed; may be sent again.
struct NotDelivered: Error {}

/// What all stub drivers say alike.
protocol StubDriver: PaymentDriver {
    static var name: String { get }
    var provider: Provider { get }
}

extension StubDriver {
    var identity: ProviderIdentity {
        ProviderIdentity(
            ProviderID(rawValue: Self.name), adapter: Self.name, environment: "sandbox", merchant: "m-1")
    }

    func classify(_ error: any Error) -> RequestFailure {
        guard error is NotDelivered else { return RequestFailure(error) }
        var fault = RequestFailure(.providerUnavailable, .refused)
        fault.isRetryable = true
        return fault
    }

    /// The amount of a message, in the currency that was asked for.
    func money(_ message: Provider.Message, like asked: Money) throws -> Money {
        guard let units = message["amount"].flatMap({ Int64($0) }) else {
            throw PaymentError(.unreadableReply, outcome: .unknown, detail: "no amount")
        }
        return Money(minorUnits: units, asked.currency)
    }
}

/// A surcharge quote and its tap on ARISE: the amount of the sale is the quote's, whatever the customer chose.
@Suite struct ARISECallSiteTests {
    struct ARISE: StubDriver, SaleDriver, PricingDriver {
        static let name = "arise"
        let provider: Provider
        let capabilities: Capabilities

        init(provider: Provider) {
            self.provider = provider
            var takes = Capabilities(sources: [.reader, .card], sendLimit: 0)
            takes.features = [.quote, .tip]
            capabilities = takes
        }

        func quote(_ request: QuoteRequest, _ context: LookupContext) async throws -> Quote {
            let rate = try Rate(percent: "3")
            let reply = try await context.exchange { _ in try await provider.send("calculate-amount") }
            var tenders: [Tender: Quote.Breakdown] = [:]
            for tender in [Tender.credit, .debit] {
                let total = try money(["amount": reply[tender.rawValue] ?? ""], like: request.amount)
                var breakdown = Quote.Breakdown(base: request.amount, total: total)
                if tender == .credit { breakdown.surcharge = try rate.share(of: request.amount) }
                tenders[tender] = breakdown
            }
            return Quote(identity.id, tenders)
        }

        func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
            let settings = try await context.exchange(.readOnly) { _ in try await provider.send("configurations") }
            if settings["pricing"] == "surcharge", request.quote == nil {
                throw PaymentError(
                    .invalidRequest, outcome: .notExecuted,
                    detail: "this merchant surcharges: ask `pricing` for a quote and sell that")
            }
            _ = try await context.read(CardReadRequest(.purchase, request.amount))
            let tap = ["amount": String(request.amount.minorUnits), "tender": request.quote?.tender.rawValue ?? ""]
            let reply = try await context.exchange(.money) { _ in try await provider.send("tap-to-pay", tap) }
            return .approved(Approval(try money(reply, like: request.amount), references: ["transaction": "t-1"]))
        }

        func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
            LookupPlan(every: 2_000)
        }
        func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
            .cannotTell("It can't be seen now.")
        }
    }

    private let provider = Provider { path, message, _ in
        switch path {
        case "calculate-amount": ["credit": "10300", "debit": "10000"]
        case "configurations": ["pricing": "surcharge"]
        default: ["amount": message["amount"] ?? ""]
        }
    }

    private func till() -> Till {
        let till = Till()
        let reader = till.reader
        // This stub has no reader of its own to prepare: the hardware is ready.
        _ = try? till.play { try await reader.prepare(token: Secret("ready")) }
        return till
    }

    @Test func aCustomerWhoChoosesCredit_paysTheQuotedTotal() throws {
        let till = till()
        let payments = try till.client(over: ARISE(provider: provider))
        let payment = try till.play {
            guard let pricing = payments.pricing else { return Payment?.none }
            let quote = try await pricing.quote(Money("100.00", .usd))
            #expect(quote.tenders[.credit]?.surcharge == .dollars(300))
            let request = try SaleRequest(quote, .credit, from: .reader, reference: "order-1")
            return try await payments.sale(request).payment
        }
        #expect(payment?.amounts.captured == .dollars(10_300))
        #expect(provider.paths == ["calculate-amount", "configurations", "tap-to-pay"])
    }

    @Test func thePlainAmountIsRefusedBeforeTheCardIsRead() throws {
        let till = till()
        let payments = try till.client(over: ARISE(provider: provider))
        let error = till.failure { _ = try await payments.sale(Money("100.00", .usd), from: .reader, reference: "o") }
        #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
        #expect(provider.paths == ["configurations"])
    }

    @Test func aTenderThatWasNotQuotedIsRefused() throws {
        let quote = Quote("arise", [.debit: Quote.Breakdown(base: .dollars(100), total: .dollars(100))])
        #expect(throws: PaymentError(.invalidRequest, outcome: .notExecuted)) {
            try SaleRequest(quote, .credit, from: .reader, reference: "o")
        }
    }
}

extension Money {
    static func dollars(_ cents: Int64) -> Money { Money(minorUnits: cents, .usd) }
}

/// A tap sale with a PIN on Halo: the PIN is a second submission of the same tap.
@Suite struct HaloCallSiteTests {
    struct Halo: StubDriver, SaleDriver, ReaderDriver {
        static let name = "halo"
        let provider: Provider
        let capabilities = Capabilities(sources: [.reader], sendLimit: 0)

        func prepare(_ context: ReaderContext) async throws {
            let reply = try await context.exchange { _ in try await provider.send("proximity-token") }
            try await context.prepareReader(token: Secret(reply["token"] ?? ""))
        }

        func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
            let read = try await context.read(CardReadRequest(.purchase, request.amount))
            let first = try await context.exchange(.money) { _ in
                try await provider.send("apple", ["reference": context.attempt.text])
            }
            guard first["pin"] == "true" else { return try verdict(first, request.amount) }
            guard let pin = try? await context.readPIN(token: Secret(first["pinToken"] ?? ""), after: read) else {
                return .declined(Decline(.pinRequired, provider: ProviderMessage(code: "65")))
            }
            let second = try await context.exchange(.money) { _ in
                try await provider.send("submitPinApple", ["read": pin.id])
            }
            return try verdict(second, request.amount)
        }

        private func verdict(_ reply: Provider.Message, _ asked: Money) throws -> Verdict {
            switch reply["type"] {
            case "Approved": .approved(Approval(try money(reply, like: asked), references: ["halo": "h-1"]))
            case "Declined": .declined(Decline(.incorrectPIN, provider: ProviderMessage(code: reply["code"] ?? "")))
            default: throw PaymentError(.unreadableReply, outcome: .unknown, detail: "unlisted type")
            }
        }

        func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
            LookupPlan(every: 5_000, giveUpAfter: 70_000, quiet: 60_000)
        }

        func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
            let reply = try await context.exchange { _ in try await provider.send("references/\(inquiry.attempt)") }
            return reply["type"] == "none" ? .notFound(seesBack: nil) : .found(try verdict(reply, inquiry.amount))
        }
    }

    private func play(_ till: Till, _ provider: Provider) throws -> (PaymentClient, PaymentResult) {
        let payments = try till.client(over: Halo(provider: provider))
        let result = try till.play {
            try await payments.reader?.prepare()
            return try await payments.sale(Money("15.00", .zar), from: .reader, reference: "order_12345")
        }
        return (payments, result)
    }

    @Test func aTapWithAPIN() throws {
        let till = Till()
        let provider = Provider { path, _, _ in
            switch path {
            case "proximity-token": ["token": "t"]
            case "apple": ["type": "Declined", "code": "65", "pin": "true", "pinToken": "p"]
            default: ["type": "Approved", "amount": "1500"]
            }
        }
        let (payments, result) = try play(till, provider)
        let payment = try #require(result.payment)
        #expect(payment.amounts.captured == Money(minorUnits: 1_500, .zar))
        #expect(provider.paths == ["proximity-token", "apple", "submitPinApple"])
        let kinds = try till.play { try await payments.timeline(of: payment.id).map(\.kind) }
        #expect(kinds.contains(.pinEntered))
    }

    @Test func sale_withoutTypedPIN_isDeclinedAsPINRequired() throws {
        let till = Till()
        var card = SimulatedReader.Card()
        card.typedPIN = nil
        till.reader.present(card)
        let provider = Provider { path, _, _ in
            path == "proximity-token" ? ["token": "t"] : ["type": "Declined", "code": "65", "pin": "true"]
        }
        let (_, result) = try play(till, provider)
        guard case .declined(let decline) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(decline.reason == .pinRequired)
    }

    @Test func theReplyToThePINIsLost() throws {
        let till = Till()
        let provider = Provider { path, _, _ in
            switch path {
            case "proximity-token": return ["token": "t"]
            case "apple": return ["type": "Declined", "code": "65", "pin": "true", "pinToken": "p"]
            case "submitPinApple": throw Lost()
            default: return ["type": "Approved", "amount": "1500"]
            }
        }
        let (_, result) = try play(till, provider)
        #expect(result.payment?.approved.minorUnits == 1_500)
        #expect(provider.paths.filter { $0 == "submitPinApple" }.count == 1)
    }
}

/// Prepare, link, purchase and next-day refund on Network International; no reference travels with a purchase.
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

        var accessAddresses: [String] { [] }
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
            // What is refunded so far is the baseline by which a lost reply is found.
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
            case .sale: return try await matchByAmount(inquiry, context)
            case .refund: return try await difference(inquiry, context)
            case .void: return try await cancellation(inquiry, context)
            default: return .cannotTell("It can't be seen now.")
            }
        }

        /// Purchases of the same amount around the same time; at most one of them can be ours.
        private func matchByAmount(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
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
                scheduler.advance(by: 240_000)
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

    @Test func aLostRefundIsFoundByTheDifference() throws {
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
