import PaymentAbstraction
import PaymentBase
import PaymentLinux
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import EcommpayProvider
@testable import PaymentProviderKit

/// What customers do beside paying: leave, forget a card, use Google Pay, go to another page.
@Suite struct EcommpayLeavingTests {
    private func watched(_ till: EcommpayTill) -> (EcommpayTill, Locked<[(String, JSON?)]>) {
        let sent = Locked([(String, JSON?)]())
        var watched = till
        watched.tools.transport = Watching(till.tools.transport) { path, body in
            sent.withLock { $0.append((path, body)) }
        }
        return (watched, sent)
    }

    private func paths(_ sent: Locked<[(String, JSON?)]>) -> [String] { sent.withLock { $0.map(\.0) } }

    /// Nothing was paid: the provider is told, and the session is over.
    @Test func whoLeavesWhileChoosingEndsTheSession() throws {
        var (till, sent) = watched(EcommpayTill())
        till.answers.handle(EcommpayMethodChoice.self) { [scheduler = till.scheduler] _ in
            try await scheduler.sleep(until: scheduler.now + 20 * 60_000)
            return .reader
        }
        let (client, request, scheduler) = (try till.client(), try EcommpayTill.request(), till.scheduler)
        let error = try scheduler.run { () -> PaymentError? in
            let sale = Task(executorPreference: scheduler) { try await client.sale(request) }
            try await scheduler.sleep(until: scheduler.now + 5_000)
            sale.cancel()
            do { _ = try await sale.value } catch { return error as? PaymentError }
            return nil
        }
        #expect(error == PaymentError(.cancelled, outcome: .notExecuted))
        #expect(paths(sent) == ["/msdk/v1/init", "/msdk/v1/cancel"])
        let session = try #require(sent.withLock { $0.last?.1?["sid"] })
        let asked = HTTPRequest(
            "POST", Origin(.http, "ecommpay.test"), "/msdk/v1/status", headers: ["Content-Type": "application/json"],
            body: JSON.object(["sid": session]).bytes())
        let transport = till.tools.transport
        #expect(try scheduler.run { try await transport.send(asked) }.status == 401)
        #expect(till.backend.ledger.movements.isEmpty)
    }

    /// A payment in flight goes on: leaving never cancels money, and what became of it is looked up.
    @Test func whoLeavesDuringAPaymentCancelsNoMoney() throws {
        var rules = EcommpaySimulator.Rules()
        rules.processingMilliseconds = 10 * 60_000
        let (till, sent) = watched(EcommpayTill(rules: rules))
        let (client, request, scheduler) = (try till.client(), try EcommpayTill.request(), till.scheduler)
        let (provider, id) = (till.backend, try AttemptID("left-1"))
        let error = try scheduler.run { () -> PaymentError? in
            let sale = Task(executorPreference: scheduler) { try await client.sale(request, attempt: id) }
            try await scheduler.sleep(until: scheduler.now + 2_500)
            sale.cancel()
            do { _ = try await sale.value } catch {
                // Nobody waits any more, and the work goes on until it gives up.
                try await scheduler.sleep(until: scheduler.now + 5 * 60_000)
                return error as? PaymentError
            }
            return nil
        }
        #expect(error?.outcome == .unknown)
        #expect(try scheduler.run { try await client.recover() } == [id])
        #expect(paths(sent).filter { $0 == "/msdk/v1/cancel" }.count == 1)
        _ = provider.decide(id.text, succeeds: true)
        _ = try scheduler.run { try await client.recover() }
        #expect(try scheduler.run { try await client.status(id) }.payment?.approved.minorUnits == 5_000)
        #expect(provider.ledger.balance(.merchant) == ["EUR": 5_000])
    }

    @Test func anAbandonedChallengeEndsTheSessionAndStaysOpen() throws {
        var (till, sent) = watched(EcommpayTill())
        till.answers = QuestionHandlers()
        let (client, request) = (try till.client(), try EcommpayTill.request(5_000, "5413330000000019"))
        let id = try AttemptID("left-2")
        guard case .pending = try till.scheduler.run({ try await client.sale(request, attempt: id) }) else {
            Issue.record("it is not pending")
            return
        }
        #expect(paths(sent).last == "/msdk/v1/cancel")
        #expect(try till.scheduler.run { try await client.recover() } == [id])
    }

    // MARK: Saved cards in the offer

    @Test func aSavedCardIsTakenOutOfTheOffer() throws {
        var (till, sent) = watched(EcommpayTill())
        let offers = Locked([[String]]())
        till.answers.handle(EcommpayMethodChoice.self) { asked in
            offers.withLock { $0.append(asked.offer.saved.map(\.id.rawValue)) }
            if let saved = asked.offer.saved.first {
                let other = SavedInstrument.ID(rawValue: "7")
                let error = await #expect(throws: PaymentError.self) { try await asked.remove(other) }
                #expect(error == PaymentError(.notFound, outcome: .notExecuted))
                try await asked.remove(saved.id)
            }
            return .card(try KeyedCard(number: "5555555555554444", expiryMonth: 12, expiryYear: 30))
        }
        for reference in ["a", "b"] {
            var request = try EcommpayTill.request(reference: reference)
            request.customer = "12"
            let (asked, id) = (request, try AttemptID("sale-\(reference)"))
            #expect(try till.play { try await $0.sale(asked, attempt: id) }.payment != nil)
        }
        #expect(offers.withLock { $0 } == [["12353661"], []])
        let removal = sent.withLock { $0 }.filter { $0.0 == "/msdk/v1/account/delete" }
        #expect(removal.count == 1 && removal.first?.1?["saved_account_id"] == 12_353_661)
    }

    // MARK: Google Pay

