import ARISEProvider
import PaymentCore
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// The link `kit`: how each end of a tap is reported.
@Suite struct ARISEMobileDriverTests {
    /// An error that the table's row speaks of: a code is carried by a failed transaction.
    private static func failure(_ rule: SDKErrorRule) -> ARISEPhoneSDK.Failure {
        let parts = rule.code.split(separator: ".").map(String.init)
        let none = ARISEPhoneSDK.TTPErrorCode(rawValue: "")
        switch (parts.first, parts.last) {
        case ("AriseApiError", "badRequest"): return .api(.badRequest("-"))
        case ("AriseApiError", "unauthorized"): return .api(.unauthorized("-"))
        case ("AriseApiError", "forbidden"): return .api(.forbidden("-"))
        case ("AriseApiError", "notFound"): return .api(.notFound("-"))
        case ("AriseApiError", "serverError"): return .api(.serverError("-"))
        case ("AriseApiError", "unknown"): return .api(.unknown("-"))
        case ("AriseApiError", "invalidResponse"): return .api(.invalidResponse("-"))
        case ("AriseApiError", "networkError"): return .api(.networkError("-"))
        case ("AuthenticationError", let name?): return .authentication(.init(rawValue: name))
        case ("PaymentCardReaderError", let name?): return .cardReader(.init(rawValue: name))
        case ("TTPError", "notCompatible"): return .ttp(.notCompatible(incompatibilityReasons: []))
        case ("TTPError", "notActive"): return .ttp(.notActive)
        case ("TTPError", "sdkNotInitialized"): return .ttp(.sdkNotInitialized)
        case ("TTPError", "configurationFailed"): return .ttp(.configurationFailed(none, "-"))
        case ("TTPError", "activationFailed"): return .ttp(.activationFailed(none, "-"))
        case ("TTPError", "transactionFailed"): return .ttp(.transactionFailed(none, "-"))
        case ("TTPError", "failedToAbortTransaction"): return .ttp(.failedToAbortTransaction(none, "-"))
        case ("TTPError", "unknown"): return .ttp(.unknown(none, "-"))
        default: return .ttp(.transactionFailed(.init(rawValue: rule.code), "-"))
        }
    }

    /// The rows that speak of taps: of two for one error, the one that names the call.
    static let rules = ARISEPhoneSDK.table.rows.filter { row in
        row.calls.contains("performTransaction")
            || row.calls.isEmpty
                && !ARISEPhoneSDK.table.rows.contains { $0.code == row.code && $0.calls.contains("performTransaction") }
    }

    @Test func aResultIsThePayment() throws {
        let till = ARISEKitTill()
        let payment = try #require(try till.play { try await ARISEKitTill.sale($0) }.payment)
        #expect(payment.approved == .dollars(1_500) && payment.reference == "order_a-1")
        #expect(payment.references.keys.contains("transaction") && payment.card?.last4 == "1111")
        #expect(payment.receipt?.authorizationCode != nil && payment.receipt?.verification == "NO_CVM")
        #expect(till.kit.startCount == 1 && till.charged == [1_500])
    }

    // MARK: Errors

    /// Every row of the kit's table before a card: told as the table has it, and nothing is charged.
    @Test(arguments: rules) func anErrorBeforeTheCardIsReportedAsTheTableHasIt(_ rule: SDKErrorRule) throws {
        let till = ARISEKitTill()
        till.kit.play(.ends(Self.failure(rule)))
        let told = try till.told()
        switch rule.outcome {
        case .declined: #expect(told.hasPrefix("declined"))
        case .notExecuted: #expect(told == "\(rule.cause.rawValue) notExecuted")
        case .unknown: #expect(told == "\(rule.cause.rawValue) unknown")
        }
        #expect(till.charged.isEmpty && till.kit.startCount == 1)
    }

