import PaymentCore
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import HaloProvider

/// The link `kit`: how each end of a call is reported.
@Suite struct HaloMobileDriverTests {
    @Test func aReceiptIsTheKits() throws {
        let till = HaloKitTill()
        let payment = try #require(try till.play { try await HaloTill.sale($0) }.payment)
        #expect(payment.approved == Money(minorUnits: 1_500, .zar) && payment.reference == "order_a-1")
        #expect(payment.references["transaction"] == "62e557d5-fdf3-4f07-a4cb-000000000001")
        #expect(payment.card?.brand == "VISA" && payment.card?.last4 == "1111")
        #expect(payment.receipt?.authorizationCode == "000001" && payment.receipt?.at != nil)
        #expect(till.kit.startCount == 1 && till.charged == [1_500])
    }

    /// Every code of the table before a submission: told as the table has it, and nothing is charged.
    @Test(arguments: HaloPhoneSDK.table.rows.filter { !$0.code.hasPrefix("HaloError") })
    func aCodeBeforeASubmissionIsReportedAsTheTableHasIt(_ rule: SDKErrorRule) throws {
        let till = HaloKitTill()
        till.kit.play(.ends(HaloPhoneSDK.HaloErrorCode(rawValue: rule.code)))
        let told = try Self.told(till)
        switch (rule.outcome, rule.cause) {
        case (.declined, _): #expect(told == "declined")
        // The kit has told its steps up to the reader, and of no card.
        case (.unknown, .cancelled): #expect(told == "cancelled")
        case (.unknown, let cause) where ["SCREEN_CAPTURE_DETECTED", "screenCaptureDetected"].contains(rule.code):
            #expect(told == "\(cause.rawValue) notExecuted")
        case (.notExecuted, let cause): #expect(told == "\(cause.rawValue) notExecuted")
        case (.unknown, let cause): #expect(told == "\(cause.rawValue) unknown")
        }
        #expect(till.charged.isEmpty && till.kit.startCount == 1)
    }

    @Test(arguments: [nil, "SOMETHING_NEW"]) func anUnlistedCodeIsUnknown(_ code: String?) throws {
        let till = HaloKitTill()
        till.kit.play(.ends(code.map { HaloPhoneSDK.HaloErrorCode(rawValue: $0) }))
        #expect(try Self.told(till) == "unreadableReply unknown")
    }

    @Test(arguments: [
        ("userCancelled", "cancelled"), ("cardDeclined", "declined"),
        ("passcodeDisabled", "deviceUnsupported notExecuted"),
        ("locationError", "locationRequired notExecuted"), ("invalidPassthroughFields", "invalidRequest notExecuted"),
        ("transactionError", "providerFailed unknown"),
    ])
    func codeSince90_beforeASubmission_isReportedAsItsOlderSpelling(_ code: String, _ told: String) throws {
        let till = HaloKitTill()
        till.kit.play(.ends(HaloPhoneSDK.HaloErrorCode(rawValue: code)))
        #expect(try Self.told(till) == told)
        #expect(till.charged.isEmpty)
    }

    @Test func passthroughFields_missing_todaysSDKDeclinesBeforeItsReader() throws {
        let till = HaloKitTill()
        till.kit.respell()
        #expect(try Self.told(till) == "invalidRequest notExecuted" && till.charged.isEmpty)
    }

    @Test func passthroughFields_ofTheSetting_reachTodaysSDK() throws {
        let fields = #"{"streetAddress":"1 Loop","city":"Cape Town","stateProvince":"WC","countryCode":"ZA"}"#
        let till = HaloKitTill(passthroughFields: fields)
        till.kit.respell()
        #expect(try Self.told(till) == "approved" && till.charged == [1_500])
    }

    @Test func preparation_forgottenByTodaysSDK_isMadeAgainForTheNextPayment() throws {
        let fields = #"{"streetAddress":"1 Loop","city":"Cape Town","stateProvince":"WC","countryCode":"ZA"}"#
        let till = HaloKitTill(passthroughFields: fields)
        till.kit.respell()
        till.kit.play(.forgets)
        let client = try till.client()
        let (error, result) = try till.scheduler.run {
            var failure: PaymentError?
            do { _ = try await HaloTill.sale(client) } catch { failure = error as? PaymentError }
            return (failure, try await HaloTill.sale(client, 1_500, "a-2"))
        }
        #expect(error == PaymentError(.configuration, outcome: .notExecuted))
        #expect(error?.provider?.code == "notInitialized" && result.payment != nil)
    }

