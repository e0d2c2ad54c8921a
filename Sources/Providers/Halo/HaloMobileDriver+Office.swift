public import PaymentAbstraction
internal import PaymentBase
internal import PaymentMobileSDKs
internal import PaymentProviderKit

extension HaloMobileDriver: ReaderDriver {
    /// The kit looks at the device when it is initialised, and there is nothing to ask before.
    public func compatibility(_ context: ReaderContext) async throws -> ReaderCompatibility {
        do {
            try await prepare(context)
            return ReaderCompatibility([])
        } catch let error as HaloPhoneSDK.HaloError {
            let failure = Self.failure(error)
            guard failure.code == .deviceUnsupported || failure.code == .deviceCompromised else { throw failure }
            return ReaderCompatibility([
                .init(.model, passed: false, found: error.name, required: "iPhone XS, iOS 15.5")
            ])
        }
    }

    /// Linking is the kit's own; an account that isn't linked ends the preparation with an error.
    public func activate(_ context: ReaderContext) async throws { try await prepare(context) }

    public func prepare(_ context: ReaderContext) async throws {
        watch.calls.attach(context.sink)
        await kit.setEventDelegate { [watch] event in watch.heard(event) }
        let environment: HaloPhoneSDK.Environment = identity.environment == "production" ? .production : .sandbox
        let source = apiDriver.configuration.token
        // The kit renews its token by itself; what it refuses for good is not made again.
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

extension HaloMobileDriver: SessionDriver {}

extension HaloMobileDriver: RefundDriver, DetailsDriver, ListDriver, DeviceDriver, WebhookDriver {}
