public import PaymentMobileSDKs
public import PaymentProviderKit

/// Halo on a phone: the vendor's kit reads the card, asks for the PIN and submits, all in one call.
///
/// A submission can't be held back, so that the whole call is one send: written down before it, ended by its answer.
/// What became of a payment is asked of the provider's server, where originals are refunded as well.
public struct HaloMobileDriver: MobileSDKDriver {
    /// The same account by its server.
    public let apiDriver: HaloDriver
    let kit: any HaloPhoneSDK.SDK
    let watch = HaloEventMonitor()

    /// How long a customer may take to present a card, in milliseconds; no document names a limit.
    static let untilTapMilliseconds: Int64 = 120_000
    /// How long the kit's call takes at most: card data and PIN that are older are refused by the server.
    static let callMilliseconds =
        untilTapMilliseconds + HaloDriver.pinMilliseconds + HaloDriver.tapMilliseconds
        + HaloDriver.clockSkewMilliseconds

    /// How long after the end of a call its steps may still come, in milliseconds: no document names their thread.
    static let lateStepsMilliseconds: Int64 = 2_000

    /// Makes a driver that pays with a kit, and asks and refunds through another's server.
    public init(_ driver: HaloDriver, _ kit: any HaloPhoneSDK.SDK) {
        var office = driver
        office.untilTapMilliseconds = Self.untilTapMilliseconds
        (self.apiDriver, self.kit) = (office, kit)
    }

    public var capabilities: Capabilities {
        // A vendor's SDK whose process is dead sends nothing after so long.
        var takes = apiDriver.capabilities.limited(to: Self.callMilliseconds)
        takes.usesProviderTerminal = true
        return takes
    }

    public func classify(_ error: any Error) -> RequestFailure {
        guard let error = error as? HaloPhoneSDK.HaloError else { return apiDriver.classify(error) }
        return RequestFailure(Self.failure(error))
    }
}

