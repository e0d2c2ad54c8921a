import EcommpayProvider
import PaymentCore
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

@Suite struct EcommpayDriverTests {
    @Test(arguments: [
        ("4000000000000077", "approved", ""), ("4111111111111111", "declined", "10100"),
        ("4000000000000119", "approved", ""), ("4000000000000135", "approved", ""),
        ("4539121411168251", "declined", "10602"), ("5126160000356675", "approved", ""),
        ("4010571676223548", "approved", ""), ("4314220000000056", "approved", ""),
        ("5413330000000019", "approved", ""), ("4012000000020089", "declined", "10100"),
        ("5544330000000045", "declined", "10100"), ("4477000000000006", "approved", ""),
        ("5252000000000004", "approved", ""), ("4012000000020063", "approved", ""),
        ("5544330000000029", "approved", ""), ("4344693136092508", "approved", ""),
        ("5426257498741734", "approved", ""), ("4165519761269614", "declined", "10100"),
        ("4331289925608649", "declined", "10100"), ("4383604346807330", "declined", "10100"),
        ("5722753235016359", "declined", "10100"), ("4006260000000014", "approved", ""),
        ("4314220000000072", "declined", "10100"), ("4314220000000098", "declined", "10100"),
        ("5413330000000035", "declined", "10100"), ("5413330000000092", "declined", "10100"),
    ]) func everyPublishedTestCardPlaysItsResult(_ number: String, _ result: String, _ code: String) throws {
        let till = EcommpayTill()
        switch try till.sell(5_000, number) {
        case .approved: #expect(result == "approved" && till.backend.ledger.balance(.merchant) == ["EUR": 5_000])
        case .declined(let decline):
            #expect(result == "declined" && decline.provider.code == code && till.backend.ledger.movements.isEmpty)
        case let other: Issue.record("\(other)")
        }
    }

    @Test(arguments: ["5126160000356675", "4010571676223548"]) func aboveTheLimitOnlyAPartIsApproved(
        _ number: String
    ) throws {
        let till = EcommpayTill()
        let payment = try #require(try till.sell(20_000, number).payment)
        #expect(payment.isPartial && payment.approved.minorUnits == 12_000 && payment.requested.minorUnits == 20_000)
        #expect(till.backend.ledger.balance(.merchant) == ["EUR": 12_000])
    }

    /// What became of it could not be read at first; then it is found as refunded, and not as approved.
    @Test func aPartThatWasNotTakenIsFoundAsReturned() throws {
        var till = EcommpayTill()
        let (honest, id) = (till.tools.transport, try AttemptID("part-1"))
        till.answers.handle(PartialApprovalOffer.self) { _ in false }
        till.tools.transport = ForgedStatus(honest)
        var request = try EcommpayTill.request(20_000, "5126160000356675")
        request.acceptsPartialApproval = true
        let asked = request
        let error = till.failure { _ = try await $0.sale(asked, attempt: id) }
        #expect(error?.outcome == .unknown)
        till.tools.transport = honest
        #expect(try till.play { try await $0.recover() }.isEmpty)
        guard case .cancelled = try till.play({ try await $0.status(id) }) else {
            Issue.record("it is not cancelled")
            return
        }
        #expect(till.backend.ledger.balance(.merchant) == ["EUR": 0])
    }