    private func google(_ till: EcommpayTill) throws -> (PaymentResult?, PaymentError?) {
        let source = PaymentSource.wallet(WalletToken(.googlePay, payload: Secret("google-token")))
        let request = SaleRequest(Money(minorUnits: 5_000, .eur), from: source, reference: "g")
        do { return (try till.play { try await $0.sale(request) }, nil) } catch { return (nil, error as? PaymentError) }
    }

    @Test func googlePayGoesWithItsMerchantAndEnvironment() throws {
        var (till, sent) = watched(EcommpayTill())
        till.configuration.googlePay = .init("BCR2DN4", .test)
        let payment = try #require(try google(till).0?.payment)
        let paid = sent.withLock { $0 }.first { $0.0 == "/msdk/v1/pay" }?.1
        #expect(paid?["merchant_id"] == "BCR2DN4" && paid?["environment"] == "test" && paid?["method"] == "googlepay")
        let id = try AttemptID("refund-1")
        #expect(try till.play { try await $0.refund(payment.id, attempt: id) }.payment != nil)
        #expect(paths(sent).contains("/v2/payment/googlepay/refund"))
    }

    @Test func tokensOfGooglesOtherWorldAreRefusedByTheProvider() throws {
        var till = EcommpayTill()
        till.configuration.googlePay = .init("BCR2DN4", .prod)
        let error = try google(till).1
        #expect(error?.provider?.code == "310" && error?.outcome == .notExecuted)
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func withoutAMerchantGooglePayIsRefusedBeforeAnythingIsSent() throws {
        let (till, sent) = watched(EcommpayTill())
        #expect(try google(till).1 == PaymentError(.configuration, outcome: .notExecuted))
        #expect(paths(sent).isEmpty)
    }

    @Test(arguments: [
        (#"{"googlePayMerchant":"BCR2DN4","googlePayEnvironment":"prod"}"#, true),
        (#"{"googlePayMerchant":"BCR2DN4"}"#, false), (#"{"googlePayEnvironment":"test"}"#, false),
        (#"{"googlePayMerchant":"BCR2DN4","googlePayEnvironment":"live"}"#, false),
    ]) func bothHalvesOfGooglePayAreCheckedWhenTheyAreRead(_ settings: String, _ isGood: Bool) async throws {
        let text = """
            {"active":"e","journal":{"kind":"memory"},"providers":{"e":{"adapter":"ecommpay","environment":"simulated",\
            "merchant":"1234","settings":\(settings)}}}
            """
        var failure: PaymentError?
        do {
            let configuration = try ConfigurationReader(ProviderRegistry([.ecommpay])).read(
                Array(text.utf8), file: "providers.json")
            let tools = ProviderDependencies(transport: FixedTransport.none)
            let drivers = try await configuration.drivers(tools, secrets: FixedSecrets())
            let driver = try #require(drivers.first as? EcommpayDriver)
            #expect(driver.configuration.googlePay == .init("BCR2DN4", .prod))
        } catch { failure = error as? PaymentError }
        #expect(failure == (isGood ? nil : PaymentError(.configuration, outcome: .notExecuted)))
        #expect(isGood || failure?.detail.contains("googlePay") == true)
    }

    // MARK: Other pages and codes

    @Test(arguments: [Int64(5_034), 5_035]) func aStepElsewhereIsAskedForAndLookedUp(_ units: Int64) throws {
        var till = EcommpayTill()
        let steps = Locked([EcommpayCustomerStep.Step]())
        let (transport, scheduler) = (till.tools.transport, till.scheduler)
        till.answers.handle(EcommpayCustomerStep.self) { asked in
            steps.withLock { $0.append(asked.step) }
            let payment: String
            switch asked.step {
            case .page(let method, let address, let fields):
                #expect(method == "POST" && address.hasSuffix("/aps/pay"))
                payment = fields["payment"] ?? ""
            case .codes(let codes):
                #expect(codes.map(\.kind) == ["qr_data"] && codes.first?.title == "QR code")
                payment = codes.first?.data.split(separator: "=").last.map { String($0) } ?? ""
            }
            #expect(!"\(asked)".contains(payment) && !"\(String(reflecting: asked))".contains(payment))
            // The customer says that it is done, and takes a little longer.
            Task(executorPreference: scheduler) {
                try await scheduler.sleep(until: scheduler.now + 4_000)
                _ = try await transport.send(
                    HTTPRequest(
                        "POST", Origin(.http, "ecommpay.test"), "/aps/pay",
                        headers: ["Content-Type": "application/x-www-form-urlencoded"],
                        body: Array("payment=\(payment)".utf8)))
            }
            return true
        }
        #expect(try till.sell(units).payment?.approved.minorUnits == units)
        #expect(steps.withLock { $0.count } == 1 && till.backend.ledger.balance(.merchant) == ["EUR": units])
    }

    /// Nobody shows the page, or the customer comes back without having paid: it stays open, and ends by itself.
    @Test(arguments: [true, false]) func aStepThatIsNotDoneLeavesThePaymentOpen(_ isAsked: Bool) throws {
        var till = EcommpayTill()
        if isAsked { till.answers.handle(EcommpayCustomerStep.self) { _ in false } }
        let (client, request, id) = (try till.client(), try EcommpayTill.request(5_034), try AttemptID("step-1"))
        guard case .pending = try till.scheduler.run({ try await client.sale(request, attempt: id) }) else {
            Issue.record("it is not pending")
            return
        }
        till.scheduler.advance(by: 31 * 60_000)
        _ = try till.scheduler.run { try await client.recover() }
        guard case .declined = try till.scheduler.run({ try await client.status(id) }) else {
            Issue.record("it is not declined")
            return
        }
        #expect(till.backend.ledger.movements.isEmpty)
    }
}
