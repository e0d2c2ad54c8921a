public import PaymentAbstraction
internal import PaymentBase
internal import PaymentMobileSDKs
internal import PaymentProviderKit

extension NIMobileDriver: ReaderDriver {
    public func compatibility(_ context: ReaderContext) async throws -> ReaderCompatibility {
        let found = await kit.isSoftPOSSupported()
        if found == .supported { return ReaderCompatibility([]) }
        return ReaderCompatibility([
            .init(.model, passed: false, found: found.description, required: "iPhone XS, iOS 18")
        ])
    }

    public func activation(_ context: ReaderContext) async throws -> ActivationStatus {
        let isLinked = try await isLinked(context)
        return ActivationStatus(isLinked ? .active : .inactive, isLinked: isLinked)
    }

    /// The terms are accepted once; the kit presents them.
    public func activate(_ context: ReaderContext) async throws {
        if try await isLinked(context) { return }
        let token = try await apiDriver.readerToken(context)
        try await kit.linkAccount(using: token)
    }

    public func prepare(_ context: ReaderContext) async throws {
        calls.attach(context.sink)
        await kit.onError { [self] error in
            invalidated(by: error)
            calls.hear()?.emit(PaymentEvent.Kind(rawValue: "ni.error"), ["code": error.key])
        }
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

    private func isLinked(_ context: ReaderContext) async throws -> Bool {
        try await context.exchange { attempt in
            try await kit.isAccountLinked(
                authToken: attempt.access.value, currencyCode: apiDriver.configuration.currency.code)
        }
    }
}

extension NIMobileDriver: SessionDriver {}

extension NIMobileDriver: VoidDriver, RefundDriver, DetailsDriver, ListDriver, DeviceDriver, WebhookDriver {}
