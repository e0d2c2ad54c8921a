import NetworkInternationalProvider
import PaymentAbstraction
import PaymentBase
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

/// The link `kit`: what each end of a call is told as.
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
    @Test(arguments: NIPhoneSDK.table.rows) func anErrorBeforeASubmissionIsToldAsTheTableHasIt(_ rule: SDKErrorRule)
        throws
    {
        let till = NIKitTill()
        till.kit.play(.ends(Self.error(rule)))
        let told = try till.told()
        switch rule.outcome {
        case .declined: #expect(told.hasPrefix("declined"))
        case .nothingMoved: #expect(told == "\(rule.cause.rawValue) nothingMoved")
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

    @Test func anErrorThatNobodyListsIsUnknown() throws {
        let till = NIKitTill()
        till.kit.play(.ends(NIPhoneSDK.AppleTapToPaySDKError(999, "somethingNew")))
        #expect(try till.told() == "unreadableReply unknown")
    }

    /// An error that proves nothing, after the platform has approved: the order is found by likeness, by who works alone.
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

    @Test func withoutAnAmountAndWithoutTheOrderNobodyCanTell() throws {
        var till = NIKitTill()
        till.kit.play(.isTerse)
        till.inner.tools.transport = WithoutOrders(inner: till.inner.tools.transport)
        #expect(try till.told() == "unreadableReply unknown")
        #expect(till.charged == [1_500])
    }

    /// What the kit says is set against the order, which knows better.
    @Test func anotherAmountIsNotToldAsDone() throws {
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
        let error = try till.scheduler.run { [scheduler = till.scheduler, kit = till.kit] in
            let sale = Task(executorPreference: scheduler) { try await NIKitTill.sale(client) }
            try await scheduler.sleep(until: scheduler.now + 700)
            await kit.closeScreen()
            do { _ = try await sale.value } catch { return error as? PaymentError }
            return nil
        }
        #expect(error == PaymentError(.readerUnavailable, outcome: .notExecuted) && error?.provider?.code == "530")
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
