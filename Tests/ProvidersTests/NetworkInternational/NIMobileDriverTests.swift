import NetworkInternationalProvider
import PaymentCore
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// The link `kit`: how each end of a call is reported.
@Suite struct NIMobileDriverTests {
    private static func error(_ rule: SDKErrorRule) -> NIPhoneSDK.AppleTapToPaySDKError {
        NIPhoneSDK.AppleTapToPaySDKError(Int(rule.code), rule.code)
    }

    @Test func anAnswerIsThePayment() throws {
        let till = NIKitTill()
        let payment = try #require(try till.play { try await NIKitTill.sale($0) }.payment)
        #expect(payment.approved == .aed(1_500) && payment.reference == "order_a-1")
        #expect(Set(payment.references.keys) == ["order", "payment"])
        #expect(payment.receipt?.authorizationCode != nil && payment.receipt?.responseCode == "00")
        #expect(payment.receipt?.at != nil && payment.receipt?.merchant?.merchantID == "434334344242")
        #expect(till.kit.startCount == 1 && till.charged == [1_500])
    }

    // MARK: Errors

    /// Every row of the kit's table before a submission: told as the table has it, and nothing is charged.
    @Test(arguments: NIPhoneSDK.table.rows) func anErrorBeforeASubmissionIsReportedAsTheTableHasIt(_ rule: SDKErrorRule)
        throws
    {
        let till = NIKitTill()
        till.kit.play(.ends(Self.error(rule)))
        let told = try till.told()
        switch rule.outcome {
        case .declined: #expect(told.hasPrefix("declined"))
        case .notExecuted where rule.code == "530": #expect(told == "cancelled")
        case .notExecuted: #expect(told == "\(rule.cause.rawValue) notExecuted")
        case .unknown: #expect(told == "\(rule.cause.rawValue) unknown")
        }
        #expect(till.charged.isEmpty && till.kit.startCount == 1)
    }

    @Test(arguments: [(113, "invalidCard"), (114, "cardNotSupported"), (118, "limitExceeded")])
    func aRefusalOfTheCardHasItsReason(_ code: Int, _ reason: String) throws {
        let till = NIKitTill()
        till.kit.play(.ends(NIPhoneSDK.AppleTapToPaySDKError(code, "refused")))
        #expect(try till.told() == "declined \(reason)")
    }

    @Test func anUnlistedErrorIsUnknown() throws {
        let till = NIKitTill()
        till.kit.play(.ends(NIPhoneSDK.AppleTapToPaySDKError(999, "somethingNew")))
        #expect(try till.told() == "unreadableReply unknown")
    }

    /// An error that proves nothing, after the platform has approved: the order is found by amount and time, by a sole user.
    @Test(arguments: NIPhoneSDK.table.rows.filter { $0.outcome == .unknown })
    func anErrorAfterAnApprovalIsNeverToldAsNothing(_ rule: SDKErrorRule) throws {
        var till = NIKitTill()
        till.kit.play(.loses(Self.error(rule)))
        #expect(try till.told() == "approved 1500")
        till = NIKitTill()
        till.inner.configuration.isSoleUser = false
        till.kit.play(.loses(Self.error(rule)))
        #expect(try till.told() == "\(rule.cause.rawValue) unknown")
        #expect(till.charged == [1_500] && till.kit.startCount == 1)
    }

    @Test func aDeclineHasTheIssuersReason() throws {
        let till = NIKitTill()
        let result = try till.play { try await NIKitTill.sale($0, 1_051) }
        var said: Decline?
        if case .declined(let decline) = result { said = decline }
        #expect(said?.reason == .insufficientFunds && said?.provider.code == "51")
        #expect(till.charged.isEmpty)
    }

    // MARK: What the answer says

    /// The document promises a payment's reference, its order's and its state, and no amount.
    @Test func withoutAnAmountTheOrderIsAsked() throws {
        let till = NIKitTill()
        till.kit.play(.isTerse)
        let payment = try #require(try till.play { try await NIKitTill.sale($0) }.payment)
        #expect(payment.approved == .aed(1_500) && payment.card?.last4 == "1111")
        let declined = NIKitTill()
        declined.kit.play(.isTerse)
        #expect(try declined.told(1_051).hasPrefix("declined"))
    }