extension HaloMobileDriver: SaleDriver, UnlinkedRefundDriver {
    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await tap(request.amount, .purchase, apiDriver.name(request.reference, context), context)
    }

    public func refundUnlinked(_ request: UnlinkedRefundRequest, _ context: PaymentContext) async throws -> Verdict {
        try await tap(request.amount, .refund, apiDriver.name(request.reference, context), context)
    }

    private func tap(
        _ amount: Money, _ type: HaloPhoneSDK.HaloTransactionType, _ own: String, _ context: PaymentContext
    ) async throws -> Verdict {
        try await context.atTerminal {
            let call = watch.calls.begin(context, .init())
            var isCancelled = false
            defer { watch.calls.end(call, isCancelled: isCancelled) }
            let said: Verdict
            do throws(PaymentError) {
                said = try await context.exchange(.visible) { _ in
                    let result = await context.outlasting(Self.callMilliseconds) {
                        await kit.startContactlessPayment(
                            amountMinor: amount.minorUnits, currency: amount.currency.code,
                            merchantReference: own,
                            passthroughFields: .init(json: apiDriver.configuration.passthroughFields ?? "{}"),
                            type: type)
                    }
                    await lateSteps(of: result, call, context)
                    return try judged(result, watch.calls.seen(call) ?? .init(), own)
                }
            } catch {
                guard error.outcome == .unknown, let verdict = await recorded(own, amount, context) else { throw error }
                return verdict
            }
            if case .cancelled = said { isCancelled = true }
            return try await completed(said, amount, own, context)
        }
    }

    /// Waits for steps that come after the end of a call that says that nothing moved: one of them may be a submission.
    private func lateSteps(
        of result: HaloPhoneSDK.HaloPaymentResult, _ call: Int, _ context: PaymentContext
    ) async {
        guard case .declined(let code?, _) = result else { return }
        let end = context.uptime + Self.lateStepsMilliseconds
        while context.uptime < end, !Task.isCancelled, watch.calls.seen(call)?.restsOnSilence(code) == true {
            await context.pause(until: context.now + end - context.uptime)
        }
    }

    /// What the kit leaves out, from the record: the issuer's reason for a decline, and an amount beyond doubt.
    private func completed(
        _ said: Verdict, _ asked: Money, _ own: String, _ context: PaymentContext
    ) async throws(PaymentError) -> Verdict {
        switch said {
        case .approved(let approval):
            context.emit(.cardRead)
            if approval.amount == asked { return .approved(try await wholeOrPart(approval, own, context)) }
            try await apiDriver.expect(approval, called: "transaction", context)
        case .declined:
            guard let record = try? await apiDriver.finished(own, context.query),
                let verdict = try? HaloMapping.verdict(record, .sale, apiDriver.configuration.recordAmounts)
            else { return said }
            if case .declined = verdict { return verdict }
            throw PaymentError.unknown(.mismatch, "the kit says declined, and the record says \(record.disposition)")
        case .cancelled, .pending: break
        }
        return said
    }

    /// An approval whose receipt has the amount that was asked for. The receipt has no issuer's code and may repeat the
    /// request, so that the record says whether it is about a part; where no record is shown, the receipt counts.
    private func wholeOrPart(
        _ approval: Approval, _ own: String, _ context: PaymentContext
    ) async throws(PaymentError) -> Approval {
        // An answer about another payment says nothing: the record is read once more. Where the line fails, the receipt counts.
        var found: HaloRecord?
        do {
            found = try await apiDriver.finished(own, context.query)
            if found == nil { found = try await apiDriver.finished(own, context.query) }
        } catch { return approval }
        guard let record = found, HaloMapping.isPart(record) else { return approval }
        guard let part = HaloMapping.money(record, apiDriver.configuration.recordAmounts),
            part.currency == approval.amount.currency, part.minorUnits < approval.amount.minorUnits
        else { throw .unknown(.mismatch, "a part was approved, and the record doesn't say how much it is") }
        var known = Approval(
            part, references: approval.references, card: approval.card, receipt: approval.receipt)
        known.isPartial = true
        return known
    }

    /// What the record says where the kit's end says nothing: that money moved, or that the provider decides later. That
    /// nothing moved is for the lookups to prove, after silence.
    private func recorded(_ own: String, _ asked: Money, _ context: PaymentContext) async -> Verdict? {
        guard let record = try? await apiDriver.finished(own, context.query),
            let verdict = try? HaloMapping.verdict(record, .sale, apiDriver.configuration.recordAmounts)
        else { return nil }
        switch verdict {
        // A part over the whole amount: the record does not say how much it is.
        case .approved(let part) where part.isPartial && part.amount.minorUnits >= asked.minorUnits: return nil
        case .approved, .pending: return verdict
        case .declined, .cancelled: return nil
        }
    }

    /// What the kit's answer says, by the outcome table of the kit.
    private func judged(
        _ result: HaloPhoneSDK.HaloPaymentResult, _ seen: HaloEventMonitor.Seen, _ own: String
    ) throws(PaymentError) -> Verdict {
        switch result {
        case .approved(let receipt): return .approved(try Self.approval(receipt, own))
        case .declined(let code, let message):
            let said = ProviderMessage(code: code?.rawValue ?? "", message: message ?? "")
            let rule = code.flatMap {
                HaloPhoneSDK.table.rule(for: $0.rawValue, in: HaloPhoneSDK.Call.startContactlessPayment)
            }
            if code == .notInitialized || code?.rawValue == "notInitialized" { watch.calls.tell(.notReady) }
            switch seen.outcome(of: code) {
            case .declined:
                return .declined(Decline(seen.wantsPIN ? .pinRequired : .declinedByProvider, provider: said))
            case .notExecuted where rule?.cause == .cancelled:
                return .cancelled(Cancellation(cause: seen.wantsCancel ? .merchant : .customer, provider: said))
            case .notExecuted:
                throw PaymentError(rule, .notExecuted, said)
            case .unknown:
                throw PaymentError(rule, .unknown, said)
            }
        }
    }

    private static func approval(_ receipt: HaloPhoneSDK.HaloReceipt, _ own: String) throws(PaymentError)
        -> Approval
    {
        guard receipt.reference == own else {
            throw PaymentError.unknown(.mismatch, "the receipt is about another reference")
        }
        guard let currency = Currency.known(receipt.currency) else {
            throw PaymentError.unknown(.unreadableReply, "the receipt names no currency that is known")
        }
        var paper = Receipt()
        (paper.authorizationCode, paper.at) = (receipt.authCode, receipt.approvedAt)
        var card = CardSummary(brand: receipt.cardBrand, last4: receipt.last4)
        card.entry = "contactless"
        let amount = try Money(minorUnits: receipt.amountMinor, currency).believable()
        return Approval(
            amount, references: ["transaction": receipt.transactionId], card: card, receipt: paper)
    }

    /// An error of the kit's life, outside payments: no money is in it.
    static func failure(_ error: HaloPhoneSDK.HaloError) -> PaymentError {
        let rule = HaloPhoneSDK.table.rule(for: error.name, in: HaloPhoneSDK.Call.initialize)
        return PaymentError(rule, .notExecuted, ProviderMessage(code: error.name, message: error.words))
    }
}

