import PaymentCore
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import AdyenProvider

/// What can be unclear at a terminal, and how it is settled.
@Suite struct AdyenDoubtTests {
    private func cents(_ units: Int64) -> Money { Money(minorUnits: units, .eur) }

    @Test func aMessageThatWasNotDeliveredIsSentAgainUnderAFreshName() throws {
        let till = AdyenTill()
        let client = try till.client()
        let payment = try till.play { try await client.sale(cents(5_907), from: .reader, reference: "o").payment }
        #expect(payment?.approved == cents(5_907))
        #expect(till.backend.ledger.movements.count == 1)
        #expect(till.backend.repeatedNames == 0)
    }

    @Test func noAnswerFromTheTerminalIsUnknownUntilItIsAsked() throws {
        let till = AdyenTill()
        let client = try till.client()
        let (payment, kinds) = try till.play {
            let payment = try await client.sale(cents(5_908), from: .reader, reference: "o").payment
            guard let payment else { return (nil as Payment?, [PaymentEvent.Kind]()) }
            return (payment as Payment?, try await client.timeline(of: payment.id).map(\.kind))
        }
        #expect(payment != nil)
        #expect(kinds.contains(.lookedUp))
        #expect(till.backend.ledger.movements.count == 1)
    }

    /// The three families, as the cloud words them: what each proves, and how often the payment went out.
    @Test(arguments: [
        ("Failed+to+send+message+to+POI.+There+may+be+a+network+issue", PaymentError.Outcome.notExecuted, false),
        ("Input+is+not+a+JSONObject", .notExecuted, true),
        ("Empty+input+which+would+have+resulted+in+a+null+result.", .notExecuted, true),
        ("Did+not+receive+a+response+from+the+POI.", .unknown, true),
        ("Something+else", .unknown, true),
    ])
    func eachFamilyOfRejectionsProvesWhatItSays(
        _ words: String, _ outcome: PaymentError.Outcome, _ isSentOnce: Bool
    ) throws {
        let till = AdyenTill()
        let sent = Locked(0)
        let line = HookTransport(till.transport) { request, next throws(TransportFailure) in
            let category = NexoMessage(try? JSONReader().read(request.body))?.header.category
            if category == .diagnosis { return try await next(request) }
            if category == .payment { sent.withLock { $0 += 1 } }
            let answer: JSON = [
                "SaleToPOIRequest": [
                    "MessageHeader": ["MessageCategory": "Event", "MessageType": "Notification"],
                    "EventNotification": ["EventToNotify": "Reject", "EventDetails": .string("message=" + words)],
                ]
            ]
            return HTTPResponse(200, body: answer.bytes())
        }
        let client = try till.client(over: line)
        let result = Result { try till.play { try await client.sale(cents(5_000), from: .reader, reference: "o") } }
        guard case .failure(let error as PaymentError) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error.outcome == outcome)
        #expect((sent.withLock { $0 } == 1) == isSentOnce)
    }

    /// The terminal still works on the payment: a person who says that nothing was executed has to name it.
    @Test func notExecuted_whileTheTerminalIsBusyWithIt_isRefusedUntilItIsNamed() throws {
        let till = AdyenTill()
        #expect(till.backend.play("adyen.status.long.for-ever"))
        let client = try till.client()
        let attempt = try AttemptID("a-1")
        let resolve = { @Sendable (besides: [String]) async -> String in
            do throws(PaymentError) {
                let word = ManualResolution.notExecuted(besides: besides)
                return try await client.resolve(attempt, as: word, reason: "not on the slip").state.rawValue
            } catch { return error.detail }
        }
        let (refused, recorded) = try till.play { [scheduler = till.scheduler] in
            _ = try? await client.sale(cents(5_908), from: .reader, reference: "o", attempt: attempt)
            try await scheduler.sleep(until: scheduler.now + 3_600_000)
            return (await resolve([]), await resolve(["a-1"]))
        }
        #expect(refused.contains("It could be one of a-1"), "\(refused)")
        #expect(recorded == "notExecuted", "\(recorded)")
    }

    @Test func anUnreachableTerminalMovesNothing() throws {
        let till = AdyenTill()
        till.backend.setReachable(false)
        let client = try till.client()
        #expect(throws: PaymentError(.providerUnavailable, outcome: .notExecuted)) {
            try till.play { _ = try await client.sale(cents(5_000), from: .reader, reference: "o") }
        }
    }

    @Test func aTerminalThatIsBusyWithAnotherTillIsNoDecline() throws {
        let till = AdyenTill()
        till.backend.present(nil)
        let (one, two) = (try till.client(), try till.client { $0.saleID = "TILL-2" })
        let result: Result<PaymentResult, any Error> = try till.play { [scheduler = till.scheduler] in
            let waiting = Task(executorPreference: scheduler) {
                try await one.sale(cents(5_000), from: .reader, reference: "one")
            }
            try await scheduler.sleep(until: scheduler.now + 500)
            let second = Task(executorPreference: scheduler) {
                try await two.sale(cents(6_000), from: .reader, reference: "two")
            }
            let result = await second.result
            till.backend.present(AdyenSimulator.Card())
            _ = try await waiting.value
            return result
        }
        #expect(throws: PaymentError(.readerBusy, outcome: .notExecuted)) { try result.get() }
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [5_000])
    }

    /// Aborts at every moment of a payment: the answer, the result and the books always agree.
    @Test(arguments: (Int64(1)...60).map { $0 * 50 })
    func anAbortThatRacesTheApprovalNeverLies(_ moment: Int64) throws {
        let till = AdyenTill()
        let client = try till.client()
        let (answer, result) = try till.play { [scheduler = till.scheduler] in
            try await client.reader?.prepare()
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(cents(5_000), from: .reader, reference: "o")
            }
            try await scheduler.sleep(until: scheduler.now + moment)
            let answer = try await client.reader?.cancel()
            return (answer, try await sale.value)
        }
        let moved = till.backend.ledger.movements.count
        switch answer {
        case .cancelled:
            #expect(result.payment == nil)
            #expect(moved == 0)
        case .tooLate, .nothingToCancel:
            #expect(result.payment != nil)
            #expect(moved == 1)
        case nil: Issue.record("there is no reader")
        }
    }

    /// The line breaks while the terminal is at work: the abort reaches it, and the terminal says what became of it.
    @Test(arguments: [false, true]) func cancel_afterALostReply_isAnsweredByTheTerminal(_ hasCard: Bool) throws {
        let till = AdyenTill()
        if !hasCard { till.backend.present(nil) }
        let (scheduler, inner) = (till.scheduler, till.transport)
        let line = HookTransport(inner) { request, next throws(TransportFailure) in
            let category = NexoMessage(try? JSONReader().read(request.body))?.header.category
            guard category == .payment else { return try await next(request) }
            Task(executorPreference: scheduler) { _ = try? await inner.send(request) }
            try? await scheduler.sleep(until: scheduler.now + 1_000)
            throw .maybeSent(.connectionReset)
        }
        let client = try till.client(over: line)
        let (answer, payment) = try till.play {
            try await client.reader?.prepare()
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(cents(5_000), from: .reader, reference: "o")
            }
            try await scheduler.sleep(until: scheduler.now + 2_000)
            let answer = try await client.reader?.cancel()
            return (answer, try? await sale.value.payment)
        }
        #expect(answer == (hasCard ? .tooLate : .cancelled))
        #expect((payment != nil) == hasCard)
        #expect(till.backend.ledger.movements.count == (hasCard ? 1 : 0))
    }

    @Test func aStatusInTheMiddleOfAPaymentDecidesNothing() throws {
        let till = AdyenTill()
        till.backend.present(nil)
        var rule = FaultRule(.replyLost)
        rule.skip = 1
        till.plan.arm(rule)
        let client = try till.client { $0.link = .cloudAsync }
        let result = try till.play { [scheduler = till.scheduler] in
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(cents(5_000), from: .reader, reference: "o")
            }
            try await scheduler.sleep(until: scheduler.now + 40_000)
            till.backend.present(AdyenSimulator.Card())
            return try await sale.value
        }
        #expect(result.payment?.approved == cents(5_000))
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func anOfflineApprovalIsDistinguishedAndIsCancelledByOurOwnName() throws {
        let till = AdyenTill()
        let client = try till.client()
        let (payment, undone) = try till.play {
            let payment = try await client.sale(cents(5_909), from: .reader, reference: "o").payment
            guard let payment else { throw PaymentError(.conflict, outcome: .unknown) }
            _ = try await client.void(payment.id, attempt: try AttemptID("undo"))
            try await till.scheduler.sleep(until: till.scheduler.now + 60_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
            return (payment, try await client.payment(payment.id).amounts.isVoided)
        }
        #expect(payment.isOffline)
        #expect(payment.references["psp"] == nil)
        #expect(payment.receipt?.authorizationCode == "123456" || payment.receipt?.authorizationCode == "98765")
        #expect(undone)
    }

    // MARK: Webhooks

    /// A refund, its success and its later failure, in every order and each twice: what holds in the end is the same.
    @Test(arguments: [[0, 1], [1, 0], [0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
    func messagesInAnyOrderGiveOneEnd(_ order: [Int]) throws {
        let till = AdyenTill()
        let client = try till.client()
        let amounts = try till.play { [scheduler = till.scheduler] in
            let payment = try await client.sale(cents(5_000), from: .reader, reference: "o").payment
            guard let payment else { throw PaymentError(.conflict, outcome: .unknown) }
            _ = till.backend.takeMessages()
            _ = try await client.refund(payment.id, of: cents(2_000), attempt: try AttemptID("back"))
            try await scheduler.sleep(until: scheduler.now + 60_000)
            let done = till.backend.takeMessages()
            try await scheduler.sleep(until: scheduler.now + 60_000)
            guard let failed = till.backend.failLater("back"), let first = done.first else {
                throw PaymentError(.conflict, outcome: .unknown)
            }
            try await till.deliver(order.map { [first, failed][$0] }, to: client)
            return try await client.payment(payment.id).amounts
        }
        #expect(amounts.refunded.isZero)
        #expect(amounts.refundable == cents(5_000))
    }

    @Test func aWebhookBeforeTheReplyIsTheSameAsAfterIt() throws {
        let till = AdyenTill()
        var rule = FaultRule(.replyLate)
        (rule.skip, rule.delayMilliseconds) = (1, 30_000)
        till.plan.arm(rule)
        let client = try till.client()
        let (early, late) = try till.play { [scheduler = till.scheduler] in
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(cents(5_000), from: .reader, reference: "o", attempt: try AttemptID("a-1"))
            }
            try await scheduler.sleep(until: scheduler.now + 10_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
            let early = try await sale.value
            try await scheduler.sleep(until: scheduler.now + 60_000)
            return (early, try await client.status(try AttemptID("a-1")))
        }
        #expect(early.payment?.approved == cents(5_000))
        #expect(late.payment?.id == early.payment?.id)
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func aWebhookAfterTheReplyChangesNothingHoweverOftenItComes() throws {
        let till = AdyenTill()
        let client = try till.client()
        let (before, after) = try till.play {
            _ = try await client.sale(cents(5_000), from: .reader, reference: "o", attempt: try AttemptID("a-1"))
            let attempt = try AttemptID("a-1")
            let before = try await till.journal.record(attempt)
            let posted = till.backend.takeMessages()
            try await till.deliver(posted + posted + posted, to: client)
            return (before, try await till.journal.record(attempt))
        }
        #expect(before?.evidence == .reply)
        #expect(after?.approval?.amount == before?.approval?.amount)
        #expect(after?.reports.count == 2, "it is written once")
        #expect(after?.isContradicted == false)
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func aWebhookInsteadOfTheReplySettles() throws {
        let till = AdyenTill()
        var rule = FaultRule(.replyLost, times: 60)
        rule.skip = 1
        till.plan.arm(rule)
        let client = try till.client()
        let state = try till.play {
            _ = try? await client.sale(cents(5_000), from: .reader, reference: "o", attempt: try AttemptID("a-1"))
            try await till.deliver(till.backend.takeMessages(), to: client)
            return try await till.journal.record(try AttemptID("a-1"))
        }
        #expect(state?.evidence?.kind == .webhook)
        #expect(state?.approval?.amount == cents(5_000))
        #expect(state?.approval?.references["transaction"]?.contains(".") == true)
    }

    /// The terminal repeats that it received the refund; what became of it, a webhook alone says.
    @Test(arguments: [AdyenConfiguration.Integration.cloudSync, .cloudAsync, .local])
    func refundToACard_refusedByWebhook_isDeclined(_ link: AdyenConfiguration.Integration) throws {
        let till = AdyenTill()
        let client = try till.client { $0.link = link }
        let id = try AttemptID("back-1")
        let (before, after) = try till.play { [scheduler = till.scheduler] in
            let request = UnlinkedRefundRequest(cents(2_000), to: .reader, reference: "return-1")
            _ = try await client.refundUnlinked(request, attempt: id)
            let before = try await till.journal.record(id)?.state
            let refused = try #require(till.backend.decide(id.text, succeeds: false))
            try await till.deliver([refused], to: client)
            try await scheduler.sleep(until: scheduler.now + 10_000)
            return (before, try await till.journal.record(id)?.state)
        }
        #expect(before == .pending && after == .declined, "\(String(describing: after))")
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func oneBadItemDoesNotPoisonTheOthers() throws {
        let till = AdyenTill()
        let client = try till.client()
        let (notices, refunded) = try till.play { [scheduler = till.scheduler] in
            let payment = try await client.sale(cents(5_000), from: .reader, reference: "o").payment
            guard let payment else { throw PaymentError(.conflict, outcome: .unknown) }
            _ = till.backend.takeMessages()
            _ = try await client.refund(payment.id, of: cents(2_000), attempt: try AttemptID("back"))
            try await scheduler.sleep(until: scheduler.now + 60_000)
            guard let body = till.backend.takeMessages().first?.body, let json = try? JSONReader().read(body),
                let item = json["notificationItems"]?[0]
            else { throw PaymentError(.conflict, outcome: .unknown) }
            let forged: JSON = ["NotificationRequestItem": ["eventCode": "REFUND", "pspReference": "P"]]
            let both: JSON = ["live": "false", "notificationItems": [forged, item]]
            let notices = try await client.receiveWebhook(both.bytes(), from: "adyen")
            return (notices, try await client.payment(payment.id).amounts.refunded)
        }
        #expect(notices.notices.allSatisfy { $0.kind == "CANCEL_OR_REFUND" })
        #expect(refunded == cents(2_000))
    }
}

/// What the documents leave open, and what the adapter makes of it.
@Suite struct AdyenReadingTests {
    private func cents(_ units: Int64) -> Money { Money(minorUnits: units, .eur) }

    /// The adapter's list is written beside the adapter, the sandbox's beside the simulated company: the same places,
    /// and the adapter takes for granted what is played when nothing is named.
    @Test func whatTheAdapterTakesForGrantedIsWhatIsPlayed() {
        let assumed = ProviderDefinition.adyen.assumptions.map(\.id)
        let usual = AdyenSimulator.readings.filter(\.isUsual).map(\.id)
        #expect(Set(assumed) == Set(usual))
        #expect(assumed.count == usual.count)
    }

    @Test func everySettingThatIsNamedIsThere() {
        let keys = Set(ProviderDefinition.adyen.settings.map(\.key) + ProviderDefinition.adyen.credentials.map(\.key))
        for one in ProviderDefinition.adyen.assumptions {
            // Settings of the provider's say whose they are.
            guard let setting = one.setting, !setting.contains("(") else { continue }
            #expect(keys.contains(setting), "\(one.id) names \(setting)")
        }
    }

    @Test(arguments: [Int64(704), 409]) func idempotencyKey_alreadyUsed_isMaybeSent(_ number: Int64) {
        let row = ErrorTable.adyen[String(number)]
        #expect(row?.delivery == .maybeSent)
    }

    /// When the items below arrive, shortly after their date.
    private static let arrival: Int64 = 1_767_607_260_000

    private func item(_ code: String, _ more: JSONObject = [:], success: String = "true") throws -> NotificationItem {
        var item: JSONObject = [
            "eventCode": .string(code), "pspReference": "8815000000000002", "merchantReference": "a-1",
            "merchantAccountCode": "TestMerchant", "success": .string(success), "eventDate": "2026-01-05T10:00:00Z",
            "amount": ["currency": "EUR", "value": 5_000],
        ]
        for member in more.members { item[member.key] = member.value }
        return try #require(NotificationItem(.object(item)))
    }

    @Test func aRefusedChargeOfASavedCardIsFinalAndOneAtATerminalIsAHint() throws {
        let saved = try item("AUTHORISATION", ["additionalData": ["shopperInteraction": "ContAuth"]], success: "false")
        let notices = AdyenNotices.notices(saved, at: Self.arrival, canAsk: true)
        #expect(notices.contains { if case .declined? = $0.verdict { true } else { false } })
        let terminal = try item("AUTHORISATION", success: "false")
        #expect(AdyenNotices.notices(terminal, at: Self.arrival, canAsk: true).allSatisfy { $0.verdict == nil })
    }

    /// It carries no key, so that the refused one may be the second copy of one that was carried out.
    @Test func aRefusedReversalIsDecidedByItsOwnNameAlone() throws {
        let refused = try item("CANCEL_OR_REFUND", ["originalReference": "8815000000000001"], success: "false")
        let notices = AdyenNotices.notices(refused, at: Self.arrival, canAsk: false)
        #expect(notices.allSatisfy { !$0.isAttempt && $0.original != nil })
        let meanings = notices.filter {
            if case .reference(_, let known) = $0.subject { known.contains(.refund) } else { false }
        }
        #expect(!meanings.isEmpty && meanings.allSatisfy { $0.verdict != nil })
        let done = try item("CANCEL_OR_REFUND", ["originalReference": "8815000000000001"])
        #expect(
            AdyenNotices.notices(done, at: Self.arrival, canAsk: false).contains { $0.isAttempt && $0.verdict != nil })
    }

    /// The name that our reply gave may be the copy's, whose refusal says that the first one left nothing.
    @Test(arguments: [
        ("Insufficient balance on payment", Decline.Reason.duplicate), ("Refused by the issuer", .declinedByProvider),
    ]) func reversalRefusedForBalance_underOurName_decidesNothing(_ reason: String, _ expected: Decline.Reason) throws {
        let refused = try item(
            "CANCEL_OR_REFUND", ["originalReference": "8815000000000001", "reason": .string(reason)], success: "false")
        let declines = AdyenNotices.notices(refused, at: Self.arrival, canAsk: false).compactMap {
            if case .declined(let decline)? = $0.verdict { decline.reason } else { nil }
        }
        #expect(!declines.isEmpty && declines.allSatisfy { $0 == expected })
    }

    @Test func aChargeOfASavedCardThatIsRefusedByWebhookEnds() throws {
        let till = AdyenTill()
        #expect(till.backend.play("adyen.saved.result.received"))
        let client = try till.client()
        let id = AdyenMapping.instrument(AdyenSimulator.savedInstrument, AdyenSimulator.savedCustomer)
        let state = try till.play { [scheduler = till.scheduler] in
            let attempt = try AttemptID("a-1")
            _ = try? await client.sale(cents(5_124), from: .saved(id), reference: "o", attempt: attempt)
            try await scheduler.sleep(until: scheduler.now + 1_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
            return try await till.journal.record(attempt)?.state
        }
        #expect(state == .declined)
    }

    /// Auto Rescue: the provider charges the card again on its own, for up to a month.
    @Test(arguments: ["8815000000000001", ""]) func savedCharge_refusedAndTriedAgain_isPending(_ name: String) throws {
        func verdict(_ isScheduled: String) throws -> Verdict {
            let reply: JSON = [
                "resultCode": "Refused", "pspReference": .string(name), "refusalReason": "Not enough balance",
                "refusalReasonCode": "12", "additionalData": ["retry.rescueScheduled": .string(isScheduled)],
            ]
            return try AdyenMapping.verdict(SavedPaymentReply(reply), nil, asked: cents(1_000))
        }
        let said = try verdict("true")
        guard case .pending(let pending) = said else {
            Issue.record("it is \(said)")
            return
        }
        #expect(pending.references[AdyenMapping.Name.psp] ?? "" == name && !pending.shouldPoll)
        guard case .declined = try verdict("false") else {
            Issue.record("it is not declined")
            return
        }
    }

    @Test func refusalThatIsTriedAgain_isAHint() throws {
        func verdicts(_ isScheduled: String) throws -> [Verdict] {
            let more: JSON = ["shopperInteraction": "ContAuth", "retry.rescueScheduled": .string(isScheduled)]
            let refused = try item("AUTHORISATION", ["additionalData": more], success: "false")
            return AdyenNotices.notices(refused, at: Self.arrival, canAsk: false).compactMap(\.verdict)
        }
        #expect(try verdicts("true").isEmpty)
        #expect(try !verdicts("false").isEmpty)
    }

    /// The provider's own tries are over: what was pending is declined. That they succeeded, or could not be stopped, declines
    /// nothing.
    @Test(arguments: [("AUTORESCUE", "false"), ("CANCEL_AUTORESCUE", "true")])
    func savedCharge_whoseTriesAreOver_isDeclined(_ code: String, _ success: String) throws {
        let till = AdyenTill()
        #expect(till.backend.play("adyen.saved.result.tried-again"))
        let client = try till.client()
        let id = AdyenMapping.instrument(AdyenSimulator.savedInstrument, AdyenSimulator.savedCustomer)
        func message(_ success: String) throws -> [UInt8] {
            let item: JSON = [
                "eventCode": .string(code), "pspReference": "8815000000000009", "merchantReference": "a-1",
                "merchantAccountCode": .string(till.configuration.merchant), "success": .string(success),
                "eventDate": "2026-01-05T10:00:00Z", "amount": ["currency": "EUR", "value": 5_124],
            ]
            let text = try #require(NotificationItem(item)).signedText
            let proof = try #require(AdyenHMAC.signature(Array(text.utf8), till.backend.webhookKey, OpenSSLCrypto()))
            let signed = item.adding("additionalData", ["hmacSignature": .string(Base64.standard.encode(proof))])
            let body: JSON = ["live": "false", "notificationItems": [.object(["NotificationRequestItem": signed])]]
            return body.bytes()
        }
        let messages = [try message(success == "true" ? "false" : "true"), try message(success)]
        let states: [Attempt.State?] = try till.play {
            let attempt = try AttemptID("a-1")
            _ = try await client.sale(cents(5_124), from: .saved(id), reference: "o", attempt: attempt)
            var states: [Attempt.State?] = []
            for message in messages {
                try await client.receiveWebhook(message, headers: [:], from: "adyen")
                states.append(try await till.journal.record(attempt)?.state)
            }
            return states
        }
        #expect(states == [.pending, .declined])
    }

    @Test(arguments: [true, false]) func savedCharge_triedAgain_endsAsTheLastTry(_ succeeds: Bool) throws {
        let till = AdyenTill()
        #expect(till.backend.play("adyen.saved.result.tried-again\(succeeds ? "" : "-in-vain")"))
        let client = try till.client()
        let id = AdyenMapping.instrument(AdyenSimulator.savedInstrument, AdyenSimulator.savedCustomer)
        let states: [Attempt.State?] = try till.play { [scheduler = till.scheduler] in
            let attempt = try AttemptID("a-1")
            _ = try await client.sale(cents(5_124), from: .saved(id), reference: "o", attempt: attempt)
            try await till.deliver(till.backend.takeMessages(), to: client)
            let early = try await till.journal.record(attempt)?.state
            try await scheduler.sleep(until: scheduler.now + 60_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
            return [early, try await till.journal.record(attempt)?.state]
        }
        let due: [Attempt.State?] = [.pending, succeeds ? .approved : .declined]
        #expect(states == due)
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == (succeeds ? [5_124] : []))
    }

    @Test(arguments: [("EXPIRE", PaymentOperation.authorize), ("CAPTURE_FAILED", .sale), ("CAPTURE_FAILED", .capture)])
    func laterFailure_isRecorded(_ code: String, _ operation: PaymentOperation) throws {
        let notices = AdyenNotices.notices(
            try item(code, ["originalReference": "8815000000000001"]), at: Self.arrival, canAsk: true)
        #expect(notices.allSatisfy { $0.operations?.contains(operation) ?? true })
        let declined = notices.compactMap { notice -> Decline.Reason? in
            if case .declined(let decline)? = notice.verdict { return decline.reason }
            return nil
        }
        #expect(declined.contains(.failedAfterApproval))
    }

    /// It is later than what it takes back, also for a machine whose clock is an hour behind.
    @Test(arguments: ["CANCEL_OR_REFUND", "VOID_PENDING_REFUND", "REFUND_FAILED"])
    func whatTakesBack_takenByAClockThatIsBehind_hasItsDate(_ code: String) throws {
        let taken = try item(code, ["originalReference": "8815000000000001"])
        let notices = AdyenNotices.notices(taken, at: Self.arrival - 3_600_000, canAsk: false)
        let taking = notices.filter { notice in
            switch notice.verdict {
            case .declined?, .cancelled?: true
            case .approved?, .pending?, nil: false
            }
        }
        let times = taking.map(\.at)
        #expect(!times.isEmpty && times.allSatisfy { $0 == Self.arrival - 60_000 }, "\(times)")
    }

    @Test func twoFiguresThatDifferAreNoApproval() throws {
        let till = AdyenTill()
        #expect(till.backend.play("adyen.tip.beside-the-amount"))
        let client = try till.client()
        let (error, after) = try till.play { [scheduler = till.scheduler] in
            let attempt = try AttemptID("a-1")
            var error: PaymentError?
            do {
                _ = try await client.sale(cents(5_000), from: .reader, reference: "o", attempt: attempt)
            } catch let failure as PaymentError { error = failure }
            try await scheduler.sleep(until: scheduler.now + 1_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
            return (error, try await till.journal.record(attempt)?.approval?.amount)
        }
        #expect(error?.outcome == .unknown)
        #expect(error?.detail.contains("gratuities") == true, "\(error?.detail ?? "")")
        #expect(after == cents(6_000), "the webhook says what was charged")
    }
}

extension ProviderNotice {
    /// Whether it names one of our attempts by our own name.
    fileprivate var isAttempt: Bool { if case .attempt = subject { true } else { false } }
}

/// The cloud refuses a payment that it hands on to the terminal later.
@Suite struct AdyenGatewayTests {
    /// How long the cloud keeps the first payment after it has refused it, in milliseconds: less than the quiet time.
    private static let lagMilliseconds: Int64 = 100_000

    /// A line whose first payment is refused for too many requests, and comes to the terminal late.
    private static func line(_ till: AdyenTill, _ payments: Locked<[[UInt8]]>) -> HookTransport {
        HookTransport(till.transport) {
            [scheduler = till.scheduler, transport = till.transport] request, next throws(TransportFailure) in
            guard NexoMessage(try? JSONReader().read(request.body))?.header.category == .payment else {
                return try await next(request)
            }
            let isFirst = payments.withLock { payments in
                payments.append(request.body)
                return payments.count == 1
            }
            guard isFirst else { return try await next(request) }
            let end = scheduler.now + Self.lagMilliseconds
            Task(executorPreference: scheduler) {
                try await scheduler.sleep(until: end)
                _ = try await transport.send(request)
            }
            return HTTPResponse(429, headers: ["Content-Type": "text/html"], body: Array("<h1>429</h1>".utf8))
        }
    }

    /// What a terminal posts on its own: it names an attempt and proves nothing.
    private static func hint(_ attempt: String) -> [UInt8] {
        Array(
            """
            {"SaleToPOIResponse":{"MessageHeader":{"ProtocolVersion":"3.0","MessageClass":"Service","MessageCategory":\
            "Payment","MessageType":"Response","ServiceID":"1","SaleID":"X","POIID":"\(AdyenSimulator.terminal)"},\
            "PaymentResponse":{"Response":{"Result":"Failure","ErrorCondition":"Refusal"},"SaleData":\
            {"SaleTransactionID":{"TransactionID":"\(attempt)","TimeStamp":"2026-01-05T09:15:00.000Z"}}}}}
            """.utf8)
    }

    @Test(arguments: [Int64?.none, 1_000, 60_000])
    func payment_refusedByTheCloudAndHintedAt_isNotSentAgainBeforeTheQuietTime(hintAfter: Int64?) throws {
        let (till, payments) = (AdyenTill(), Locked([[UInt8]]()))
        let client = try till.client(over: Self.line(till, payments))
        let told: String = try till.play { [scheduler = till.scheduler] in
            let attempt = try AttemptID("late-1")
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(
                    Money(minorUnits: 1_500, .eur), from: .reader, reference: "o-1", attempt: attempt)
            }
            if let hintAfter {
                try await scheduler.sleep(until: scheduler.now + hintAfter)
                try await client.receiveWebhook(Self.hint("late-1"), from: "adyen")
            }
            let told: String
            do { told = "\(try await sale.value.payment?.approved.minorUnits ?? 0)" } catch { told = "\(error)" }
            try await scheduler.sleep(until: scheduler.now + 300_000)
            return told
        }
        #expect(payments.withLock { $0.count } == 1)
        #expect(till.backend.ledger.movements.map(\.amount.minorUnits) == [1_500], "\(told)")
    }
}