    /// Whatever ends a tap after an approval that was seen: it is found by amount and time, or is unknown.
    @Test(arguments: rules) func anErrorAfterAnApprovalIsNeverToldAsNothing(_ rule: SDKErrorRule) throws {
        var till = ARISEKitTill()
        till.kit.play(.loses(Self.failure(rule)))
        #expect(try till.told() == "approved 1500")
        till = ARISEKitTill()
        till.inner.change = { $0.isSoleUser = false }
        till.kit.play(.loses(Self.failure(rule)))
        #expect(try till.told() == "\(rule.cause.rawValue) unknown")
        #expect(till.charged == [1_500])
    }

    /// Where no event came, the platform's errors prove nothing all the same.
    @Test(arguments: [ARISEPhoneSDK.Failure.api(.badRequest("-")), .api(.unauthorized("-")), .api(.networkError("-"))])
    func anErrorOfThePlatformProvesNothingWithoutEventsEither(_ failure: ARISEPhoneSDK.Failure) throws {
        let till = ARISEKitTill()
        till.kit.play(.losesUnseen(failure))
        #expect(try till.told() == "approved 1500")
    }

    @Test(arguments: [
        ARISEPhoneSDK.Failure.other(name: "SomethingNew", description: "-"),
        .cardReader(.init(rawValue: "somethingNew")),
    ])
    func anUnlistedErrorIsUnknown(_ failure: ARISEPhoneSDK.Failure) throws {
        let till = ARISEKitTill()
        till.kit.play(.ends(failure))
        #expect(try till.told() == "unreadableReply unknown")
    }

    /// Apple's errors have a list of their own, until a submission was seen.
    @Test func anErrorOfApplesIsReportedByApplesList() throws {
        let till = ARISEKitTill()
        till.kit.play(.ends(.cardReader(.init(rawValue: "readerMemoryFull"))))
        #expect(try till.told() == "readerUnavailable notExecuted")
    }

    // MARK: Ends

    @Test func aDeclineHasTheIssuersReason() throws {
        let till = ARISEKitTill()
        let result = try till.play { try await ARISEKitTill.sale($0, 21) }
        var said: Decline?
        if case .declined(let decline) = result { said = decline }
        #expect(said?.reason == .insufficientFunds && said?.provider.code == "51")
        #expect(till.charged.isEmpty)
    }

    /// The kit's own word for what is not decided yet is a failure; the gateway's says more.
    @Test func whatIsDecidedLaterIsPending() throws {
        #expect(try ARISEKitTill().told(5_015) == "pending")
    }

    @Test func aFailureIsUnknownUntilTheRecordIsFound() throws {
        var till = ARISEKitTill()
        till.kit.play(.says(.failed))
        #expect(try till.told() == "approved 1500")
        till = ARISEKitTill()
        till.inner.change = { $0.isSoleUser = false }
        till.kit.play(.says(.failed))
        // The result names its transaction, whose record says what became of it.
        #expect(try till.told() == "approved 1500")
    }

    /// A tap that was seen on its way is not cancelled by a word; nor approved against the gateway's.
    @Test(arguments: [
        ARISEPhoneSDK.TTPTransactionStatus.cancelled, .declined, ARISEPhoneSDK.TTPTransactionStatus(rawValue: "new"),
    ])
    func aWordAgainstWhatWasSeenProvesNothing(_ status: ARISEPhoneSDK.TTPTransactionStatus) throws {
        var till = ARISEKitTill()
        till.inner.change = { $0.isSoleUser = false }
        till.kit.play(.says(status))
        // The record that the result names says what the gateway did.
        #expect(try till.told() == "approved 1500")
        #expect(till.charged == [1_500])
    }

    @Test func aDeclineThatIsCalledAnApprovalProvesNothing() throws {
        let till = ARISEKitTill()
        till.kit.play(.says(.approved))
        // The record says that this card was declined; another card of the same call may have been approved.
        let told = try till.told(21)
        #expect(told == "mismatch unknown")
        #expect(till.charged.isEmpty)
    }

    @Test func aResultThatLacksWhatProvesItProvesNothing() throws {
        var till = ARISEKitTill()
        till.inner.change = { $0.isSoleUser = false }
        till.kit.play(.isNameless)
        #expect(try till.told() == "unreadableReply unknown")
    }

