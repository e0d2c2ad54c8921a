import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import Testing

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

    @Test func nobodyTypesThePIN() throws {
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
