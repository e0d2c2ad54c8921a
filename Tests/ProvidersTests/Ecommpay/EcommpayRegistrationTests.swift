import PaymentAbstraction
import PaymentBase
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTransport
import Testing

@testable import EcommpayProvider

/// Registered cards: how they stand, changed, ended.
@Suite struct EcommpayRegistrationTests {
    static let end = "/v2/payment/card/recurring/cancel"
    static let update = "/v2/payment/card/recurring/update"

    /// A card that is registered for 400 a month until the end of 2028.
    static func register(
        _ client: PaymentClient, _ number: String = "5555555555554444"
    ) async throws -> SavedInstrument.ID {
        var request = try EcommpayTill.request(5_000, number)
        var terms = CardOnFileTerms(.recurring)
        (terms.until, terms.period, terms.amount) = ("2028-12-31", "M", Money(minorUnits: 400, .eur))
        request.cardOnFile = terms
        return try #require(try await client.sale(request).payment?.saved).id
    }

    @Test func aRegistrationIsShownChangedAndEnded() throws {
        let till = EcommpayTill()
        try till.play { client in
            let id = try await Self.register(client)
            let gate = try #require(try client.provider("ecommpay").ecommpay)
            let before = try await gate.registration(id)
            #expect(before.kind == .recurring && before.amount == Money(minorUnits: 400, .eur) && before.period == "M")
            #expect(before.status == "active" && !before.isEnded && before.until?.hasPrefix("2028-12-31") == true)
            var terms = CardOnFileTerms(.recurring)
            (terms.amount, terms.until) = (Money(minorUnits: 500, .eur), "2029-06-30")
            let day = try #require(CalendarDate(iso: "2026-02-01"))
            let plan = try EcommpayRecurrence(interval: 2, time: "09:30:00", start: day, scheduledPayment: "s-1")
            let after = try await gate.change(id, to: terms, plan, as: AttemptID("change-1"))
            #expect(after.amount?.minorUnits == 500 && after.interval == 2 && after.start == day)
            #expect(after.time == "09:30" && after.until?.hasPrefix("2029-06-30") == true && after.period == "M")
            #expect(try await gate.end(id, as: AttemptID("end-1")).isEnded)
            var debit = CardOnFileRequest(Money(minorUnits: 500, .eur), of: id, reference: "d")
            debit.customer = "customer-1"
            let error = await #expect(throws: PaymentError.self) { try await client.chargeCardOnFile(debit) }
            #expect(error?.provider?.code == "3184" && error?.outcome == .notExecuted)
        }
        #expect(till.backend.ledger.balance(.merchant) == ["EUR": 5_000])
    }

    /// A lost answer is looked up, so that what is done is never told as a failure, and what is not never as done.
    @Test(arguments: [true, false]) func whatWasLostIsLookedUp(_ isExecuted: Bool) throws {
        for path in [Self.end, Self.update] {
            var till = EcommpayTill()
            till.tools.transport = LosingAnswers(till.tools.transport, path, 1, isExecuted: isExecuted)
            let error = till.failure { client in
                let id = try await Self.register(client)
                let gate = try #require(try client.provider("ecommpay").ecommpay)
                var terms = CardOnFileTerms(.recurring)
                terms.amount = Money(minorUnits: 500, .eur)
                if path == Self.end {
                    try await gate.end(id, as: AttemptID("end-1"))
                } else {
                    try await gate.change(id, to: terms, as: AttemptID("change-1"))
                }
                if !isExecuted { Issue.record("nothing was done") }
            }
            #expect(error == (isExecuted ? nil : PaymentError(.inDoubt, outcome: .notExecuted)))
        }
    }

    /// Asked for again under its own name, a change is there already and nothing else happens.
    @Test func aNameIsUsedOnce() throws {
        let till = EcommpayTill()
        try till.play { client in
            let id = try await Self.register(client)
            let gate = try #require(try client.provider("ecommpay").ecommpay)
            try await gate.end(id, as: AttemptID("end-1"))
            #expect(try await gate.end(id, as: AttemptID("end-1")).isEnded)
            let error = await #expect(throws: PaymentError.self) { try await gate.end(id, as: AttemptID("end-2")) }
            #expect(error?.provider?.code == "3184")
        }
    }

    @Test func whatCantBeAChangeIsRefusedBeforeItIsSent() throws {
        let till = EcommpayTill()
        let paths = Locked([String]())
        var watched = till
        watched.tools.transport = Watching(till.tools.transport) { path, _ in paths.withLock { $0.append(path) } }
        try watched.play { client in
            let id = try await Self.register(client)
            let gate = try #require(try client.provider("ecommpay").ecommpay)
            var dollars = CardOnFileTerms(.recurring)
            dollars.amount = Money(minorUnits: 500, .usd)
            let day = try #require(CalendarDate(iso: "2027-02-28"))
            let single = try EcommpayRecurrence(schedule: [.init(day, Money(minorUnits: 7, .eur))])
            let name = try AttemptID("change-1")
            let refused = PaymentError(.invalidRequest, outcome: .notExecuted)
            #expect(
                await #expect(throws: PaymentError.self) { try await gate.change(id, to: dollars, as: name) } == refused
            )
            let plain = CardOnFileTerms(.recurring)
            #expect(
                await #expect(throws: PaymentError.self) { try await gate.change(id, to: plain, single, as: name) }
                    == refused)
            let nobody = SavedInstrument.ID(rawValue: "nobody")
            #expect(await #expect(throws: PaymentError.self) { try await gate.end(nobody, as: name) } == refused)
            let unknown = SavedInstrument.ID(rawValue: "1")
            let error = await #expect(throws: PaymentError.self) { try await gate.registration(unknown) }
            #expect(error?.provider?.code == "3181")
        }
        #expect(!paths.withLock { $0 }.contains(Self.update))
    }

    @Test func furtherTriesOfADeclinedDebitAreStopped() throws {
        let till = EcommpayTill()
        try till.play { client in
            let id = try await Self.register(client, "4000000000000119")
            let gate = try #require(try client.provider("ecommpay").ecommpay)
            var debit = CardOnFileRequest(Money(minorUnits: 400, .eur), of: id, reference: "d")
            debit.customer = "customer-1"
            guard case .declined(let decline) = try await client.chargeCardOnFile(debit) else {
                Issue.record("it is not declined")
                return
            }
            try await gate.stopRetries(of: try #require(decline.references["operation"]), under: id)
            let error = await #expect(throws: PaymentError.self) { try await gate.stopRetries(of: "7", under: id) }
            #expect(error?.provider?.code == "3186" && error?.outcome == .notExecuted)
        }
    }

    /// Callbacks about registrations are no news of payments.
    @Test func callbacksAboutRegistrationsSettleNothing() throws {
        let till = EcommpayTill()
        try till.play { client in
            let id = try await Self.register(client)
            _ = till.backend.takeMessages()
            try await client.provider("ecommpay").ecommpay?.end(id, as: AttemptID("end-1"))
            let news = till.backend.takeMessages()
            #expect(news.count == 1)
            for message in news {
                #expect(try await client.receiveWebhook(message.body, from: "ecommpay").items.isEmpty)
            }
        }
    }
}
