import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import Testing

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
            var tenders: [Tender: AmountBreakdown] = [:]
            for tender in [Tender.credit, .debit] {
                let total = try money(["amount": reply[tender.rawValue] ?? ""], like: request.amount)
                var breakdown = AmountBreakdown(base: request.amount, total: total)
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

    @Test func theCustomerChoosesCreditAndPaysTheQuotedTotal() throws {
        var till = till()
        till.answers.handle(TenderChoice.self) { asked in asked.tenders[.credit] == .dollars(10_300) ? .credit : .debit
        }
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
        let quote = Quote("arise", [.debit: AmountBreakdown(base: .dollars(100), total: .dollars(100))])
        #expect(throws: PaymentError(.invalidRequest, outcome: .notExecuted)) {
            try SaleRequest(quote, .credit, from: .reader, reference: "o")
        }
    }
}

extension Money {
    static func dollars(_ cents: Int64) -> Money { Money(minorUnits: cents, .usd) }
}
