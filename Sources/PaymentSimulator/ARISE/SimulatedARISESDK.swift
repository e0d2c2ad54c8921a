public import PaymentBase
public import PaymentMobileSDKs
public import PaymentTransport

internal import enum PaymentAbstraction.ReaderEvent

/// ARISE's SDK without a phone: a simulated reader in front, the simulated platform behind, over its own wire.
///
/// It plays what tapped payments need. It is as strict as the document, and where that is silent it does the worst that is
/// allowed: a tap may ask the platform before its card, and what the gateway has not decided is a failure to it.
public final class SimulatedARISESDK: ARISEPhoneSDK.TappingSdk, ARISEPhoneSDK.TTP {
    /// What goes wrong in the next payment, once.
    public enum Fault: Hashable, Sendable {
        /// It ends with an error before a card is asked for.
        case ends(ARISEPhoneSDK.Failure)
        /// It is submitted, and ends with an error instead of its result.
        case loses(ARISEPhoneSDK.Failure)
        /// It is submitted, and ends with an error; no event says that anything left.
        case losesUnseen(ARISEPhoneSDK.Failure)
        /// Its result comes so many milliseconds late.
        case answersLate(Int64)
        /// The kit has forgotten that it was made ready.
        case forgets
        /// The result has another approved amount, as text.
        case echoes(String)
        /// The result names no transaction.
        case isNameless
        /// The kit's own word for the end, whatever the gateway's is.
        case says(ARISEPhoneSDK.TTPTransactionStatus)
    }

    /// What the phone keeps of its session from one run of the application to the next.
    public final class Session: Sendable {
        struct Tokens {
            var access: Secret?
            var refresh: Secret?
            var expires: Int64 = 0
            var client: [FormField] = []
        }

        let tokens = Locked(Tokens())

        /// Begins signed out.
        public init() {}
    }

    /// What a cancelled read ends a tap's call with; no document says.
    public enum CancelShape: String, Hashable, Sendable, CaseIterable {
        /// A result whose status is *cancelled*.
        case status
        /// A result whose status is *failed*, as the SDK's published mapping of outcomes has it.
        case failed
        /// A thrown *transactionFailed* without a code.
        case thrown
    }

    struct State {
        var fault: Fault?
        var cancelShape = CancelShape.status
        /// Whether prices leave out what is paid from a bank account.
        var hasNoBankPrice = false
        var failure: ARISEPhoneSDK.Failure?
        var model = "iPhone15,2"
        var isReady = false
        /// How the merchant passes the cost of cards on, as it was when the kit was made ready.
        var hasSurcharge = false
        /// Until when the platform isn't asked again whether the phone is active.
        var activeUntil: Int64 = 0
        var isBusy = false
        var hasCard = false
        var wantsAbort = false
        var startCount = 0
        var abortCount = 0
        var listeners: [Int: AsyncStream<ARISEPhoneSDK.TTPEvent>.Continuation] = [:]
        var nextListener = 0
    }

    /// The name of the phone at the platform.
    public static let device = "arise-kit-phone-1"

    let clock: any PaymentClock
    let reader: SimulatedReader
    let transport: any HTTPTransport
    let origin: Origin
    let session: Session
    let state = Locked(State())
    let executor: (any TaskExecutor)?

    /// Makes a kit in front of a simulated platform.
    ///
    /// - Parameters:
    ///   - clock: What time it is on the phone.
    ///   - executor: Where its own tasks run.
    ///   - reader: What the customer taps on.
    ///   - transport: What carries its requests.
    ///   - origin: Where the platform is.
    ///   - session: What the phone has kept.
    public init(
        clock: any PaymentClock, executor: (any TaskExecutor)? = nil, reader: SimulatedReader,
        transport: any HTTPTransport, origin: Origin, session: Session = Session()
    ) {
        (self.clock, self.executor, self.reader) = (clock, executor, reader)
        (self.transport, self.origin, self.session) = (transport, origin, session)
    }

    /// Lets something go wrong in the next payment.
    public func play(_ fault: Fault) { state.withLock { $0.fault = fault } }
    /// Leaves out of prices what is paid from a bank account, as for a merchant without bank debits.
    public func leavesOutBankPrices() { state.withLock { $0.hasNoBankPrice = true } }
    /// Says what a cancelled read ends a tap's call with.
    public func cancels(as shape: CancelShape) { state.withLock { $0.cancelShape = shape } }
    /// Lets the next preparation fail.
    public func failPreparation(_ failure: ARISEPhoneSDK.Failure) { state.withLock { $0.failure = failure } }
    /// Puts it on another device.
    public func run(on model: String) { state.withLock { $0.model = model } }
    /// How many payments were begun.
    public var startCount: Int { state.withLock { $0.startCount } }
    /// How often it was asked to stop one.
    public var abortCount: Int { state.withLock { $0.abortCount } }

    public var ttp: any ARISEPhoneSDK.TTP { get async { self } }

    // MARK: The session

    public func authenticate(clientId: String, clientSecret: Secret) async throws(ARISEPhoneSDK.Failure) -> Bool {
        let client = [FormField("client_id", clientId), FormField("client_secret", clientSecret.expose())]
        session.tokens.withLock { $0 = Session.Tokens(client: client) }
        do throws(ARISEPhoneSDK.Failure) {
            try await sign(
                in: [FormField("grant_type", "client_credentials"), FormField("scope", "offline_access")] + client)
        } catch {
            throw error == .authentication(.tokenExpired) ? .authentication(.invalidCredentials) : error
        }
        return true
    }

    public func getAccessToken() async -> Secret? {
        session.tokens.withLock { $0.expires > clock.now ? $0.access : nil }
    }