    @Test func withoutAnAmountAndTheOrder_theOutcomeIsUnknown() throws {
        var till = NIKitTill()
        till.kit.play(.isTerse)
        till.inner.tools.transport = WithoutOrders(inner: till.inner.tools.transport)
        #expect(try till.told() == "unreadableReply unknown")
        #expect(till.charged == [1_500])
    }

    /// What the kit says is set against the order, which knows better.
    @Test func anotherAmount_isNotReportedAsDone() throws {
        let till = NIKitTill()
        till.kit.play(.echoes(2_500))
        #expect(try till.told() == "approved 1500")
    }

    @Test func anAnswerAboutSomethingElseProvesNothing() throws {
        var till = NIKitTill()
        till.inner.configuration.isSoleUser = false
        till.kit.play(.isElsewhere)
        #expect(try till.told() == "mismatch unknown")
    }

    /// What can't be believed of an answer is read in the order that it names.
    @Test(arguments: [SimulatedNISDK.Fault.echoes(2_500), .says("TELEPORTED")])
    func answer_thatCantBeBelieved_isReadInItsOrder(_ fault: SimulatedNISDK.Fault) throws {
        var till = NIKitTill()
        till.inner.configuration.isSoleUser = false
        till.kit.play(fault)
        #expect(try till.told() == "approved 1500" && till.charged == [1_500])
    }

    /// What was ordered is not what was charged: the order's own sums say that.
    @Test func aPartialApproval_whoseOrderKeepsWhatWasOrdered_isNotReportedAsTheWhole() throws {
        var till = NIKitTill()
        #expect(till.backend.play("ni.partial-auth.amount/2"))
        till.inner.tools.transport = AnsweringTransport(inner: till.inner.tools.transport) { request, response in
            guard request.path.contains("/reporting/orders/"), let said = try? JSONReader().read(response.body),
                let ordered = said["amount"]?.adding("value", 1_500)
            else { return nil }
            let bent = said.adding("amount", ordered)
            return HTTPResponse(response.status, headers: response.headers, body: bent.bytes())
        }
        let told = try till.told()
        #expect(told == "approved 750" || told.hasSuffix("unknown"), "\(told)")
        #expect(till.charged == [750])
    }

    /// The kit's answer has no member for the part; the order has.
    @Test func aPartialApprovalIsThePartInTheOrder() throws {
        let till = NIKitTill()
        #expect(till.backend.play("ni.partial-auth.amount/2"))
        let payment = try #require(try till.play { try await NIKitTill.sale($0) }.payment)
        #expect(payment.approved == .aed(750) && till.charged == [750])
    }

    @Test func aDryRunIsInNoBook() throws {
        let till = NIKitTill()
        var request = SaleRequest(.aed(5_000), from: .reader, reference: "o")
        request.isDryRun = true
        let asked = request
        let payment = try #require(try till.play { try await $0.sale(asked) }.payment)
        #expect(payment.isDryRun && till.charged.isEmpty && till.kit.startCount == 1)
        till.kit.play(.ends(.genericError))
        let error = till.failure { client in _ = try await client.sale(asked) }
        #expect(error?.outcome == .notExecuted)
    }

    // MARK: Time

    /// The caller has left long ago; the answer is kept all the same, and the reader was free in the meantime.
    @Test func aLateAnswerConcludesItsAttempt() throws {
        var till = NIKitTill()
        till.inner.configuration.isSoleUser = false
        till.kit.play(.answersLate(20 * 60_000))
        let client = try till.client()
        let (error, second, late) = try till.scheduler.run { [scheduler = till.scheduler] in
            var early: PaymentError?
            do { _ = try await NIKitTill.sale(client) } catch { early = error as? PaymentError }
            try await scheduler.sleep(until: scheduler.now + 10 * 60_000)
            // The kit itself is still busy, and says so.
            var other: PaymentError?
            do { _ = try await NIKitTill.sale(client, 1_600, "a-2") } catch { other = error as? PaymentError }
            try await scheduler.sleep(until: scheduler.now + 20 * 60_000)
            return (early, other, try await client.status(AttemptID("a-1")))
        }
        #expect(error?.outcome == .unknown)
        #expect(second?.provider?.code == "530" && second?.outcome == .notExecuted)
        #expect(late.payment?.approved == .aed(1_500))
        #expect(till.charged == [1_500])
    }

    // MARK: Cancelling