    /// Whatever the kit ends with after the provider has approved: the record says that money moved, or it is unknown.
    @Test(arguments: HaloPhoneSDK.table.rows.filter { !$0.code.hasPrefix("HaloError") })
    func aCodeAfterAnApprovalIsNeverToldAsNothing(_ rule: SDKErrorRule) throws {
        let till = HaloKitTill()
        till.kit.play(.loses(HaloPhoneSDK.HaloErrorCode(rawValue: rule.code)))
        #expect(try Self.told(till) == "approved")
        #expect(till.charged == [1_500] && till.kit.startCount == 1)
    }

    @Test func aDeclineHasTheIssuersReasonFromTheRecord() throws {
        let till = HaloKitTill()
        let result = try till.play { try await HaloTill.sale($0, 1_051) }
        var said: Decline?
        if case .declined(let decline) = result { said = decline }
        #expect(said?.reason == .insufficientFunds && said?.provider.code == "51")
        #expect(till.charged.isEmpty)
    }

    @Test func aDeclineWhoseRecordCanNotBeReadStaysADecline() throws {
        let till = HaloKitTill()
        #expect(till.backend.play("halo.record.numbers/2"))
        let result = try till.play { try await HaloTill.sale($0, 1_051) }
        var said: Decline?
        if case .declined(let decline) = result { said = decline }
        #expect(said?.reason == .declinedByProvider && said?.provider.code == "CARD_DECLINED")
    }

    // MARK: What the receipt echoes

    @Test func anotherAmountInTheReceipt_isNotReportedAsDone() throws {
        let till = HaloKitTill()
        till.kit.play(.echoes(2_500))
        let payment = try till.play { try await HaloTill.sale($0) }.payment
        // The record knows better than the receipt.
        #expect(payment?.approved == Money(minorUnits: 1_500, .zar))
    }

    /// No document says whose amount the receipt has: the issuer approved a part, and the receipt repeats the request.
    @Test func receiptThatRepeatsTheAmount_ofAnApprovedPart_isNotReportedAsTheWhole() throws {
        let till = HaloKitTill()
        #expect(till.backend.play("halo.partial-approval/2"))
        till.kit.play(.echoes(1_500))
        let approved = (try? till.play { try await HaloTill.sale($0) })?.payment?.approved
        #expect(approved == nil || approved == Money(minorUnits: 750, .zar), "\(approved.debugDescription)")
        #expect(till.backend.ledger.balance(.merchant) == ["ZAR": 750])
    }

    @Test func aReceiptAboutAnotherReferenceProvesNothing() throws {
        let till = HaloKitTill()
        #expect(till.backend.play("halo.search.silently-empty/4"))
        till.kit.play(.renames)
        #expect(try Self.told(till) == "mismatch unknown")
    }

    // MARK: Time

    /// The caller has left long ago; the answer is kept all the same, and the reader was free in the meantime.
    @Test func aLateAnswerConcludesItsAttempt() throws {
        let till = HaloKitTill()
        #expect(till.backend.play("halo.search.silently-empty/4"))
        till.kit.play(.answersLate(20 * 60_000))
        let client = try till.client()
        let (error, second, late) = try till.scheduler.run {
            var early: PaymentError?
            do { _ = try await HaloTill.sale(client) } catch { early = error as? PaymentError }
            try await till.scheduler.sleep(until: till.scheduler.now + 10 * 60_000)
            // The kit itself is still busy, and says so.
            var other: PaymentError?
            do { _ = try await HaloTill.sale(client, 1_600, "a-2") } catch { other = error as? PaymentError }
            try await till.scheduler.sleep(until: till.scheduler.now + 20 * 60_000)
            return (early, other, try await client.status(AttemptID("a-1")))
        }
        #expect(error?.outcome == .unknown)
        #expect(second?.provider?.code == "PAYMENT_IN_PROGRESS" && second?.outcome == .notExecuted)
        #expect(late.payment?.approved == Money(minorUnits: 1_500, .zar))
        #expect(till.charged == [1_500])
    }