    // MARK: Quotes

    @Test(arguments: [ARISEAccount.ZeroCost.noZeroCost, .cashDiscount, .dualPricing, .surcharge])
    func aQuoteIsTappedToTheCent(_ mode: ARISEAccount.ZeroCost) throws {
        for tender in [Tender.credit, .debit] {
            var account = ARISEAccount()
            account.zeroCost = mode
            let till = ARISEKitTill(account)
            let (quote, payment) = try till.play { client in
                var request = QuoteRequest(.dollars(3_333))
                (request.discountPercent, request.tip) = ("7.5", .dollars(250))
                if mode == .dualPricing { request.isCardPrice = true }
                let quote = try #require(try await client.pricing?.quote(request))
                let sale = try SaleRequest(quote, tender, from: .reader, reference: "o")
                return (quote, try await client.sale(sale).payment)
            }
            #expect(payment?.approved == quote.tenders[tender]?.total, "\(mode) \(tender)")
            #expect(till.charged == [quote.tenders[tender]?.total.minorUnits ?? 0])
        }
    }

    /// The SDK leaves out the tenders that a merchant doesn't take: a card is priced all the same.
    @Test func quote_ofAMerchantWithoutBankDebits_isTapped() throws {
        var account = ARISEAccount()
        account.zeroCost = .surcharge
        let till = ARISEKitTill(account)
        till.kit.leavesOutBankPrices()
        let payment = try till.play { client in
            let quote = try #require(try await client.pricing?.quote(QuoteRequest(.dollars(3_333))))
            return try await client.sale(try SaleRequest(quote, .credit, from: .reader, reference: "o")).payment
        }
        #expect(payment != nil && till.charged.count == 1)
    }

    @Test func aPriceThatHasChangedIsNotTapped() throws {
        var account = ARISEAccount()
        account.zeroCost = .surcharge
        let till = ARISEKitTill(account)
        let error = till.failure { [backend = till.backend] client in
            let quote = try #require(try await client.pricing?.quote(QuoteRequest(.dollars(3_333))))
            let sale = try SaleRequest(quote, .credit, from: .reader, reference: "o")
            backend.configure { $0.zeroCost = .noZeroCost }
            _ = try await client.sale(sale)
        }
        #expect(error == PaymentError(.mismatch, outcome: .notExecuted))
        #expect(till.kit.startCount == 0 && till.charged.isEmpty)
    }

    // MARK: Time

    /// The caller has left long ago; the result is kept all the same, and the reader was free in the meantime.
    @Test func aLateResultConcludesItsAttempt() throws {
        var till = ARISEKitTill()
        till.inner.change = { $0.isSoleUser = false }
        till.kit.play(.answersLate(20 * 60_000))
        let client = try till.client()
        let (error, second, late) = try till.scheduler.run { [scheduler = till.scheduler] in
            var early: PaymentError?
            do { _ = try await ARISEKitTill.sale(client) } catch { early = error as? PaymentError }
            try await scheduler.sleep(until: scheduler.now + 10 * 60_000)
            // The kit itself is still busy, and says so.
            var other: PaymentError?
            do { _ = try await ARISEKitTill.sale(client, 1_600, "a-2") } catch { other = error as? PaymentError }
            try await scheduler.sleep(until: scheduler.now + 20 * 60_000)
            return (early, other, try await client.status(AttemptID("a-1")))
        }
        #expect(error?.outcome == .unknown)
        #expect(second?.provider?.code == "PaymentCardReaderError.readerBusy")
        #expect(late.payment?.approved == .dollars(1_500) && till.charged == [1_500])
    }

    // MARK: Cancelling