extension HaloPhoneSDK.HaloError {
    /// Why the SDK or its reader failed, where the error says it.
    fileprivate var reason: HaloPhoneSDK.HaloReason? {
        switch self {
        case .deviceNotSupported(let reason), .networkError(let reason), .accountLinkingError(let reason),
            .tokenError(let reason, _), .readerError(let reason, _), .locationError(let reason):
            reason
        case .notInitialized, .deviceNotCompliant, .paymentInProgress, .authTokenUnauthorized, .userCancelled,
            .cardDeclined, .offlineDeclined, .cardNotSupported, .other:
            nil
        }
    }

    /// The reason with its detail, as the SDK has them.
    fileprivate var words: String {
        switch self {
        case .tokenError(let reason, let detail), .readerError(let reason, let detail):
            [reason.rawValue, detail ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
        case .other(_, let description): description
        default: reason?.rawValue ?? ""
        }
    }

    /// What of the phone is in the way.
    fileprivate var kind: ReaderCompatibility.Check.Kind {
        switch self {
        case .deviceNotSupported(.osVersionNotSupported): .systemVersion
        case .deviceNotCompliant: .integrity
        default: .model
        }
    }
}

extension HaloMobileDriver: ReaderDriver {
    /// The kit looks at the device when it is initialised, and there is nothing to ask before. The next preparation is the
    /// same one: it initialises nothing again, since the kit may show terms and lessons.
    public func compatibility(_ context: ReaderContext) async throws -> ReaderCompatibility {
        do {
            if !watch.isInitialised.withLock({ $0 }) {
                try await initialise(context)
                watch.isInitialised.withLock { $0 = true }
            }
            return ReaderCompatibility([])
        } catch let error as HaloPhoneSDK.HaloError {
            let failure = Self.failure(error)
            guard failure.code == .deviceUnsupported || failure.code == .deviceCompromised else { throw failure }
            return ReaderCompatibility([
                .init(
                    error.kind, passed: false, found: error.reason?.rawValue ?? error.name,
                    required: "iPhone XS, iOS 15.5")
            ])
        }
    }

    /// Linking is the kit's own; an account that isn't linked ends the preparation with an error.
    public func activate(_ context: ReaderContext) async throws { try await prepare(context) }

    public func prepare(_ context: ReaderContext) async throws {
        let isDone = watch.isInitialised.withLock { isInitialised in
            defer { isInitialised = false }
            return isInitialised
        }
        if !isDone { try await initialise(context) }
    }