    /// The same with a kit whose late answer is thrown away: the test before can fail.
    @Test func withoutTheLateAnswer_theOutcomeIsUnknown() throws {
        var till = HaloKitTill()
        #expect(till.backend.play("halo.search.silently-empty/4"))
        till.bend = { [scheduler = till.scheduler] in ForgetfulKit(inner: $0, scheduler: scheduler) }
        till.kit.play(.answersLate(20 * 60_000))
        let client = try till.client()
        let error: PaymentError? = try till.scheduler.run { [scheduler = till.scheduler] in
            _ = try? await HaloTill.sale(client)
            try await scheduler.sleep(until: scheduler.now + 30 * 60_000)
            do { _ = try await client.status(AttemptID("a-1")) } catch { return error as? PaymentError }
            return nil
        }
        #expect(error?.outcome == .unknown && till.charged == [1_500])
    }

    // MARK: Cancelling

    /// A sale that the merchant wants to cancel soon after it began.
    private static func cancelled(_ till: HaloKitTill) throws -> (CancelResult?, PaymentResult) {
        try till.play { client in
            let sale = Task(executorPreference: till.scheduler) { try await HaloTill.sale(client) }
            try await till.scheduler.sleep(until: till.scheduler.now + 700)
            return (try await client.reader?.cancel(), try await sale.value)
        }
    }

    @Test func nothingIsCancelledOnceACardWasSeen() throws {
        let till = HaloKitTill()
        var card = SimulatedReader.Card()
        card.fieldMilliseconds = 500
        till.inner.reader.present(card)
        let (answer, result) = try Self.cancelled(till)
        #expect(answer == .tooLate && till.kit.cancelCount == 0 && result.payment != nil)
    }

    @Test func aWaitForACardIsCancelledByTheMerchant() throws {
        let till = HaloKitTill()
        till.inner.reader.present(nil)
        let (answer, result) = try Self.cancelled(till)
        var by: Cancellation.Cause?
        if case .cancelled(let cancellation) = result { by = cancellation.cause }
        #expect(answer == .cancelled && by == .merchant && till.kit.cancelCount == 1)
    }

    // MARK: The reader and the session

    @Test func aKitThatHasForgottenItsPreparationIsPreparedBeforeTheNextPayment() throws {
        let till = HaloKitTill()
        till.kit.play(.forgets)
        let client = try till.client()
        let (error, result) = try till.scheduler.run {
            var failure: PaymentError?
            do { _ = try await HaloTill.sale(client) } catch { failure = error as? PaymentError }
            return (failure, try await HaloTill.sale(client, 1_500, "a-2"))
        }
        #expect(error == PaymentError(.configuration, outcome: .notExecuted))
        #expect(result.payment != nil && till.charged == [1_500])
    }

    @Test func anUnsuitableDeviceIsSaidSoWithoutAPayment() throws {
        let till = HaloKitTill()
        till.kit.failPreparation(.deviceNotSupported(.modelNotSupported))
        let found = try till.play { try await $0.reader?.compatibility() }
        #expect(found?.isCompatible == false)
        till.kit.failPreparation(.accountLinkingError(HaloPhoneSDK.HaloReason(rawValue: "notLinked")))
        let error = till.failure { try await $0.reader?.prepare() }
        #expect(error == PaymentError(.accountNotLinked, outcome: .notExecuted))
        #expect(till.kit.startCount == 0)
    }

    @Test func aTokenThatIsRefusedOnceIsRenewedByTheKit() throws {
        let till = HaloKitTill()
        let client = try till.client()
        try till.scheduler.run { try await client.reader?.prepare() }
        let before = till.inner.given.withLock { $0 }
        till.backend.revokeTokens()
        let result = try till.scheduler.run { try await HaloTill.sale(client) }
        #expect(result.payment != nil && till.charged == [1_500])
        #expect(till.inner.given.withLock { $0 } > before)
    }

