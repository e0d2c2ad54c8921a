public import PaymentMobileSDKs
public import PaymentProviderKit

/// Network International on a phone: the vendor's kit reads the card and submits the payment, all in one call.
///
/// A submission can't be held back, so that the whole call is one send: written down before it, ended by its answer. No
/// call of the kit ends a payment, and no id of the client travels with it; what became of it is asked of the platform,
/// where payments are voided and refunded as well.
public struct NIMobileDriver: MobileSDKDriver {
    /// The same account by the platform's interface.
    public let apiDriver: NIDriver
    let kit: any NIPhoneSDK.AppleTapToPayManager
    let calls = MobileSDKCalls<Void>()

    /// How long a customer may take to present a card, in milliseconds; no document names a limit.
    static let untilTapMilliseconds: Int64 = 120_000
    /// How long reading, PIN and submission take at most after that, in milliseconds.
    static let afterTapMilliseconds: Int64 = 120_000
    /// How long the kit's call takes at most, in milliseconds.
    static let callMilliseconds = untilTapMilliseconds + afterTapMilliseconds

    /// Makes a driver that pays with a kit, and asks and refunds through another's interface.
    public init(_ driver: NIDriver, _ kit: any NIPhoneSDK.AppleTapToPayManager) {
        var office = driver
        office.arrivalMilliseconds += Self.callMilliseconds
        (self.apiDriver, self.kit) = (office, kit)
    }

    public var capabilities: Capabilities {
        // A vendor's SDK whose process is dead sends nothing after so long.
        var takes = apiDriver.capabilities.limited(to: Self.callMilliseconds)
        takes.usesProviderTerminal = true
        // The kit does not hold: its one call is a purchase.
        takes.authorizationSources = []
        return takes
    }

    public func classify(_ error: any Error) -> RequestFailure {
        guard let error = error as? NIPhoneSDK.AppleTapToPaySDKError else { return apiDriver.classify(error) }
        return RequestFailure(Self.failure(error, .prepare, .notExecuted))
    }
}

extension NIMobileDriver: SaleDriver {
    /// What the kit's call ended with.
    private enum End {
        case answered(NIPhoneSDK.PaymentResponse)
        case refused(Decline)
        /// The kit's screen was closed; no card was read.
        case closed(ProviderMessage)
    }

    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await context.atTerminal {
            // Beside a call that outlived its time the kit's screen does not appear; else a person closed it.
            let isAlone = calls.hear() == nil
            let call = calls.begin(context, ())
            defer { calls.end(call) }
            // A rehearsal moves nothing, so that nothing about it is in doubt.
            let end = try await context.exchange(request.isDryRun ? .readOnly : .visible) { attempt in
                let result = await context.outlasting(Self.callMilliseconds) {
                    await Self.result {
                        () async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.PaymentResponse in
                        try await kit.processPayment(
                            authToken: attempt.access.value, paymentType: .contactless,
                            amount: String(request.amount.minorUnits), currencyCode: request.amount.currency.code,
                            dryRun: request.isDryRun, onProgress: { [calls] in Self.progressed($0, calls) })
                    }
                }
                if case .success(let answer) = result, !request.isDryRun { try note(answer, context) }
                return try ended(result, isAlone: isAlone)
            }
            switch end {
            case .refused(let decline): return .declined(decline)
            case .closed(let said): return .cancelled(Cancellation(cause: .reader, provider: said))
            case .answered where request.isDryRun:
                var approval = Approval(request.amount)
                approval.isDryRun = true
                return .approved(approval)
            case .answered(let answer): return try await told(answer, request.amount, context)
            }
        }
    }

    private static func result<Value: Sendable>(
        _ call: () async throws(NIPhoneSDK.AppleTapToPaySDKError) -> Value
    ) async -> Result<Value, NIPhoneSDK.AppleTapToPaySDKError> {
        do { return .success(try await call()) } catch { return .failure(error) }
    }

    /// No document says what the hundredths mean: they are on the timeline and prove nothing.
    private static func progressed(_ percent: Int, _ calls: MobileSDKCalls<Void>) {
        calls.hear()?.emit(PaymentEvent.Kind(rawValue: "ni.progress"), ["percent": String(percent)])
    }

    /// What the call's end says, by the outcome table of the kit.
    private func ended(
        _ result: Result<NIPhoneSDK.PaymentResponse, NIPhoneSDK.AppleTapToPaySDKError>, isAlone: Bool
    ) throws(PaymentError) -> End {
        switch result {
        case .success(let answer): return .answered(answer)
        case .failure(let error):
            invalidated(by: error)
            switch NIPhoneSDK.outcome(of: error, in: .processPayment) {
            case .declined:
                let said = ProviderMessage(code: error.key, message: error.errorMessage)
                return .refused(Decline(NIMapping.refusals[error.key] ?? .limitExceeded, provider: said))
            case .notExecuted
            where isAlone && error.code == NIPhoneSDK.AppleTapToPaySDKError.processPaymentReadError.code:
                return .closed(ProviderMessage(code: error.key, message: error.errorMessage))
            case .notExecuted: throw Self.failure(error, .processPayment, .notExecuted)
            case .unknown: throw Self.failure(error, .processPayment, .unknown)
            }
        }
    }

    /// Keeps the vendor's own name of the order before anything of the answer is read, so that it is found by it; an answer
    /// about another outlet names another's.
    private func note(_ answer: NIPhoneSDK.PaymentResponse, _ context: PaymentContext) throws(PaymentError) {
        let outlet = apiDriver.configuration.outlet
        guard !answer.orderReference.isEmpty, answer.outletId ?? outlet == outlet else { return }
        try context.note(NIDriver.orderNote, answer.orderReference)
        try apiDriver.notePart(NIPayment(answer), context)
    }

    /// The payment by the kit's answer, as far as that goes.
    ///
    /// The document promises three members, none of them an amount, and has no place for the part of a partial approval:
    /// then the platform's order has to speak.
    private func told(
        _ answer: NIPhoneSDK.PaymentResponse, _ asked: Money, _ context: PaymentContext
    ) async throws -> Verdict {
        let payment = NIPayment(answer)
        let verdict: Verdict
        if payment.isSuccess == false || payment.isFailed || payment.amount != nil && !payment.isPartial {
            verdict = try apiDriver.verdict(payment, .sale)
        } else {
            verdict = try NIMapping.verdict(try await apiDriver.after(payment.order, context), .sale)
        }
        guard case .approved(var approval) = verdict else { return verdict }
        context.emit(.cardRead)
        approval.isPartial = approval.isPartial || payment.isPartial
        return try await apiDriver.confirmed(.approved(approval), asked: asked, context)
    }

    /// After some errors the kit has to be prepared before the next payment.
    func invalidated(by error: NIPhoneSDK.AppleTapToPaySDKError) {
        let errors: [NIPhoneSDK.AppleTapToPaySDKError] = [
            .initializationError, .readerTokenNotAvailable, .readerTokenInvalid, .termsAndConditionsError,
            .processPaymentReadError, .init(515, ""), .init(516, ""),
        ]
        if errors.contains(where: { $0.code == error.code }) { calls.tell(.notReady) }
    }

    static func failure(
        _ error: NIPhoneSDK.AppleTapToPaySDKError, _ call: NIPhoneSDK.Call, _ outcome: PaymentError.Outcome
    ) -> PaymentError {
        let said = ProviderMessage(code: error.key, message: error.errorMessage)
        return PaymentError(NIPhoneSDK.table.rule(for: error.key, in: call), outcome, said)
    }
}