    private func initialise(_ context: ReaderContext) async throws {
        watch.calls.attach(context.sink)
        await kit.setEventDelegate { [watch, announce = context.announce] event in watch.heard(event, announce) }
        let environment: HaloPhoneSDK.Environment = identity.environment == "production" ? .production : .sandbox
        let source = apiDriver.configuration.token
        // The kit renews its token on its own; what it refuses for good is not made again.
        let able = try await kit.initialize(tokenProvider: { try await source.secret() }, environment: environment)
        guard able.canAcceptPayments else {
            throw PaymentError.notExecuted(.deviceUnsupported, "the kit can't accept payments on this device")
        }
    }

    /// Only while no card was seen: after that the kit's own words promise nothing about a submission.
    public func cancelReading(_ context: ReaderContext) async throws -> CancelResult {
        switch watch.cancel() {
        case .nothing: return .nothingToCancel
        case .tooLate: return .tooLate
        case .ask(let ended):
            await kit.cancelPayment()
            return await ended.value() ? .cancelled : .tooLate
        }
    }
}

extension HaloMobileDriver: SessionDriver {
    /// Signing out leaves nothing of the merchant's in the kit.
    public func signOut(_ access: AccessToken, _ context: SessionContext) async throws {
        await kit.deinitialize()
        watch.isInitialised.withLock { $0 = false }
        watch.calls.tell(.notReady)
        try await apiDriver.signOut(access, context)
    }
}

extension HaloMobileDriver: RefundDriver, DetailsDriver, ListDriver, DeviceDriver, WebhookDriver {}

/// Listens to the kit: the payment's timeline gets its events, and what they show about the money is kept.
struct HaloEventMonitor {
    /// What the kit has shown of a payment so far.
    struct Seen: Sendable {
        var evidence = SDKEvidence.nothingSeen
        /// Whether a card was seen, after which nothing is cancelled.
        var hasCard = false
        /// Whether the last answer asked for the PIN.
        var wantsPIN = false
        /// How often something was submitted: the tap, and the PIN after it.
        var submissionCount = 0
        /// Whether the till wanted it cancelled.
        var wantsCancel = false
        /// Whether the kit has told a step of this payment, so that it would have told of a card, too.
        var hasSteps = false
        /// Whether each step was one that comes before a card, or an end without one.
        var isUntapped = true
    }

    let calls = MobileSDKCalls<Seen>()
    /// Whether the kit was initialised for a look at the device, and not prepared since.
    let isInitialised = Locked(false)

    /// The newest payment is to be ended.
    func cancel() -> MobileSDKCalls<Seen>.Cancel {
        calls.cancel { seen in
            if !seen.hasCard { seen.wantsCancel = true }
            return !seen.hasCard
        }
    }

    /// The kit calls its delegate; what belongs to no payment is announced.
    func heard(
        _ event: HaloPhoneSDK.HaloEventDelegate, _ announce: (PaymentEvent.Kind, [String: String]) -> Void = { _, _ in }
    ) {
        switch event {
        case .didUpdatePreparationProgress(let thousandths):
            calls.tell(.updateProgress(max(1, min(100, thousandths / 10))))
        case .didFailPreparationWithError(let error):
            isInitialised.withLock { $0 = false }
            calls.tell(.notReady)
            tell(PaymentEvent.Kind(rawValue: "halo.preparationFailed"), ["code": error.name], calls.hear(), announce)
        case .haloSDKDidBecomeReady: break
        case .didReceiveError(let said):
            let attributes = [
                "code": said.errorCode.rawValue, "name": said.errorName, "text": said.errorDescription,
                "source": said.source,
            ].filter { !$0.value.isEmpty }
            tell(PaymentEvent.Kind(rawValue: "halo.error"), attributes, calls.hear(), announce)
        case .didEmitAnalyticsEvent(let step):
            let context = calls.hear { $0.hear(step) }
            if step.type == .cardDetected { calls.tell(.cardDetected) }
            // The kit's own time of the step, beside the one at which it was received.
            let attributes = step.metadata.merging(["at": String(step.timestamp)]) { own, _ in own }
            tell(Self.kind(step.type), attributes, context, announce)
        }
    }