    /// No call of the kit ends a payment: a wish to cancel is too late from the beginning, and who leaves ends nothing.
    @Test func nothingIsCancelled() throws {
        let till = NIKitTill()
        let client = try till.client()
        let (before, answer, result) = try till.scheduler.run { [scheduler = till.scheduler] in
            let before = try await client.reader?.cancel()
            let sale = Task(executorPreference: scheduler) { try await NIKitTill.sale(client) }
            try await scheduler.sleep(until: scheduler.now + 300)
            let answer = try await client.reader?.cancel()
            sale.cancel()
            _ = try? await sale.value
            try await scheduler.sleep(until: scheduler.now + 60_000)
            return (before, answer, try await client.status(AttemptID("a-1")))
        }
        #expect(before == .nothingToCancel && answer == .tooLate)
        #expect(result.payment?.approved == .aed(1_500) && till.charged == [1_500])
    }

    @Test func aScreenThatWasClosedMovesNothing() throws {
        let till = NIKitTill()
        till.inner.reader.present(nil)
        let client = try till.client()
        let result = try till.scheduler.run { [scheduler = till.scheduler, kit = till.kit] in
            let sale = Task(executorPreference: scheduler) { try await NIKitTill.sale(client) }
            try await scheduler.sleep(until: scheduler.now + 700)
            await kit.closeScreen()
            return try await sale.value
        }
        guard case .cancelled(let cancellation) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(cancellation.cause == .reader && cancellation.provider?.code == "530")
        #expect(till.charged.isEmpty)
    }
}

/// A line on which no order can be read.
private struct WithoutOrders: HTTPTransport {
    let inner: any HTTPTransport

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if request.path.contains("/reporting/orders/") { return HTTPResponse(500) }
        return try await inner.send(request)
    }
}

/// The link `kit`: its reader, its tokens, and how it is opened.
@Suite struct NIKitReaderTests {
    // MARK: The reader

    @Test func aKitThatHasForgottenItsPreparationIsPreparedBeforeTheNextPayment() throws {
        let till = NIKitTill()
        till.kit.play(.forgets)
        let client = try till.client()
        let (error, result) = try till.scheduler.run {
            var failure: PaymentError?
            do { _ = try await NIKitTill.sale(client) } catch { failure = error as? PaymentError }
            return (failure, try await NIKitTill.sale(client, 1_500, "a-2"))
        }
        #expect(error == PaymentError(.readerUnavailable, outcome: .notExecuted) && error?.provider?.code == "510")
        #expect(result.payment != nil && till.charged == [1_500] && till.kit.preparationCount == 2)
    }

    /// The reader's token lasts 48 hours, and a payment must not meet its end.
    @Test func itIsPreparedAgainBeforeTheReadersTokenLapses() throws {
        let till = NIKitTill()
        let client = try till.client()
        _ = try till.scheduler.run { try await NIKitTill.sale(client) }
        till.scheduler.advance(by: 47 * 3_600_000)
        _ = try till.scheduler.run { try await NIKitTill.sale(client, 1_500, "a-2") }
        #expect(till.kit.preparationCount == 1)
        till.scheduler.advance(by: 3_600_000 - 60_000)
        _ = try till.scheduler.run { try await NIKitTill.sale(client, 1_500, "a-3") }
        #expect(till.kit.preparationCount == 2 && till.charged.count == 3)
    }

    @Test func anUnsuitableDeviceIsSaidSoWithoutAPayment() throws {
        let till = NIKitTill()
        till.kit.run(on: .tooOld)
        let found = try till.play { try await $0.reader?.compatibility() }
        #expect(found?.isCompatible == false && found?.checks.first?.found == "-2")
        let error = till.failure { try await $0.reader?.prepare() }
        #expect(error == PaymentError(.deviceUnsupported, outcome: .notExecuted))
        #expect(till.kit.startCount == 0)
    }

    @Test func termsThatWereNotAcceptedAreSaidSo() throws {
        let till = NIKitTill()
        till.kit.failPreparation(.termsAndConditionsError)
        let error = till.failure { try await $0.reader?.prepare() }
        #expect(error == PaymentError(.termsNotAccepted, outcome: .notExecuted))
        #expect(error?.requiresUserAction == true)
    }

    @Test func anAccountIsLinkedOnce() throws {
        let till = NIKitTill()
        let (before, after) = try till.play { client in
            let before = try await client.reader?.activation()
            try await client.reader?.activate()
            return (before, try await client.reader?.activation())
        }
        #expect(before?.isLinked == false && after?.isLinked == true && after?.step == .active)
    }