    public func refreshAccessToken() async throws(ARISEPhoneSDK.Failure) -> Bool {
        guard let refresh = session.tokens.withLock({ $0.refresh }) else { return false }
        let client = session.tokens.withLock { $0.client }
        try await sign(
            in: [FormField("grant_type", "refresh_token"), FormField("refresh_token", refresh.expose())] + client)
        return true
    }

    public func clearStoredToken() async { session.tokens.withLock { $0 = Session.Tokens() } }

    // MARK: Before the first tap

    public func checkCompatibility() async -> ARISEPhoneSDK.TTPCompatibilityResult {
        let model = state.withLock { $0.model }
        let isNew = model != "iPhone10,3"
        return ARISEPhoneSDK.TTPCompatibilityResult(
            isCompatible: isNew, deviceModelCheck: .init(isCompatible: isNew, modelIdentifier: model),
            iosVersionCheck: .init(isCompatible: true, version: "18.1", minimumRequiredVersion: "18.0"),
            locationPermission: .granted, tapToPayEntitlement: .available,
            incompatibilityReasons: isNew ? [] : ["the model is too old"])
    }

    public func getStatus() async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPStatus {
        let said: JSON?
        do { said = try await send("GET", "/pay-api/v1/devices/\(Self.device)") } catch {
            if case .api(.notFound) = error { return .inactive }
            throw error
        }
        guard let number = said?["tapToPayStatusId"]?.int64 else { throw .api(.invalidResponse("no status")) }
        let until = number == 3 ? clock.now + Self.statusMilliseconds : 0
        state.withLock { $0.activeUntil = until }
        return number == 3 ? .active : .inactive
    }

    /// How long it believes that the phone is active, in milliseconds.
    static let statusMilliseconds: Int64 = 10 * 60_000

    public func activate() async throws(ARISEPhoneSDK.Failure) {
        _ = try await send(
            "POST", "/pay-api/v1/devices", ["deviceId": .string(Self.device), "deviceName": "iPhone"])
        _ = try await send("POST", "/pay-api/v1/devices/\(Self.device)/tap-to-pay/activate")
        let token = try await readerToken()
        do { try await reader.link(token: token, again: false) } catch {
            throw .ttp(.activationFailed(ARISEPhoneSDK.TTPErrorCode(rawValue: ""), "the terms were not accepted"))
        }
    }

    public func showEducationalInfo() async throws(ARISEPhoneSDK.Failure) {}

    public func prepare() async throws(ARISEPhoneSDK.Failure) {
        let failure = state.withLock { state in
            defer { state.failure = nil }
            state.isReady = false
            return state.failure
        }
        if let failure { throw failure }
        tell(.customEvent(.preparing))
        guard try await getStatus() == .active else { throw .ttp(.notActive) }
        let settings = try await send("GET", "/pay-api/v1/configurations/payments")
        for (member, code) in Self.profile where settings?[member]?.string?.isEmpty ?? true {
            throw .ttp(.configurationFailed(ARISEPhoneSDK.TTPErrorCode(rawValue: code), "the settings lack \(member)"))
        }
        let token = try await readerToken()
        await reader.setEventHandler { [weak self] event in self?.heard(event) }
        do { try await reader.prepare(token: token) } catch { throw .cardReader(.init(rawValue: "prepareFailed")) }
        state.withLock { state in
            (state.isReady, state.hasSurcharge) = (true, settings?["zeroCostProcessingOptionId"]?.int64 == 4)
        }
        tell(.customEvent(.ready))
    }

    /// What the settings must name, with the code for its lack.
    private static let profile = [
        ("companyName", "MER004"), ("mccCode", "MER005"), ("ttpIosTerminalProfileId", "MER006"),
        ("currencyIsoCode", "MER007"),
    ]

    private func readerToken() async throws(ARISEPhoneSDK.Failure) -> Secret {
        let said: JSON?
        do {
            said = try await send("POST", "/pay-api/v1/devices/tap-to-pay/jwt", ["deviceId": .string(Self.device)])
        } catch {
            if case .api(.forbidden) = error { throw .ttp(.notActive) }
            throw error
        }
        guard let token = said?["jwtToken"]?.string, !token.isEmpty else {
            throw .api(.invalidResponse("no token for the reader"))
        }
        return Secret(token)
    }

    // MARK: Events

    public func eventsStream() async throws(ARISEPhoneSDK.Failure) -> AsyncStream<ARISEPhoneSDK.TTPEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: ARISEPhoneSDK.TTPEvent.self)
        let number = state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = continuation
            return state.nextListener
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func tell(_ event: ARISEPhoneSDK.TTPEvent) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(event) }
    }

    private func heard(_ event: ReaderEvent) {
        switch event {
        case .updateProgress(let percent): tell(.readerEvent(.updateProgress(percent)))
        case .notReady: tell(.readerEvent(.notReady))
        case .readyForTap: tell(.readerEvent(.readyForTap))
        case .cardDetected:
            state.withLock { $0.hasCard = true }
            tell(.readerEvent(.cardDetected))
        case .removeCard: tell(.readerEvent(.removeCard))
        case .readCompleted: tell(.readerEvent(.readCompleted))
        case .readRetry: tell(.readerEvent(.readRetry))
        case .readCancelled: tell(.readerEvent(.readCancelled))
        case .pinEntryRequested: tell(.readerEvent(.pinEntryRequested))
        case .pinEntryCompleted: tell(.readerEvent(.pinEntryCompleted))
        case .userInterfaceDismissed: tell(.readerEvent(.userInterfaceDismissed))
        case .readNotCompleted: tell(.readerEvent(.readNotCompleted))
        }
    }
}
