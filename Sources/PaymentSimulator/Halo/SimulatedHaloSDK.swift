public import PaymentBase
public import PaymentMobileSDKs
public import PaymentTransport

internal import enum PaymentAbstraction.ReaderEvent

/// Halo's SDK without a phone: a simulated reader in front, and the simulated provider behind, over its own wire.
///
/// It is as strict as the document: nothing is paid before it is initialised, one payment at a time, a token is renewed
/// thirty seconds before it lapses and once after a refusal, and nothing is cancelled once a card was seen.
public final class SimulatedHaloSDK: HaloPhoneSDK.SDK {
    /// What goes wrong in the next payment, once.
    public enum Fault: Hashable, Sendable {
        /// It ends with a code before anything is submitted.
        case ends(HaloPhoneSDK.HaloErrorCode?)
        /// It is submitted, and ends with a code instead of its answer.
        case loses(HaloPhoneSDK.HaloErrorCode?)
        /// Its answer comes so many milliseconds late.
        case answersLate(Int64)
        /// The kit has forgotten that it was initialised.
        case forgets
        /// The receipt says another amount, in minor units.
        case echoes(Int64)
        /// The receipt is about another reference.
        case renames
    }

    struct State {
        var fault: Fault?
        var failure: HaloPhoneSDK.HaloError?
        var delegate: (@Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void)?
        var provider: HaloPhoneSDK.TokenProvider?
        var token: Secret?
        var isReady = false
        /// The end of the payment that is being taken; nil while none is.
        var end: Promise<HaloPhoneSDK.HaloPaymentResult>?
        var hasCard = false
        var startCount = 0
        var cancelCount = 0
        /// Whether its codes are spelt as since 1.0.90.
        var isRespelt = false
    }

    /// How long before its token lapses it asks for a new one, in milliseconds.
    static let marginMilliseconds: Int64 = 30_000

    let clock: any PaymentClock
    let reader: SimulatedReader
    let transport: any HTTPTransport
    let origin: Origin
    let state = Locked(State())
    let executor: (any TaskExecutor)?

    /// Makes a kit in front of a simulated provider.
    ///
    /// - Parameters:
    ///   - clock: What time it is on the phone.
    ///   - executor: Where its own tasks run.
    ///   - reader: What the customer taps on.
    ///   - transport: What carries its requests.
    ///   - origin: Where the provider is.
    public init(
        clock: any PaymentClock, executor: (any TaskExecutor)? = nil, reader: SimulatedReader,
        transport: any HTTPTransport, origin: Origin
    ) {
        (self.clock, self.executor, self.reader) = (clock, executor, reader)
        (self.transport, self.origin) = (transport, origin)
    }

    /// Lets something go wrong in the next payment.
    public func play(_ fault: Fault) { state.withLock { $0.fault = fault } }
    /// Lets it spell its codes as the SDK does since 1.0.90, and ask for the fields of 1.0.95.
    public func respell() { state.withLock { $0.isRespelt = true } }
    /// Lets the next preparation fail.
    public func failPreparation(_ error: HaloPhoneSDK.HaloError) { state.withLock { $0.failure = error } }
    /// How many payments were begun.
    public var startCount: Int { state.withLock { $0.startCount } }
    /// How often it was asked to cancel.
    public var cancelCount: Int { state.withLock { $0.cancelCount } }

    public func setEventDelegate(_ delegate: @escaping @Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void) async {
        state.withLock { $0.delegate = delegate }
    }

    public func deinitialize() async {
        state.withLock { state in
            (state.isReady, state.provider, state.token) = (false, nil, nil)
        }
    }

    /// Stops the reader and ends the payment. The document doesn't say what becomes of one whose card was seen: here it goes
    /// on unseen, the worst that it allows.
    public func cancelPayment() async {
        let end = state.withLock { state in
            state.cancelCount += 1
            return state.hasCard ? state.end : nil
        }
        if end?.fulfill(.declined(errorCode: .userCancelled, errorMessage: "Payment cancelled by user")) == true {
            return
        }
        _ = try? await reader.cancel()
    }

    public func initialize(
        tokenProvider: @escaping HaloPhoneSDK.TokenProvider, environment: HaloPhoneSDK.Environment
    ) async throws(HaloPhoneSDK.HaloError) -> HaloPhoneSDK.HaloDeviceCapabilities {
        let failure = state.withLock { state in
            defer { state.failure = nil }
            (state.isReady, state.provider, state.token) = (false, tokenProvider, nil)
            return state.failure
        }
        if let failure {
            tell(.didFailPreparationWithError(failure))
            throw failure
        }
        _ = try await freshToken()
        step(.sdkInitialized)
        await reader.setEventHandler { [weak self] event in self?.heard(event) }
        try await prepareReader()
        state.withLock { $0.isReady = true }
        step(.sdkReaderPrepared)
        tell(.haloSDKDidBecomeReady)
        return HaloPhoneSDK.HaloDeviceCapabilities(canAcceptPayments: true)
    }

    private func prepareReader() async throws(HaloPhoneSDK.HaloError) {
        let said: Answer
        do { said = try await send("/apple/proximity-token") } catch {
            throw error == .authTokenUnauthorized
                ? HaloPhoneSDK.HaloError.authTokenUnauthorized
                : HaloPhoneSDK.HaloError.networkError(HaloPhoneSDK.HaloReason(rawValue: "connection"))
        }
        guard let token = said.body?["token"]?.string, said.status < 300 else {
            throw HaloPhoneSDK.HaloError.tokenError(
                HaloPhoneSDK.HaloReason(rawValue: "status \(said.status)"), detail: nil)
        }
        do {
            if try await !reader.isLinked(token: Secret(token)) {
                try await reader.link(token: Secret(token), again: false)
            }
            try await reader.prepare(token: Secret(token))
        } catch {
            throw HaloPhoneSDK.HaloError.readerError(HaloPhoneSDK.HaloReason(rawValue: "prepare"), detail: nil)
        }
    }

    private func heard(_ event: ReaderEvent) {
        switch event {
        case .readyForTap: step(.readyForTap)
        case .cardDetected:
            state.withLock { $0.hasCard = true }
            step(.cardDetected)
        case .updateProgress(let percent): tell(.didUpdatePreparationProgress(thousandths: percent * 10))
        case .pinEntryRequested: step(.pinCaptureStarted)
        case .pinEntryCompleted: step(.pinCaptureSucceeded)
        case .readCancelled, .readCompleted, .readNotCompleted, .readRetry, .removeCard, .userInterfaceDismissed,
            .notReady:
            break
        }
    }

    func step(_ type: HaloPhoneSDK.EventType, _ metadata: [String: String] = [:]) {
        tell(.didEmitAnalyticsEvent(HaloPhoneSDK.HaloAnalyticsEvent(type, timestamp: clock.now, metadata: metadata)))
    }

    private func tell(_ event: HaloPhoneSDK.HaloEventDelegate) { state.withLock { $0.delegate }?(event) }

    /// Waits although the application may have gone on.
    func wait(_ milliseconds: Int64) async {
        let end = clock.now + milliseconds
        await Task(executorPreference: executor) { [clock] in try? await clock.sleep(until: end) }.value
    }
}