    // MARK: Opening

    @Test func linkKitWithoutAKitSaysWhatToHandOver() async throws {
        let text = """
            {"active":"h","journal":{"kind":"memory"},"providers":{"h":{"adapter":"halo","environment":"simulated",\
            "merchant":"merchant-1","settings":{"link":"kit"}}}}
            """
        let configuration = try ConfigurationReader(ProviderRegistry([.halo])).read(
            Array(text.utf8), file: "providers.json")
        let till = HaloKitTill()
        var (tools, failure) = (till.inner.tools, PaymentError?.none)
        do { _ = try await configuration.drivers(tools, secrets: FixedSecrets()) } catch {
            failure = error
        }
        #expect(failure?.code == .configuration && failure?.detail.contains("HaloPhoneSDK.SDK") == true)
        tools.delegates["h"] = till.kit
        let drivers = try await configuration.drivers(tools, secrets: FixedSecrets())
        #expect(drivers.first is HaloMobileDriver)
    }

    /// The result of a sale, in a word or two.
    private static func told(_ till: HaloKitTill) throws -> String {
        do {
            switch try till.play({ try await HaloTill.sale($0) }) {
            case .approved: return "approved"
            case .declined: return "declined"
            case .cancelled: return "cancelled"
            case .pending: return "pending"
            }
        } catch let error as PaymentError { return "\(error.code.rawValue) \(error.outcome.rawValue)" }
    }
}

/// A kit that throws late answers away.
private struct ForgetfulKit: HaloPhoneSDK.SDK {
    let inner: any HaloPhoneSDK.SDK
    let scheduler: TestScheduler

    func initialize(
        tokenProvider: @escaping HaloPhoneSDK.TokenProvider, environment: HaloPhoneSDK.Environment
    ) async throws(HaloPhoneSDK.HaloError) -> HaloPhoneSDK.HaloDeviceCapabilities {
        try await inner.initialize(tokenProvider: tokenProvider, environment: environment)
    }

    func startContactlessPayment(
        amountMinor: Int64, currency: String, merchantReference: String,
        passthroughFields: HaloPhoneSDK.HaloPassthroughFields, type: HaloPhoneSDK.HaloTransactionType
    ) async -> HaloPhoneSDK.HaloPaymentResult {
        let start = scheduler.now
        let result = await inner.startContactlessPayment(
            amountMinor: amountMinor, currency: currency, merchantReference: merchantReference,
            passthroughFields: passthroughFields, type: type)
        return scheduler.now - start > 600_000 ? .declined(errorCode: .timeout, errorMessage: nil) : result
    }

    func cancelPayment() async { await inner.cancelPayment() }

    func setEventDelegate(_ delegate: @escaping @Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void) async {
        await inner.setEventDelegate(delegate)
    }

    func deinitialize() async { await inner.deinitialize() }
}

/// A gateway in front of the provider's server refuses what the kit submits, after the server has carried it out.
@Suite struct HaloKitGatewayTests {
    @Test(arguments: [WireFault.status401After, .status403After, .status404After, .status429After])
    func tap_refusedByAGatewayAfterItWasCarriedOut_isNeverToldAsNothing(_ fault: WireFault) throws {
        let till = HaloKitTill()
        let plan = FaultPlan()
        let injector = FaultInjector(till.backend, plan: plan, clock: till.scheduler)
        let kit = SimulatedHaloSDK(
            clock: till.scheduler, executor: till.scheduler, reader: till.inner.reader,
            transport: InProcessTransport([Origin(.http, "halo.test"): injector], clock: till.scheduler),
            origin: Origin(.http, "halo.test"))
        var bent = till
        bent.bend = { _ in kit }
        var rule = FaultRule(fault, times: 2)
        rule.path = "/transactions/apple"
        plan.arm(rule)
        let told: String
        do {
            let result = try bent.play { try await HaloTill.sale($0) }
            told = result.payment.map { "approved \($0.approved.minorUnits)" } ?? "\(result)"
        } catch let error as PaymentError { told = "\(error.code.rawValue) \(error.outcome)" }
        #expect(!plan.played.isEmpty && till.charged == [1_500])
        #expect(told == "approved 1500" || told.hasSuffix(" unknown"), "\(told)")
    }
}

