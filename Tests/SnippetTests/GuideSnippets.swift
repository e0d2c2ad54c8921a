import AllProviders
import PaymentCore
import PaymentPostgres
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import Payments
import Testing

@Suite struct GuideSnippets {
    @Test func takingAPayment() throws {
        let till = Till()
        let payments = try till.client()
        try till.play {
            switch try await payments.sale(Money("49.99", .eur), from: .reader, reference: "order-1001") {
            case .approved(let payment): print(payment.id, payment.card?.last4 ?? "", payment.amounts.captured)
            case .declined(let decline): print(decline.reason, decline.provider.code)
            case .cancelled, .pending: break
            }
        }
        try till.play {
            let room = try await payments.authorize(Money("300.00", .eur), from: .reader, reference: "room-7")
            if let id = room.payment?.id {
                try await payments.capture(id, of: Money("180.00", .eur))
                try await payments.refund(id, of: Money("20.00", .eur))
            }
        }
        #expect(till.backend.ledger.balance(.merchant) == ["EUR": 4_999 + 16_000])
        try till.play {
            let sale = try await payments.sale(Money("5.00", .eur), from: .reader, reference: "order-1002")
            let sold = try #require(sale.payment)
            if let receipt = sold.receipt {
                print(receipt.merchant?.name ?? "", receipt.authorizationCode ?? "")
                for line in receipt.lines where line.copy == .customer { print(line.label, line.value ?? "") }
            }
        }
    }

    @Test func unknownOutcomes() throws {
        let till = Till()
        let payments = try till.client()
        try till.play {
            let attempt = try await payments.newAttempt()
            do {
                let result = try await payments.sale(
                    Money("49.99", .usd), from: .reader, reference: "order-1002", attempt: attempt)
                print(result.payment?.amounts.captured ?? "")
            } catch let error as PaymentError where error.outcome == .unknown {
                print("ask again later:", try await payments.status(attempt))
            }
        }
        #expect(till.backend.ledger.movements.count == 1)
    }
}

/// What the guides show, with the memory provider under the names that they use.
@Suite struct FurtherGuideSnippets {
    private func client(_ till: Till) throws -> PaymentClient {
        try PaymentClient(
            drivers: [till.driver(name: "adyen"), till.driver(name: "arise")], routing: Routing(active: "adyen"),
            till.dependencies)
    }

    @Test func switchingProcessors() throws {
        let payments = try client(Till())
        let old = try payments.provider("arise").capabilityTable
        let new = try payments.provider("adyen").capabilityTable
        for entry in old.entries where entry.isSupported && !new[entry.name] { print("lost:", entry.name) }
        #expect(old == new)
    }

    @Test func refundsAndTheOldProvider() throws {
        let till = Till()
        let payments = try client(till)
        try till.play {
            let sale = try await payments.sale(Money("49.99", .eur), from: .reader, reference: "order-1001")
            guard let id = sale.payment?.id else { return }
            let payment = try await payments.payment(id)
            print(payment.provider, "can still refund", payment.amounts.refundable)
            let result = try await payments.refund(id, of: Money("5.00", payment.amounts.captured.currency))
            if case .pending = result { print("received; a webhook or a later status says what became of it") }
        }
        #expect(till.backend.ledger.balance(.merchant) == ["EUR": 4_499])
    }

    @Test func questions() {
        @Sendable func showForm(_ fields: [RequestedFields.Field]) async -> [String: PersonalData] { [:] }
        @Sendable func showBrowser(_ address: String, _ fields: [String: String]) async -> Secret? { Secret(address) }
        var dependencies = ClientOptions(journal: .memory)
        dependencies.answers.handle(PartialApprovalOffer.self) { offer in
            offer.approved.minorUnits * 2 >= offer.asked.minorUnits
        }
        dependencies.answers.handle(RequestedFields.self) { asked in await showForm(asked.fields) }
        dependencies.answers.handle(ThreeDSecureChallenge.self) { challenge in
            ThreeDSecureChallenge.Answer(result: await showBrowser(challenge.address, challenge.fields))
        }
        #expect(dependencies.answers.hasHandler(for: ThreeDSecureChallenge.self))
        #expect(!dependencies.answers.hasHandler(for: CascadeConsent.self))
    }

    @Test func webhooks() throws {
        let till = Till()
        let payments = try client(till)
        try till.play {
            let pending = try await payments.sale(
                Money(minorUnits: 1_015, .eur), from: .reader, reference: "order-1001")
            guard case .pending(let waiting) = pending, let attempt = waiting.attempt,
                let message = till.backend.decide(attempt.text, succeeds: true)
            else { return }
            let (headers, body) = (message.headers, message.body)
            let answer = try await payments.receiveWebhook(body, headers: headers, from: "adyen")
            for item in answer.items { print(item.notice.kind, item.effect) }
            // Then answer with answer.status and answer.body.
            #expect(answer.items.count == 1 && answer.status == 200)
        }
    }

    @Test func recordingAndReplaying() async throws {
        @Sendable func mask(_ body: [UInt8]) -> [UInt8] { body }
        let provider = MemoryBackend(clock: SystemClock())
        let transport = InProcessTransport([Till.origin: provider])
        let recorder = RecordingTransport(transport, rules: CassetteRules { mask($0) })
        // … run the scenario over it, then keep the text in a file
        let text = recorder.cassette.text
        let replay = ReplayingTransport(try Cassette(text: text), rules: CassetteRules { mask($0) })
        let request = HTTPRequest("GET", Till.origin, "/settings")
        await #expect(throws: TransportFailure.self) { try await replay.send(request) }
        let seen = try await recorder.send(request)
        let again = ReplayingTransport(recorder.cassette, rules: CassetteRules { mask($0) })
        #expect(try await again.send(request) == seen)
    }
}

@Suite struct ReadmeSnippet {
    @Test func takesAPayment() async throws {
        let simulated = MemoryBackend(clock: SystemClock())
        let payments = try await PaymentClient.open(configuration: "providers.json") {
            $0.transport = InProcessTransport(to: simulated)
            $0.reader = SimulatedReader(clock: SystemClock())
            $0.journal = .memory  // leave it out to keep what happened
        }
        try await payments.reader?.prepare { percent in print("preparing: \(percent) %") }

        switch try await payments.sale(Money("49.99", .usd), from: .reader, reference: "order-1001") {
        case .approved(let payment): print(payment.id, payment.card?.last4 ?? "", payment.amounts.captured)
        case .declined(let decline): print(decline.reason, decline.provider.code)  // a result, not an error
        case .cancelled, .pending: break
        }
        #expect(simulated.ledger.balance(.merchant) == ["USD": 4_999])

        let half = try Money("24.99", .usd)
        _ = try await payments.sale(half, from: .reader, reference: OrderReference("order-1002", part: "1 of 2"))
        _ = try await payments.sale(half, from: .reader, reference: OrderReference("order-1002", part: "2 of 2"))
        #expect(simulated.ledger.balance(.merchant) == ["USD": 9_997])
    }
}

/// What `Running-many-machines` shows; it needs a server, which `PaymentPostgresTests` have.
enum MachinesSnippet {
    static func open() async throws -> PaymentClient {
        let payments = try await PaymentClient.open(configuration: "providers.json") { $0.journals = [.postgres] }
        return payments
    }
}

/// What an adapter declares of its list.
func declared() -> Capabilities {
    var takes = Capabilities(sources: [.reader], sendLimit: nil)
    takes.listed = ListedTransactions(
        [.charge, .void, .refund],
        words: ["purchase": .payment, "refund": .refund, "approved": .charged, "voided": .undone, "declined": .refused])
    return takes
}
