public import PaymentBase
public import PaymentMobileSDKs
public import PaymentTransport

internal import enum PaymentAbstraction.ReaderEvent

/// Network International's SDK without a phone: a simulated reader in front, the simulated platform behind, over its own
/// wire.
///
/// It is as strict as the document, and where that is silent it does the worst that is allowed: nothing ends a payment but
/// the customer, who closes the screen ahead of the card.
public final class SimulatedNISDK: NIPhoneSDK.AppleTapToPayManager {
    /// What goes wrong in the next payment, once.
    public enum Fault: Hashable, Sendable {
        /// It ends with an error before anything is submitted.
        case ends(NIPhoneSDK.AppleTapToPaySDKError)
        /// It is submitted, and ends with an error instead of its answer.
        case loses(NIPhoneSDK.AppleTapToPaySDKError)
        /// Its answer comes so many milliseconds late.
        case answersLate(Int64)
        /// The kit's session with the reader is gone.
        case forgets
        /// The answer has nothing but the three members that the document names.
        case isTerse
        /// The answer says another amount, in minor units.
        case echoes(Int64)
        /// The answer has another word for the payment's state.
        case says(String)
        /// The answer is about another outlet.
        case isElsewhere
    }

    struct State {
        var fault: Fault?
        var failure: NIPhoneSDK.AppleTapToPaySDKError?
        var support = NIPhoneSDK.SoftPOSSupport.supported
        var handler: (@Sendable (NIPhoneSDK.AppleTapToPaySDKError) -> Void)?
        /// The reader's token, and for which currency it is; nil before the first.
        var readerToken: (token: Secret, currency: String)?
        var isReady = false
        var isBusy = false
        var startCount = 0
        var preparationCount = 0
    }

    let clock: any PaymentClock
    let reader: SimulatedReader
    let transport: any HTTPTransport
    let origin: Origin
    let setup: NIPhoneSDK.Setup
    /// The terminal that the portal has given to the phone.
    let terminal: String
    let state = Locked(State())
    let executor: (any TaskExecutor)?

    /// Makes a kit in front of a simulated platform.
    ///
    /// - Parameters:
    ///   - setup: Where the platform is.
    ///   - terminal: The terminal that the portal has given to the phone.
    ///   - clock: What time it is on the phone.
    ///   - executor: Where its own tasks run.
    ///   - reader: What the customer taps on.
    ///   - transport: What carries its requests.
    public init(
        _ setup: NIPhoneSDK.Setup, terminal: String, clock: any PaymentClock, executor: (any TaskExecutor)? = nil,
        reader: SimulatedReader, transport: any HTTPTransport
    ) {
        (self.setup, self.terminal, self.clock, self.executor) = (setup, terminal, clock, executor)
        (self.reader, self.transport) = (reader, transport)
        origin = Origin(
            setup.serverScheme == "https" ? .https : .http, setup.serverHost, setup.serverPort)
    }

    /// Lets something go wrong in the next payment.
    public func play(_ fault: Fault) { state.withLock { $0.fault = fault } }
    /// Lets the next preparation fail.
    public func failPreparation(_ error: NIPhoneSDK.AppleTapToPaySDKError) { state.withLock { $0.failure = error } }
    /// Puts it on another device.
    public func run(on support: NIPhoneSDK.SoftPOSSupport) { state.withLock { $0.support = support } }
    /// The customer or the merchant closes its screen; too late once the card is there.
    public func closeScreen() async { _ = try? await reader.cancel() }
    /// Tells of an error that belongs to no call.
    public func tell(_ error: NIPhoneSDK.AppleTapToPaySDKError) { state.withLock { $0.handler }?(error) }
    /// How many payments were begun.
    public var startCount: Int { state.withLock { $0.startCount } }
    /// How often it was prepared.
    public var preparationCount: Int { state.withLock { $0.preparationCount } }

    public func onError(_ handler: @escaping @Sendable (NIPhoneSDK.AppleTapToPaySDKError) -> Void) async {
        state.withLock { $0.handler = handler }
    }

    public func isSoftPOSSupported() async -> NIPhoneSDK.SoftPOSSupport { state.withLock { $0.support } }

    public func prepare(
        authToken: Secret, currencyCode: String, onProgress: (@Sendable (Int) -> Void)?
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) {
        let (failure, support) = state.withLock { state in
            state.preparationCount += 1
            defer { state.failure = nil }
            state.isReady = false
            return (state.failure, state.support)
        }
        guard support == .supported else { throw .deviceNotSupported }
        if let failure { throw failure }
        let token = try await fetchReaderToken(authToken, currencyCode)
        await reader.setEventHandler { event in
            if case .updateProgress(let percent) = event { onProgress?(percent) }
        }
        do {
            if try await !reader.isLinked(token: token) { try await reader.link(token: token, again: false) }
        } catch { throw .termsAndConditionsError }
        do { try await reader.prepare(token: token) } catch { throw .readerTokenInvalid }
        await reader.setEventHandler { _ in }
        state.withLock { $0.isReady = true }
    }

    public func isAccountLinked(
        authToken: Secret, currencyCode: String
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> Bool {
        let known = state.withLock { $0.readerToken }
        let token: Secret
        if let known, known.currency == currencyCode {
            token = known.token
        } else {
            token = try await fetchReaderToken(authToken, currencyCode)
        }
        do { return try await reader.isLinked(token: token) } catch {
            throw NIPhoneSDK.AppleTapToPaySDKError(515, "accountLinkingCheck", errorMessage: "the reader can't tell")
        }
    }

    public func linkAccount(using token: Secret) async throws(NIPhoneSDK.AppleTapToPaySDKError) {
        guard !token.isEmpty else { throw .readerTokenInvalid }
        do { try await reader.link(token: token, again: false) } catch { throw .termsAndConditionsError }
    }
}