    @Test func nothingIsCancelledOnceACardWasSeen() throws {
        let till = ARISEKitTill()
        var card = SimulatedReader.Card()
        card.fieldMilliseconds = 500
        till.inner.reader.present(card)
        let client = try till.client()
        let (answer, result) = try till.scheduler.run { [scheduler = till.scheduler] in
            let sale = Task(executorPreference: scheduler) { try await ARISEKitTill.sale(client) }
            try await scheduler.sleep(until: scheduler.now + 700)
            let answer = try await client.reader?.cancel()
            sale.cancel()
            _ = try? await sale.value
            try await scheduler.sleep(until: scheduler.now + 60_000)
            return (answer, try await client.status(AttemptID("a-1")))
        }
        #expect(answer == .tooLate && till.kit.abortCount == 0)
        #expect(result.payment?.approved == .dollars(1_500) && till.charged == [1_500])
    }

    @Test func aWaitForACardIsCancelledByTheMerchant() throws {
        let till = ARISEKitTill()
        till.inner.reader.present(nil)
        let client = try till.client()
        let (answer, result) = try till.scheduler.run { [scheduler = till.scheduler] in
            let sale = Task(executorPreference: scheduler) { try await ARISEKitTill.sale(client) }
            try await scheduler.sleep(until: scheduler.now + 700)
            return (try await client.reader?.cancel(), try await sale.value)
        }
        var by: Cancellation.Cause?
        if case .cancelled(let cancellation) = result { by = cancellation.cause }
        #expect(answer == .cancelled && by == .merchant && till.kit.abortCount == 1 && till.charged.isEmpty)
    }

    // MARK: Names