    /// What the kit reports between its calls: on the timeline of a payment, and the reader is not ready any more.
    @Test func anErrorOfNoCallIsReported() throws {
        let till = NIKitTill()
        let client = try till.client()
        let kinds = try till.scheduler.run { [scheduler = till.scheduler, kit = till.kit] in
            let sale = Task(executorPreference: scheduler) { try await NIKitTill.sale(client) }
            try await scheduler.sleep(until: scheduler.now + 300)
            kit.tell(.readerTokenInvalid)
            guard let payment = try await sale.value.payment else { return [PaymentEvent.Kind]() }
            return try await client.timeline(of: payment.id).map(\.kind)
        }
        let own = kinds.map(\.rawValue).filter { $0.hasPrefix("ni.") }
        #expect(own == ["ni.progress", "ni.error", "ni.progress", "ni.progress"])
        #expect(client.reader?.isReady == false)
        _ = try till.scheduler.run { try await NIKitTill.sale(client, 1_500, "a-2") }
        #expect(till.kit.preparationCount == 2)
    }

    // MARK: Tokens

    /// A screen is not shown again with another token; the next payment has it.
    @Test func refusedToken_atTheKit_isNotUsedAgainAndProvesNothing() throws {
        let till = NIKitTill()
        let client = try till.client()
        try till.scheduler.run { try await client.reader?.prepare() }
        till.backend.revokeTokens()
        let error: PaymentError? = try till.scheduler.run {
            do { _ = try await NIKitTill.sale(client) } catch { return error as? PaymentError }
            return nil
        }
        #expect(error == PaymentError(.authentication, outcome: .unknown) && till.kit.startCount == 1)
        let result = try till.scheduler.run { try await NIKitTill.sale(client, 1_500, "a-2") }
        #expect(result.payment != nil && till.charged == [1_500])
    }

    /// The application's server gives the platform's answer as it is, or the token alone.
    @Test(arguments: [true, false]) func theServersTokenIsUsedAsLongAsItLasts(_ isWhole: Bool) throws {
        var till = NIKitTill()
        let own = try till.inner.client()
        let asked = Locked(0)
        let source = SecretSource("the server") {
            asked.withLock { $0 += 1 }
            try await own.session?.renew()
            let token = await own.session?.token() ?? Secret("")
            guard isWhole else { return token }
            return Secret("{\"access_token\": \"\(token.expose())\", \"expires_in\": 28800}")
        }
        let old = till.inner.configuration
        till.inner.configuration = NIConfiguration(
            endpoint: old.endpoint, outlet: old.outlet, terminal: old.terminal, deviceCode: old.deviceCode,
            userCode: old.userCode, deviceToken: source)
        let client = try till.client()
        for number in 1...3 {
            _ = try till.scheduler.run { try await NIKitTill.sale(client, 1_500, "a-\(number)") }
            till.scheduler.advance(by: 3_600_000)
        }
        #expect(till.charged.count == 3)
        // One that says nothing of its end counts for five minutes: too short for the wait for a card, once it is used.
        #expect(asked.withLock { $0 } == (isWhole ? 1 : 4))
    }

    @Test func aServerThatGivesNoTokenMovesNothing() throws {
        var till = NIKitTill()
        let old = till.inner.configuration
        till.inner.configuration = NIConfiguration(
            endpoint: old.endpoint, outlet: old.outlet, terminal: old.terminal, deviceCode: old.deviceCode,
            userCode: old.userCode, deviceToken: SecretSource("the server") { Secret("{\"error\": \"no\"}") })
        #expect(try till.told() == "unreadableReply notExecuted")
        #expect(till.kit.startCount == 0)
    }

    // MARK: The back office

    @Test func aPaymentOfTheKitsIsVoidedAndRefundedByThePlatform() throws {
        let till = NIKitTill()
        let client = try till.client()
        try till.scheduler.run { [backend = till.backend] in
            let one = try #require(try await NIKitTill.sale(client).payment)
            _ = try await client.void(one.id)
            let two = try #require(try await NIKitTill.sale(client, 1_600, "a-2").payment)
            backend.settleNow()
            _ = try await client.refund(two.id, of: .aed(600))
        }
        #expect(till.charged == [1_500, 1_500, 1_600, 600])
    }

    // MARK: Opening