@Suite struct HaloTimelineTests {
    /// Every event of a client while something is played, in the order in which they happened.
    private func events(
        _ till: HaloTill, _ body: @escaping @Sendable (PaymentClient) async throws -> Void
    ) throws -> [PaymentEvent] {
        let client = try till.client()
        return try till.scheduler.run { [scheduler = till.scheduler] in
            let stream = client.events()
            try await body(client)
            let end = PaymentEvent.Kind(rawValue: "end")
            let marker = try await HaloTill.sale(client, 1_000, "marker").payment
            if let marker { try await client.addEvent(end, to: marker.id) }
            var seen: [PaymentEvent] = []
            for await event in stream {
                if event.attempt?.text == "marker" || event.kind == end { break }
                seen.append(event)
            }
            _ = scheduler.now
            return seen
        }
    }

    @Test func aPaymentWithAPINHasItsStepsInOrder() throws {
        let seen = try events(HaloTill()) { client in
            try await client.session?.open()
            try await client.reader?.showEducation()
            try await client.reader?.prepare()
            _ = try await HaloTill.sale(client, 1_065)
        }
        #expect(
            seen.compactMap { HaloTimeline.step(of: $0) } == [
                "sdkInitialized", "discoveryShown", "sdkReaderPrepared", "paymentStarted", "paymentValidated",
                "readyForTap", "cardDetected", "transactionSubmissionStarted", "transactionResponseReceived",
                "pinCaptureStarted", "pinCaptureSucceeded", "transactionSubmissionStarted",
                "transactionResponseReceived", "paymentApproved",
            ])
        let answers = seen.filter { HaloTimeline.step(of: $0) == "transactionResponseReceived" }.map(\.attributes)
        #expect(answers.map { $0["isSingleTapAndPin"] } == ["true", "true"])
        #expect(answers.map { $0["isApproved"] } == ["false", "true"])
        #expect(answers.first?["originalTransactionId"]?.isEmpty == false)
    }

    @Test func declinesCancellationsAndErrorsAreSteps() throws {
        let till = HaloTill()
        let seen = try events(till) { client in
            _ = try await HaloTill.sale(client, 1_051, "declined")
            till.reader.present(nil)
            let sale = Task(executorPreference: till.scheduler) { try await HaloTill.sale(client, 1_000, "cancelled") }
            try await till.scheduler.sleep(until: till.scheduler.now + 1_000)
            try await client.reader?.cancel()
            _ = try? await sale.value
            var card = SimulatedReader.Card()
            card.failure = .unreadable
            till.reader.present(card)
            _ = try? await HaloTill.sale(client, 1_000, "unreadable")
            till.reader.present(SimulatedReader.Card())
        }
        let last = seen.compactMap { HaloTimeline.step(of: $0) }.filter {
            ["paymentDeclined", "paymentCancelled", "paymentError"].contains($0)
        }
        #expect(last == ["paymentDeclined", "paymentCancelled", "paymentError"])
    }

    @Test func applicationsAddTheirOwn() throws {
        let till = HaloTill()
        let kinds = try till.play { client in
            guard let payment = try await HaloTill.sale(client).payment else { return [PaymentEvent.Kind]() }
            try await client.addEvent(PaymentEvent.Kind(rawValue: "termsShown"), to: payment.id)
            return try await client.timeline(of: payment.id).map(\.kind)
        }
        #expect(kinds.last == PaymentEvent.Kind(rawValue: "termsShown"))
        #expect(HaloTimeline.step(of: PaymentEvent(PaymentEvent.Kind(rawValue: "termsShown"), at: 0)) == nil)
    }

    @Test func progressIsInPartsPerThousand() throws {
        let seen = Locked([Int]())
        let till = HaloTill()
        try till.play { client in try await client.reader?.prepare { percent in seen.withLock { $0.append(percent) } } }
        let progress = seen.withLock { $0 }.compactMap { HaloTimeline.progress(.updateProgress($0)) }
        #expect(progress == [10, 500, 1_000] && HaloTimeline.progress(.readRetry) == nil)
    }
}