    @Test func theStepsOfTheAuthenticationAreAskedInTheirOrder() throws {
        for (number, steps) in [
            ("5413330000000019", ["method", "challenge"]), ("5252000000000004", ["method"]),
            ("5544330000000029", ["method", "legacy"]), ("5426257498741734", ["legacy"]),
        ] {
            var till = EcommpayTill()
            let seen = Locked([String]())
            till.answers.handle(ThreeDSecureChallenge.self) { challenge in
                seen.withLock { $0.append(challenge.step.rawValue) }
                if challenge.step == .legacy { #expect(challenge.fields.keys.sorted() == ["MD", "PaReq", "TermUrl"]) }
                return .init(result: Secret("ok"))
            }
            #expect(try till.sell(5_000, number).payment != nil)
            #expect(seen.withLock { $0 } == steps, "\(number)")
        }
    }

    @Test func aVisaCardNeedsAWayToReachItsHolderWhereCustomersAreAuthenticated() throws {
        var till = EcommpayTill()
        var request = try EcommpayTill.request(5_000, "4000000000000077")
        request.contact = nil
        let bare = request
        let error = till.failure { _ = try await $0.sale(bare) }
        #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
        #expect(error?.detail.contains("Visa") == true && till.backend.ledger.movements.isEmpty)
        var contact = CustomerContact()
        contact.phone = "+440202267709"
        request.contact = contact
        let reachable = request
        #expect(try till.play { try await $0.sale(reachable, attempt: AttemptID("s-1")) }.payment != nil)
        till.configuration.authenticatesCustomers = false
        var other = try EcommpayTill.request(5_000, "4000000000000077", reference: "o-2")
        other.contact = nil
        let unreached = other
        #expect(try till.play { try await $0.sale(unreached, attempt: AttemptID("s-2")) }.payment != nil)
    }

    @Test func anAbandonedChallengeIsPendingAndDeclinedAfterHalfAnHour() throws {
        var till = EcommpayTill()
        till.answers = QuestionHandlers()
        let request = try EcommpayTill.request(5_000, "5413330000000019")
        let client = try till.client()
        let id = try AttemptID("abandoned")
        guard case .pending = try till.scheduler.run({ try await client.sale(request, attempt: id) }) else {
            Issue.record("it is not pending")
            return
        }
        till.scheduler.advance(by: 29 * 60_000)
        _ = try till.scheduler.run { try await client.recover() }
        #expect(try till.scheduler.run { try await client.recover() } == [id])
        till.scheduler.advance(by: 2 * 60_000)
        _ = try till.scheduler.run { try await client.recover() }
        guard case .declined(let decline) = try till.scheduler.run({ try await client.status(id) }) else {
            Issue.record("it is not declined")
            return
        }
        #expect(decline.provider.code == "108" && decline.reason == .authenticationFailed)
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func clarificationTakesSeveralRoundsWithPartialAnswers() throws {
        var till = EcommpayTill()
        let rounds = Locked(0)
        till.answers.handle(RequestedFields.self) { question in
            #expect(question.fields.map(\.name) == ["avs_post_code", "avs_street_address"])
            let round = rounds.withLock { count in
                count += 1
                return count
            }
            return round == 1 ? ["avs_post_code": "SW1"] : ["avs_post_code": "SW1", "avs_street_address": "Main"]
        }
        #expect(try till.sell(5_031).payment != nil)
        #expect(rounds.withLock { $0 } == 2)
    }

    @Test func customerFieldsAreAskedWithTheirLabels() throws {
        var till = EcommpayTill()
        till.answers.handle(RequestedFields.self) { question in
            #expect(question.fields.first?.label == "E-mail" && question.fields.first?.type == "email")
            return ["email": "john@example.org"]
        }
        #expect(try till.sell(5_032).payment != nil)
    }

    @Test func anotherTryWithAnotherPageNeedsTheCustomersConsent() throws {
        for consents in [true, false] {
            var till = EcommpayTill()
            till.answers.handle(CascadeConsent.self) { _ in consents }
            let result = try till.sell(5_030)
            #expect((result.payment != nil) == consents)
            #expect(till.backend.ledger.movements.isEmpty != consents)
        }
    }

    @Test func afterADeclineAnotherCardMayBeTried() throws {
        var till = EcommpayTill()
        let other = try KeyedCard(number: "5555555555554445", expiryMonth: 12, expiryYear: 30)
        till.answers.handle(RetryPrompt.self) { question in
            #expect(question.decline.provider.code == "10105")
            return .retryWith(.card(other))
        }
        #expect(try till.sell(5_033).payment != nil)
        #expect(till.backend.ledger.balance(.merchant) == ["EUR": 5_033])
        var patient = EcommpayTill()
        patient.answers.handle(RetryPrompt.self) { _ in .stop }
        guard case .pending = try patient.sell(5_033) else {
            Issue.record("a decline that may be tried again is not final")
            return
        }
        #expect(patient.backend.ledger.movements.isEmpty)
    }

    @Test func retry_withAnInstrumentOfAnotherProvider_sendsNothing() throws {
        var till = EcommpayTill()
        till.answers.handle(RetryPrompt.self) { _ in .retryWith(.saved(SavedInstrument.ID("12353661", of: "another"))) }
        guard case .pending = try till.sell(5_033) else {
            Issue.record("another account number of the same customer's name may have been charged")
            return
        }
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func aPaymentThatTakesAMomentIsAskedForUntilItIsDecided() throws {
        var rules = EcommpaySimulator.Rules()
        rules.processingMilliseconds = 7_000
        let till = EcommpayTill(rules: rules)
        #expect(try till.sell().payment != nil)
    }

    @Test func aSaleBeforeTheClearingIsReversedAndAfterwardsRefunded() throws {
        for isCleared in [false, true] {
            let till = EcommpayTill()
            let payment = try #require(try till.sell().payment)
            till.scheduler.advance(by: 1_000)
            if isCleared { till.backend.clear() }
            #expect(try till.play { try await $0.refund(payment.id) }.payment != nil)
            #expect(till.backend.ledger.movements.last?.cause == (isCleared ? "refund" : "reversal"))
            #expect(till.backend.ledger.balance(.merchant) == ["EUR": 0])
        }
    }

    @Test func aWalletIsPaidAndRefundedUnderItsOwnName() throws {
        let till = EcommpayTill()
        let paths = Locked([String]())
        var observed = till
        observed.tools.transport = ObservedPaths(till.tools.transport) { path in paths.withLock { $0.append(path) } }
        var request = SaleRequest(
            Money(minorUnits: 5_000, .eur), from: .wallet(WalletToken(.applePay, payload: Secret("{}"))),
            reference: "o")
        var recipient = CustomerContact()
        recipient.firstName = "John"
        request.recipient = recipient
        let asked = request
        let client = try observed.client()
        let payment = try #require(try till.scheduler.run { try await client.sale(asked) }.payment)
        #expect(try till.scheduler.run { try await client.refund(payment.id) }.payment != nil)
        #expect(paths.withLock { $0.contains("/v2/payment/applepay/refund") })
    }

    @Test func aRegisteredCardIsDebitedAndADeclineKeepsItsCode() throws {
        let till = EcommpayTill()
        let client = try till.client()
        for (number, code) in [("4000000000000119", "10102"), ("4000000000000135", "10105")] {
            var request = try EcommpayTill.request(5_000, number, reference: number.suffix(4).description)
            request.cardOnFile = CardOnFileTerms(.recurring)
            let asked = request
            let saved = try #require(try till.scheduler.run { try await client.sale(asked) }.payment?.saved)
            var debit = CardOnFileRequest(Money(minorUnits: 700, .eur), of: saved.id, reference: "d-\(code)")
            debit.customer = "customer-1"
            guard
                case .declined(let decline) = try till.scheduler.run({ [debit] in
                    try await client.chargeCardOnFile(debit)
                })
            else {
                Issue.record("\(number) is not declined")
                continue
            }
            #expect(decline.provider.code == code)
        }
    }

    @Test func callbacksAreBelievedInAnyOrderAndOnce() throws {
        let till = EcommpayTill()
        let client = try till.client()
        let (sale, refund) = (try AttemptID("sale-1"), try AttemptID("refund-1"))
        let request = try EcommpayTill.request(5_015)
        guard case .pending = try till.scheduler.run({ try await client.sale(request, attempt: sale) }) else {
            Issue.record("it is not pending")
            return
        }
        let approved = try #require(till.backend.decide("sale-1", succeeds: true))
        for _ in 1...2 {
            _ = try till.scheduler.run { try await client.receiveWebhook(approved.body, from: "ecommpay") }
        }
        let payment = try #require(try till.scheduler.run { try await client.status(sale) }.payment)
        till.scheduler.advance(by: 5_000)
        let part = Money(minorUnits: 1_015, .eur)
        _ = try till.scheduler.run { try await client.refund(payment.id, of: part, attempt: refund) }
        till.scheduler.advance(by: 5_000)
        let done = try #require(till.backend.decide("refund-1", succeeds: true))
        for message in [done, approved, done] {
            _ = try till.scheduler.run { try await client.receiveWebhook(message.body, from: "ecommpay") }
        }
        let amounts = try till.scheduler.run { try await client.payment(payment.id).amounts }
        #expect(amounts.refunded == part && amounts.captured.minorUnits == 5_015)
    }

    @Test func aCallbackWithoutThePaymentIsNoNewsAndAForgedOneIsRefused() throws {
        let till = EcommpayTill()
        let driver = try EcommpayDriver(till.configuration, till.tools)
        let crypto = OpenSSLCrypto()
        func message(_ body: JSON, _ secret: Secret) throws -> WebhookMessage {
            let text = try EcommpaySigningRequest(body).text
            let proof = Base64.standard.encode(try crypto.authenticate(.sha512, key: secret, Array(text.utf8)))
            guard var object = body.object else { throw CancellationError() }
            object["signature"] = .string(proof)
            return WebhookMessage(body: JSON.object(object).bytes(), at: 1)
        }
        let recurring: JSON = ["project_id": 1_234, "recurring": ["id": 12, "status": "cancelled"]]
        #expect(try driver.notices(in: message(recurring, till.backend.rules.secret)).isEmpty)
        #expect(throws: PaymentError.self) { try driver.notices(in: message(recurring, Secret("another"))) }
        let other: JSON = [
            "project_id": 1_234, "payment": ["id": "payment_21", "status": "success"],
            "operation": ["id": 1, "type": "sale", "status": "success"],
        ]
        #expect(try driver.notices(in: message(other, till.backend.rules.secret)).isEmpty)
        let foreign: JSON = ["project_id": 9, "payment": ["id": "p", "status": "success"]]
        #expect(throws: PaymentError.self) { try driver.notices(in: message(foreign, till.backend.rules.secret)) }
    }

    @Test func aStatusThatIsNotSignedByTheProviderDecidesNothing() throws {
        var till = EcommpayTill()
        let honest = till.tools.transport
        let payment = try #require(try till.sell().payment)
        let id = try AttemptID("refund-1")
        till.tools.transport = ForgedStatus(honest)
        let error = till.failure { _ = try await $0.refund(payment.id, attempt: id) }
        #expect(error?.outcome == .unknown)
        #expect(try till.play { try await $0.recover() } == [id])
        till.tools.transport = honest
        #expect(try till.play { try await $0.recover() }.isEmpty)
        #expect(try till.play { try await $0.payment(payment.id).amounts.refunded } == payment.requested)
    }
}

/// Reports the paths of what goes out.
private struct ObservedPaths: HTTPTransport {
    let inner: any HTTPTransport
    let tell: @Sendable (String) -> Void

    init(_ inner: any HTTPTransport, _ tell: @escaping @Sendable (String) -> Void) {
        (self.inner, self.tell) = (inner, tell)
    }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        tell(request.target)
        return try await inner.send(request)
    }
}

/// Changes the amount in every status without being able to sign it.
private struct ForgedStatus: HTTPTransport {
    let inner: any HTTPTransport

    init(_ inner: any HTTPTransport) { self.inner = inner }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        var response = try await inner.send(request)
        if request.target == "/v2/payment/status" {
            response.body = Array(
                String(decoding: response.body, as: UTF8.self).replacing("success", with: "decline").utf8)
        }
        return response
    }
}