    private static func file(_ more: String) -> String {
        """
        {"active":"n","journal":{"kind":"memory"},"providers":{"n":{"adapter":"ni","environment":"sandbox",\
        "merchant":"outlet-1","settings":{"link":"kit","tid":"1","deviceCode":"2","userCode":"3"}\(more)}}}
        """
    }

    private static func drivers(
        _ text: String, _ tools: ProviderDependencies
    ) async throws(PaymentError) -> [any PaymentDriver] {
        let configuration = try ConfigurationReader(ProviderRegistry([.ni])).read(
            Array(text.utf8), file: "providers.json")
        return try await configuration.drivers(tools, secrets: FixedSecrets(values: ["SERVER": Secret("t")]))
    }

    @Test func linkKitWithoutAKitSaysWhatToHandOver() async throws {
        let text = Self.file(#","credentials":{"deviceToken":"env:SERVER"}"#)
        let till = NIKitTill()
        var tools = till.inner.tools
        let failure = await #expect(throws: PaymentError.self) { try await Self.drivers(text, tools) }
        #expect(failure?.code == .configuration && failure?.detail.contains("NIPhoneSDK.AppleTapToPayManager") == true)
        tools.delegates["n"] = till.kit
        let drivers = try await Self.drivers(text, tools)
        #expect(drivers.first is NIMobileDriver)
    }

    /// The reader's token is for one currency: a sale in another one is refused before anything is sent.
    @Test func sale_inAnotherCurrencyThanTheReaders_isRefused() async throws {
        let text = Self.file(#","credentials":{"deviceToken":"env:SERVER"}"#)
        let till = NIKitTill()
        var tools = till.inner.tools
        tools.delegates["n"] = till.kit
        let driver = try #require(try await Self.drivers(text, tools).first)
        #expect(driver.capabilities.currencies == [.aed])
        var given = ClientOptions(journal: till.inner.journal)
        (given.clock, given.executor) = (till.scheduler, till.scheduler)
        let client = try PaymentClient(driver, given)
        #expect(throws: PaymentError(.unsupported, outcome: .notExecuted)) {
            try till.scheduler.run {
                _ = try await client.sale(Money(minorUnits: 1_000, .usd), from: .reader, reference: "order-1")
            }
        }
        #expect(till.kit.startCount == 0 && till.charged.isEmpty)
    }

    /// The key is not on the phone: a device token stands in for it, from the file or from the application.
    @Test func aPhoneNeedsNoKey() async throws {
        let till = NIKitTill()
        var tools = till.inner.tools
        tools.delegates["n"] = till.kit
        let failure = await #expect(throws: PaymentError.self) { try await Self.drivers(Self.file(""), tools) }
        #expect(
            failure?.detail.contains("\"apiKey\" or \"deviceToken\" is missing") == true, "\(failure?.detail ?? "")")
        tools.tokenProviders["n"] = { Secret("device-token") }
        let drivers = try await Self.drivers(Self.file(""), tools)
        #expect(drivers.first is NIMobileDriver && drivers.first?.secrets.isEmpty == true)
    }
}

/// The link `kit`: what is kept of a success before its order is read.
@Suite struct NIKitReferenceTests {
    /// The kit says success, and the order can't be read for ten minutes: it is found by the kit's own name of it.
    @Test func success_whoseOrderComesLate_isFoundByItsName() throws {
        var till = NIKitTill()
        till.inner.configuration.isSoleUser = false
        till.kit.play(.isTerse)
        till.inner.tools.transport = LateOrders(
            inner: till.inner.tools.transport, clock: till.scheduler, until: till.scheduler.now + 600_000)
        let client = try till.client()
        let (error, late) = try till.scheduler.run { [scheduler = till.scheduler] in
            var early: PaymentError?
            do { _ = try await NIKitTill.sale(client) } catch { early = error as? PaymentError }
            try await scheduler.sleep(until: scheduler.now + 20 * 60_000)
            return (early, try await client.status(AttemptID("a-1")))
        }
        #expect(error?.outcome == .unknown && late.payment?.approved == .aed(1_500) && till.charged == [1_500])
    }
}

/// A line on which no order can be read until an instant.
private struct LateOrders: HTTPTransport {
    let inner: any HTTPTransport
    let clock: TestScheduler
    let until: Int64
    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if request.path.contains("/reporting/orders"), clock.now < until { throw .notSent(.init(rawValue: "late")) }
        return try await inner.send(request)
    }
}
