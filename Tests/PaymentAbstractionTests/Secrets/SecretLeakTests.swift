import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import PaymentTransport
import Testing

/// What came out although it must not; each test fails until its leak is closed.
@Suite struct SecretLeakTests {
    private static func findings(
        _ forms: [Planted.Form], _ fields: [EchoTransport.Field], _ routes: [EchoRun.Route]
    ) throws -> [String] {
        var run = EchoRun()
        for source in try Planted.sources() {
            for needle in EchoTests.carried(by: source) {
                for field in fields {
                    for route in routes { try run.run(needle, forms, from: source, field, route) }
                }
            }
        }
        return run.findings.map { "\($0.needle) \($0.form) \($0.field) \($0.route)" }.sorted()
    }

    @Test func receiptCardAndSavedInstrumentHoldNoSecrets() throws {
        let leaks = try Self.findings(
            [.plain], [.authorization, .code, .brand, .entry, .saved], [.approved, .declined])
        #expect(leaks.isEmpty)
    }

    @Test func whatALookupBringsHoldsNoSecrets() throws {
        let leaks = try Self.findings([.plain], EchoTransport.Field.allCases, [.byLookup, .brokenThenLookup])
        #expect(leaks.isEmpty)
    }

    @Test func noEncodedSecretComesOut() throws {
        let leaks = try Self.findings(
            [.base64, .percent, .hex], [.message, .id, .refusedMessage], [.approved, .declined])
        #expect(leaks.isEmpty)
    }

    @Test(arguments: ["access", "client secret", "webhook secret"])
    func noSecretOfTheSessionComesOut(_ name: String) throws {
        let needle = try #require(Planted.secrets.first { $0.name == name })
        var run = EchoRun()
        for field in [EchoTransport.Field.message, .refusedMessage, .id, .state] {
            try run.run(needle, [.plain], from: .reader, field, .declined)
        }
        #expect(run.findings.isEmpty, "\(run.findings)")
    }

    @Test func whatAPersonAnsweredDoesNotComeOut() throws {
        var till = Till()
        till.answers.handle(Clarification.self) { _ in ["email": PersonalData(Planted.email)] }
        let client = try till.client(EchoTransport(till.transport, .authorization, Planted.email))
        let card = PaymentSource.card(try Planted.card())
        let result = try till.play { try await client.sale(.cents(1_031), from: card, reference: "o") }
        var walk = SecretWalk()
        walk.walk(result)
        #expect(walk.leaks.isEmpty, "\(walk.leaks.map(\.description).sorted().prefix(3))")
    }

    /// A verified webhook's kind goes into events as it came, a card number in it too.
    @Test func theKindOfAWebhookIsMasked() throws {
        let till = Till()
        let client = try till.client()
        let events = client.events()
        let body: JSON = [
            "attempt": "unknown-1", "state": "approved", "event": .string("sale \(Planted.number)"), "at": 1,
            "amount": ["minorUnits": 1, "currency": "EUR"],
        ]
        let first = try till.play {
            try await client.receiveWebhook(
                body.bytes(), headers: ["x-memory-secret": Planted.webhookSecret], from: "memory")
            for await event in events { return event as PaymentEvent? }
            return nil
        }
        var walk = SecretWalk()
        walk.walk(try #require(first))
        #expect(walk.leaks.isEmpty, "\(walk.leaks.map(\.description).sorted().prefix(3))")
    }

    @Test func noOtherValueShowsASecret() throws {
        var values: [(String, Any)] = [
            ("FormField", FormField("number", Planted.number)), ("EMVTag", Receipt.EMVTag("5A", Planted.number)),
            ("CardSummary.expiry", CardSummary(maskedNumber: Planted.number)),
            ("NoticeKind", ProviderNotice(.reference("mp_1", [.sale]), nil, at: 0, kind: Planted.number)),
            (
                "ThreeDSecureChallenge",
                ThreeDSecureChallenge(.legacy, address: "https://bank.example", fields: ["PaReq": Planted.token])
            ),
        ]
        for text in [Planted.number + "x", Planted.number + Planted.number] {
            do { _ = try Money(text, .eur) } catch { values.append(("Money", error)) }
        }
        for (name, value) in values {
            var walk = SecretWalk()
            walk.walk(value)
            #expect(walk.leaks.isEmpty, "\(name): \(walk.leaks.map(\.description).sorted().prefix(2))")
        }
    }

    /// Three sums at the top wrap, and two cents can be given back although nothing is left.
    @Test func theSumsBehindWhatIsLeftDoNotWrap() throws {
        let (most, at) = (Money(minorUnits: .max, .eur), JournalInstant(wall: 1_000, uptime: 1_000))
        let account = ProviderIdentity("p", adapter: "p", environment: "test", merchant: "m-1")
        func attempt(_ name: String, _ operation: PaymentOperation, _ verdict: Verdict?) throws -> Attempt {
            let sale = PaymentID(try AttemptID("sale"))
            var attempt = Attempt(
                .init(try AttemptID(name), operation, most, payment: operation == .sale ? nil : sale))
            let end: Attempt.Run.Cause? = verdict == nil ? nil : .owner
            attempt.apply(.run(.init(number: 1, account: account, owner: "till", begunAt: at, end: end)))
            attempt.apply(.request(.init(number: 1, run: 1, key: nil, sendLimit: 0, openedAt: at)))
            guard let verdict else { return attempt }
            attempt.apply(.closed(request: 1, .answered, at: at))
            attempt.apply(.report(.init(.verdict(verdict), .reply, run: 1, request: 1, entry: 1, at: at)))
            return attempt
        }
        let attempts = [
            try attempt("sale", .sale, .approved(Approval(most))),
            try attempt("refund-1", .refund, .approved(Approval(most))),
            try attempt("refund-2", .refund, .pending(Pending(shouldPoll: false))),
            try attempt("refund-3", .refund, nil),
        ]
        #expect(attempts.map(\.state) == [.approved, .approved, .pending, .running])
        #expect(PaymentRecord(attempts).amounts.refundable == .zero(.eur))
    }
}