    private func tell(
        _ kind: PaymentEvent.Kind, _ attributes: [String: String], _ payment: PaymentContext?,
        _ announce: (PaymentEvent.Kind, [String: String]) -> Void
    ) {
        if let payment { payment.emit(kind, attributes) } else { announce(kind, attributes) }
    }

    private static func kind(_ type: HaloPhoneSDK.EventType) -> PaymentEvent.Kind {
        switch type {
        case .readyForTap: .reader(.readyForTap)
        case .cardDetected: .reader(.cardDetected)
        case .pinCaptureStarted: .pinRequested
        case .pinCaptureSucceeded: .pinEntered
        case .transactionSubmissionStarted: .transactionSubmissionStarted
        case .transactionResponseReceived: .transactionResponseReceived
        default: PaymentEvent.Kind(rawValue: "halo.\(type.rawValue)")
        }
    }
}

extension HaloEventMonitor.Seen {
    /// The steps of a payment before its card.
    private static let begun: Set<HaloPhoneSDK.EventType> = [.paymentStarted, .paymentValidated, .readyForTap]
    /// Steps of no payment, and ends that say nothing of a card. A step that no document lists may be a card's.
    private static let elsewhere: Set<HaloPhoneSDK.EventType> = [
        .sdkInitialized, .sdkReaderPrepared, .discoveryShown, .paymentCancelled, .paymentError,
        .init(rawValue: "connectionTokenRequested"), .init(rawValue: "termsAccepted"),
        .init(rawValue: "readerPrepareCompleted"),
    ]
    /// Codes of an abort that may come before or after a submission, in both spellings. The page of 1.0.95 prints the steps
    /// from `paymentStarted` to `cardDetected` under their older names.
    private static let aborts: Set<HaloPhoneSDK.HaloErrorCode> = [
        .userCancelled, .screenCaptureDetected, .init(rawValue: "userCancelled"),
        .init(rawValue: "screenCaptureDetected"),
    ]

    /// What the code of a payment that was not approved proves: an abort that came before a card has moved nothing, and
    /// that it came before is seen by the payment's steps alone.
    func outcome(of code: HaloPhoneSDK.HaloErrorCode?) -> SDKOutcome {
        if let code, restsOnSteps(code) { return .notExecuted }
        return HaloPhoneSDK.outcome(of: code, seen: evidence)
    }

    /// Whether the steps alone say that an abort came before a card.
    func restsOnSteps(_ code: HaloPhoneSDK.HaloErrorCode) -> Bool {
        Self.aborts.contains(code) && hasSteps && isUntapped
    }

    /// Whether a submission that is still to be reported would take the code's "nothing moved" back.
    func restsOnSilence(_ code: HaloPhoneSDK.HaloErrorCode) -> Bool {
        guard outcome(of: code) == .notExecuted else { return false }
        return restsOnSteps(code) || HaloPhoneSDK.outcome(of: code, seen: .submitted) != .notExecuted
    }

    /// Takes in a step of a payment.
    ///
    /// Only the tap's own answer can ask for the PIN. Whatever else than an approval comes for the PIN leaves its
    /// submission as it was seen, however it is labelled.
    mutating func hear(_ step: HaloPhoneSDK.HaloAnalyticsEvent) {
        let before = evidence
        evidence.see(step)
        if Self.begun.contains(step.type) { hasSteps = true }
        if !Self.begun.contains(step.type), !Self.elsewhere.contains(step.type) { isUntapped = false }
        switch step.type {
        case .cardDetected: hasCard = true
        case .transactionSubmissionStarted: (hasCard, submissionCount) = (true, submissionCount + 1)
        case .transactionResponseReceived:
            let isOfTap = submissionCount <= 1
            if !isOfTap { evidence.raise(to: before) }
            wantsPIN = isOfTap && step.isApproved != true && step.isSingleTapAndPin == true
        default: break
        }
    }
}