    /// What the platform calls the tap before is not known: a tap that never left may not be found in it.
    ///
    /// The list shows a tap only after a moment, or the platform does not answer.
    @Test(arguments: [true, false]) func tap_thatNeverLeft_isNotFoundInTheOneBefore(_ answers: Bool) throws {
        let till = ARISEKitTill()
        #expect(till.backend.play("arise.tap.transaction-id/2"))
        let client = try till.client()
        till.inner.overriding.withLock { hook in
            hook = { request in
                guard request.method == "GET", request.target.hasPrefix("/pay-api/v1/transactions") else { return nil }
                guard answers else { return HTTPResponse(503) }
                guard request.target.hasPrefix("/pay-api/v1/transactions?") else { return nil }
                return HTTPResponse(
                    200, headers: ["Content-Type": "application/json"], body: Array(#"{"items":[],"total":0}"#.utf8))
            }
        }
        let first = try till.scheduler.run { try await ARISEKitTill.sale(client, 1_500, "a-1") }
        #expect(first.payment?.approved == .dollars(1_500))
        till.inner.overriding.withLock { $0 = { _ in nil } }
        till.scheduler.advance(by: 120_000)
        till.kit.play(.ends(.api(.networkError("-"))))
        var outcome: PaymentError.Outcome?
        do {
            _ = try till.scheduler.run { try await ARISEKitTill.sale(client, 1_500, "a-2") }
        } catch let error as PaymentError { outcome = error.outcome }
        #expect(outcome == .unknown)
        #expect(till.charged == [1_500])
    }

    /// A name in another form than the platform's may be refused rather than not found.
    @Test func tap_whoseNameThePlatformCantRead_isFoundAndVoided() throws {
        let till = ARISEKitTill()
        #expect(till.backend.play("arise.tap.transaction-id/3"))
        try till.play { client in
            let payment = try #require(try await ARISEKitTill.sale(client).payment)
            #expect(payment.references["processor"] != nil)
            let voided = try await client.void(payment.id)
            #expect(voided.payment?.amounts.isVoided == true)
        }
    }

    /// The platform shows a tap only later: until then only the kit's name is known, and what follows uses it.
    @Test func tap_thatThePlatformShowsLater_isVoidedByTheKitsName() throws {
        let till = ARISEKitTill()
        let client = try till.client()
        till.inner.overriding.withLock { hook in
            hook = { request in
                let isAsked = request.method == "GET" && request.target.hasPrefix("/pay-api/v1/transactions")
                return isAsked ? HTTPResponse(404) : nil
            }
        }
        let sold = try till.scheduler.run { try await ARISEKitTill.sale(client) }
        let payment = try #require(sold.payment)
        #expect(payment.references["transaction"] == nil && payment.references["processor"] != nil)
        till.inner.overriding.withLock { $0 = { _ in nil } }
        let voided = try till.scheduler.run { try await client.void(payment.id) }
        #expect(voided.payment?.amounts.isVoided == true)
    }
}

/// A kit whose events do not arrive, and whose result says something else than the gateway did.
private struct SilentKit: ARISEPhoneSDK.TappingSdk, ARISEPhoneSDK.TTP {
    let kit: SimulatedARISESDK
    let bend: @Sendable (inout ARISEPhoneSDK.TTPTransactionResult) -> Void

    var ttp: any ARISEPhoneSDK.TTP { get async { self } }

    func authenticate(clientId: String, clientSecret: Secret) async throws(ARISEPhoneSDK.Failure) -> Bool {
        try await kit.authenticate(clientId: clientId, clientSecret: clientSecret)
    }
    func getDeviceId() async -> String { await kit.getDeviceId() }
    func getAccessToken() async -> Secret? { await kit.getAccessToken() }
    func refreshAccessToken() async throws(ARISEPhoneSDK.Failure) -> Bool { try await kit.refreshAccessToken() }
    func clearStoredToken() async { await kit.clearStoredToken() }
    func calculateAmount(
        request: ARISEPhoneSDK.CalculateAmountRequest
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.CalculateAmountResponse {
        try await kit.calculateAmount(request: request)
    }
    func checkCompatibility() async -> ARISEPhoneSDK.TTPCompatibilityResult { await kit.checkCompatibility() }
    func getStatus() async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPStatus { try await kit.getStatus() }
    func activate() async throws(ARISEPhoneSDK.Failure) { try await kit.activate() }
    func showEducationalInfo() async throws(ARISEPhoneSDK.Failure) { try await kit.showEducationalInfo() }
    func prepare() async throws(ARISEPhoneSDK.Failure) { try await kit.prepare() }
    func abortTransaction() async throws(ARISEPhoneSDK.Failure) -> Bool { try await kit.abortTransaction() }
    func eventsStream() async throws(ARISEPhoneSDK.Failure) -> AsyncStream<ARISEPhoneSDK.TTPEvent> {
        AsyncStream { $0.finish() }
    }
    func performTransaction(
        amount: SDKDecimal
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        var result = try await kit.performTransaction(amount: amount)
        bend(&result)
        return result
    }
    func performTransaction(
        calculationResult: ARISEPhoneSDK.CalculateAmountResponse, isDebitCard: Bool
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        var result = try await kit.performTransaction(calculationResult: calculationResult, isDebitCard: isDebitCard)
        bend(&result)
        return result
    }
}

/// What the kit's word for the end is worth where the gateway's word, or its name of a transaction, says more.
@Suite struct ARISEKitWordTests {
    private static func told(
        _ till: ARISEKitTill, _ units: Int64 = 1_500,
        _ bend: @escaping @Sendable (inout ARISEPhoneSDK.TTPTransactionResult) -> Void
    ) throws -> String {
        var given = ClientOptions(journal: till.inner.journal)
        (given.clock, given.executor) = (till.scheduler, till.scheduler)
        given.random = SeededRandom(seed: 1)
        let client = try PaymentClient(
            ARISEMobileDriver(till.inner.driver, SilentKit(kit: till.kit, bend: bend)), given)
        return try till.scheduler.run {
            do {
                switch try await ARISEKitTill.sale(client, units) {
                case .approved(let payment): return "approved \(payment.approved.minorUnits)"
                case .declined(let decline): return "declined \(decline.reason)"
                case .cancelled(let cancellation): return "cancelled \(cancellation.cause)"
                case .pending: return "pending"
                }
            } catch let error as PaymentError { return "\(error.code.rawValue) \(error.outcome)" }
        }
    }

    @Test func cancelled_besideTheGatewaysApproval_isLookedUp() throws {
        let till = ARISEKitTill()
        #expect(try Self.told(till) { $0.status = .cancelled } == "approved 1500")
        #expect(till.charged == [1_500])
    }

    @Test func cancelled_withATransactionsName_isLookedUp() throws {
        let till = ARISEKitTill()
        #expect(
            try Self.told(till) { ($0.status, $0.transactionOutcome) = (.cancelled, nil) } == "approved 1500")
        #expect(till.charged == [1_500])
    }

    @Test func cancelled_withATransactionThatIsNotFound_isUnknown() throws {
        let till = ARISEKitTill()
        till.inner.overriding.withLock { hook in
            hook = { $0.method == "GET" && $0.target.contains("/transactions") ? HTTPResponse(503) : nil }
        }
        #expect(try Self.told(till) { $0.status = .cancelled }.hasSuffix(" unknown"))
    }

    /// No document names the unit of the amount: what could be a part is not reported as more than was asked for.
    @Test(arguments: [false, true]) func amount_thatCouldBeAPartInCents_isNotReportedAsMore(isListed: Bool) throws {
        let till = ARISEKitTill()
        if !isListed {
            till.inner.overriding.withLock { hook in
                hook = { $0.method == "GET" && $0.target.contains("/transactions") ? HTTPResponse(503) : nil }
            }
        }
        let told = try Self.told(till, 1_200) { $0.authorizedAmount = "600" }
        #expect(told != "approved 60000")
        #expect(till.charged == [1_200], "\(told)")
    }

    @Test(arguments: ["0", "0.00", "-12.00", "", "12.001", "1e3", "twelve"])
    func amount_thatIsNotBelievable_isNeverReported(_ text: String) throws {
        let till = ARISEKitTill()
        till.inner.overriding.withLock { hook in
            hook = { $0.method == "GET" && $0.target.contains("/transactions") ? HTTPResponse(503) : nil }
        }
        let told = try Self.told(till, 1_200) { $0.authorizedAmount = text }
        #expect(told.hasSuffix(" unknown"), "\(told)")
    }
}

/// The link `kit`: a cancelled wait for a card, whichever end the SDK gives its call, and what is kept of a success.
@Suite struct ARISEKitCancelTests {
    @Test(arguments: SimulatedARISESDK.CancelShape.allCases)
    func wait_cancelledByTheMerchant_isCancelledInEveryShape(_ shape: SimulatedARISESDK.CancelShape) throws {
        var till = ARISEKitTill()
        till.inner.change = { $0.isSoleUser = false }
        till.kit.cancels(as: shape)
        till.inner.reader.present(nil)
        let client = try till.client()
        let (answer, result, wait) = try till.scheduler.run { [scheduler = till.scheduler] in
            let sale = Task(executorPreference: scheduler) { try await ARISEKitTill.sale(client) }
            try await scheduler.sleep(until: scheduler.now + 700)
            let start = scheduler.now
            return (try await client.reader?.cancel(), try? await sale.value, scheduler.now - start)
        }
        var by: Cancellation.Cause?
        if case .cancelled(let cancellation)? = result { by = cancellation.cause }
        #expect(answer == .cancelled && by == .merchant && till.charged.isEmpty)
        // The cancel is said in words, so that no late event is waited for.
        #expect(wait < 1_000, "\(wait)")
    }

    /// A failure without a code, and no event of a cancelled read: unknown.
    @Test func failure_withoutACodeAndWithoutACancel_isUnknown() throws {
        var till = ARISEKitTill()
        till.inner.change = { $0.isSoleUser = false }
        till.kit.play(.loses(.ttp(.transactionFailed(.init(rawValue: ""), "-"))))
        #expect(try till.told() == "providerFailed unknown" && till.charged == [1_500])
    }

    /// The result's amount can't be read: the payment is found by the vendor's own name of it, not by amount and time.
    @Test func approval_withAnUnreadableAmount_isFoundByItsTransaction() throws {
        var till = ARISEKitTill()
        till.inner.change = { $0.isSoleUser = false }
        till.kit.play(.echoes("fifteen"))
        #expect(try till.told() == "approved 1500" && till.charged == [1_500])
    }
}