extension NIMobileDriver: ReaderDriver {
    public func compatibility(_ context: ReaderContext) async throws -> ReaderCompatibility {
        await listen(context)
        let found = await kit.isSoftPOSSupported()
        if found == .supported { return ReaderCompatibility([]) }
        return ReaderCompatibility([
            .init(.model, passed: false, found: found.description, required: "iPhone XS, iOS 18")
        ])
    }

    public func activation(_ context: ReaderContext) async throws -> ActivationStatus {
        await listen(context)
        let isLinked = try await isLinked(context)
        return ActivationStatus(isLinked ? .active : .inactive, isLinked: isLinked)
    }

    /// The terms are accepted once; the kit presents them.
    public func activate(_ context: ReaderContext) async throws {
        if try await isLinked(context) { return }
        let token = try await apiDriver.readerToken(context)
        try await kit.linkAccount(using: token)
    }

    /// Learns of errors that belong to no call, from the first call of the kit on: it has some of its own beginning.
    private func listen(_ context: ReaderContext) async {
        calls.attach(context.sink)
        await kit.onError { [self, announce = context.announce] error in
            invalidated(by: error)
            let (kind, attributes) = (PaymentEvent.Kind(rawValue: "ni.error"), ["code": error.key])
            if let payment = calls.hear() { payment.emit(kind, attributes) } else { announce(kind, attributes) }
        }
    }

    public func prepare(_ context: ReaderContext) async throws {
        await listen(context)
        // Who prepares later has a token that lapses later: the moment before counts.
        let start = context.now
        try await context.exchange { attempt in
            try await kit.prepare(
                authToken: attempt.access.value, currencyCode: apiDriver.configuration.currency.code,
                onProgress: { [calls] percent in calls.tell(.updateProgress(max(1, min(100, percent)))) })
        }
        context.staysReady(until: start + NIDriver.readerTokenMilliseconds)
    }

    /// No call of the kit ends a payment: the customer closes its screen, or presents a card.
    public func cancelReading(_ context: ReaderContext) async throws -> CancelResult {
        switch calls.cancel({ _ in false }) {
        case .nothing: .nothingToCancel
        case .tooLate, .ask: .tooLate
        }
    }

    /// The reader's session is good in front only: what comes back to the front is prepared before its next payment.
    public func appLifecycleChanged(_ change: AppLifecycle, _ context: ReaderContext) async {
        if change == .becameActive { calls.tell(.notReady) }
    }

    private func isLinked(_ context: ReaderContext) async throws -> Bool {
        try await context.exchange { attempt in
            try await kit.isAccountLinked(
                authToken: attempt.access.value, currencyCode: apiDriver.configuration.currency.code)
        }
    }
}

extension NIMobileDriver: SessionDriver {}

extension NIMobileDriver: VoidDriver, RefundDriver, ListDriver, DeviceDriver, WebhookDriver {}

extension NIMobileDriver: DetailsDriver {
    /// The platform's order, with what the kit says can be done with it: the order has no member for that, and what the
    /// adapter derives of its states and of the time is left where the kit says nothing.
    public func details(_ references: PaymentReferences, _ context: LookupContext) async throws -> PaymentDetails? {
        guard var details = try await apiDriver.details(references, context) else { return nil }
        guard let order = details.references["order"] ?? references["order"] else { return details }
        let said = try? await context.exchange { attempt in
            try await kit.getTransactionDetails(reference: order, authToken: attempt.access.value)
        }
        guard let said else { return details }
        for (operation, isEnabled) in [(PaymentOperation.refund, said.refundEnabled), (.void, said.voidEnabled)] {
            let isThere = details.operations.contains { $0.operation == operation }
            if isThere, !isEnabled { details.operations.removeAll { $0.operation == operation } }
            if !isThere, isEnabled { details.operations.append(.init(operation.rawValue, operation)) }
        }
        return details
    }
}
