public import PaymentBase
public import PaymentMobileSDKs
public import PaymentTransport

/// Adyen's SDK without a phone: sessions that it opens and renews on its own, and payments at the simulated provider.
///
/// It is as strict as the document: nothing is paid without a session, one payment at a time, and only requests that can
/// be read and name its own installation. What it says to the provider is the simulated provider's own way; what the real
/// SDK says is not public. A connection that fails is reported as terminals do, inside the answer.
public final class SimulatedAdyenSDK: AdyenPhoneSDK.PaymentService {
    /// What goes wrong in the next payment or refund, once.
    public enum Fault: Hashable, Sendable {
        /// It ends with an error before anything is sent.
        case ends(AdyenPhoneSDK.ErrorCode)
        /// It is carried out, and ends with an error instead of its answer.
        case loses(AdyenPhoneSDK.ErrorCode)
        /// Its answer comes so many milliseconds late.
        case answersLate(Int64)
        /// Its answer can't be read.
        case isUnreadable
    }

    struct State {
        var fault: Fault?
        var failure: AdyenPhoneSDK.ErrorCode?
        /// The installation, and until when its session lasts.
        var session: (installation: String, until: Int64)?
        var isBusy = false
        var (startCount, registrationCount, resetCount) = (0, 0, 0)
        var shown: AdyenPhoneSDK.TransactionPresentationMode?
        var usedInterface: AdyenPhoneSDK.PaymentInterface?
    }

    /// The token with which it asks for a session.
    public static let setupToken = Secret("setup-token-of-the-phone-1")
    /// How payments name it, once it has a session.
    public static let installation = "INST-" + setupToken.expose().suffix(12)

    let clock: any PaymentClock
    let transport: any HTTPTransport
    let origin: Origin
    let registration: AdyenPhoneSDK.Registration
    let state = Locked(State())

    /// Makes a kit in front of a simulated provider.
    ///
    /// - Parameters:
    ///   - clock: What time it is on the phone.
    ///   - transport: What carries its messages.
    ///   - origin: Where the provider is.
    ///   - registration: The application's server, which opens sessions.
    public init(
        clock: any PaymentClock, transport: any HTTPTransport, origin: Origin,
        registration: @escaping AdyenPhoneSDK.Registration
    ) {
        (self.clock, self.transport, self.origin) = (clock, transport, origin)
        self.registration = registration
    }

    /// Lets something go wrong in the next payment or refund.
    public func play(_ fault: Fault) { state.withLock { $0.fault = fault } }
    /// Lets the reader not be there, or the phone not be fit for it, until nil is given.
    public func failReader(_ error: AdyenPhoneSDK.ErrorCode?) { state.withLock { $0.failure = error } }
    /// How many payments and refunds were begun.
    public var startCount: Int { state.withLock { $0.startCount } }
    /// How often the application's server was asked for a session.
    public var registrationCount: Int { state.withLock { $0.registrationCount } }
    /// How often its session was to be forgotten.
    public var resetCount: Int { state.withLock { $0.resetCount } }
    /// What read the card of the last payment.
    public var usedInterface: AdyenPhoneSDK.PaymentInterface? { state.withLock { $0.usedInterface } }
    /// How the last payment was shown.
    public var shown: AdyenPhoneSDK.TransactionPresentationMode? { state.withLock { $0.shown } }

    // MARK: The session

    public var installationId: String {
        get async throws(AdyenPhoneSDK.ErrorCode) {
            let now = clock.now
            let installation = state.withLock { state in
                state.session.flatMap { $0.until > now ? $0.installation : nil }
            }
            guard let installation else { throw AdyenPhoneSDK.ErrorCode.unableToObtainInstallationId }
            return installation
        }
    }

    public func resetSession() async throws(AdyenPhoneSDK.ErrorCode) {
        state.withLock { state in
            state.session = nil
            state.resetCount += 1
        }
    }

    public func warmUp() async throws(AdyenPhoneSDK.ErrorCode) {
        guard await hasSession() else { throw .unableToObtainInstallationId }
        if case .refused(.noToken) = await send("warmup", []) {
            // Its session has ended at the provider before its time.
            state.withLock { $0.session = nil }
            guard await hasSession() else { throw .unableToObtainInstallationId }
            if case .refused(let code) = await send("warmup", []) { throw code }
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    public func getPaymentInterface(with interface: AdyenPhoneSDK.PaymentInterface) async throws(AdyenPhoneSDK
        .ErrorCode)
    {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        guard interface == .cardReader || interface == .tapToPay else { throw .paymentInterfaceNotSupported }
    }

    /// Whether there is a session, opened now if need be.
    private func hasSession() async -> Bool {
        if (try? await installationId) != nil { return true }
        state.withLock { $0.registrationCount += 1 }
        guard let data = try? await registration(Self.setupToken), !data.isEmpty else { return false }
        let until = clock.now + AdyenSimulator.sessionMilliseconds
        state.withLock { $0.session = (Self.installation, until) }
        return true
    }

    // MARK: Payments

    public func performTransaction(
        with request: AdyenPhoneSDK.Payment.Request, paymentInterface: AdyenPhoneSDK.PaymentInterface,
        presentationMode: AdyenPhoneSDK.TransactionPresentationMode
    ) async -> AdyenPhoneSDK.Payment.Response {
        state.withLock { ($0.shown, $0.usedInterface) = (presentationMode, paymentInterface) }
        let times =
            AdyenPhoneSDK.Parameters
            .successScreenMillisecondsMin...AdyenPhoneSDK.Parameters.successScreenMillisecondsMax
        if let time = presentationMode.parameters.successScreenTimeout, !times.contains(time) {
            return .failed(.invalidSuccessScreenTimeout)
        }
        do { try await getPaymentInterface(with: paymentInterface) } catch { return .failed(error) }
        return await perform(request.data, ["Payment", "TransactionStatus"])
    }

    public func performReversal(with request: AdyenPhoneSDK.Reversal.Request) async -> AdyenPhoneSDK.Reversal.Response {
        await perform(request.data, ["Reversal"])
    }

    private func perform(_ data: [UInt8], _ categories: Set<String>) async -> AdyenPhoneSDK.Answer {
        let (fault, isBusy): (Fault?, Bool) = state.withLock { state in
            state.startCount += 1
            if state.isBusy { return (nil, true) }
            state.isBusy = true
            defer { state.fault = nil }
            return (state.fault, false)
        }
        if isBusy { return .failed(.transactionInProgress) }
        defer { state.withLock { $0.isBusy = false } }
        guard let message = (try? JSONReader().read(data)).flatMap({ NexoRequest($0) }),
            categories.contains(message.category)
        else { return .failed(.malformedTransactionRequest) }
        if case .ends(let code) = fault { return .failed(code) }
        let answer = await carriedOut(data, message)
        switch fault {
        case .loses(let code): return .failed(code)
        case .isUnreadable: return .message(Array("teleported".utf8))
        case .answersLate(let milliseconds):
            try? await clock.sleep(until: clock.now + milliseconds)
            return answer
        case .ends, nil: return answer
        }
    }

    private func carriedOut(_ data: [UInt8], _ message: NexoRequest) async -> AdyenPhoneSDK.Answer {
        guard await hasSession() else { return .failed(.noToken) }
        var said = await send("perform", data)
        if case .refused(.noToken) = said {
            state.withLock { $0.session = nil }
            guard await hasSession() else { return .failed(.noToken) }
            said = await send("perform", data)
        }
        switch said {
        case .answered(let bytes): return .message(bytes)
        case .refused(let code): return .failed(code)
        case .silent: return .message(Self.unreachable("UnreachableHost", message))
        case .broken: return .message(Self.unreachable("UnavailableService", message))
        }
    }

    private static func unreachable(_ condition: String, _ message: NexoRequest) -> [UInt8] {
        message.reply(AdyenSimulator.failure(condition, "message=No+answer+came")).bytes()
    }

    // MARK: The line

    private enum Said {
        case answered([UInt8])
        case refused(AdyenPhoneSDK.ErrorCode)
        case silent
        case broken
    }

    private func send(_ what: String, _ body: [UInt8]) async -> Said {
        let request = HTTPRequest(
            "POST", origin, AdyenSimulator.phonePath + what, headers: ["Phone": Self.setupToken.expose()], body: body)
        guard let response = try? await transport.send(request) else { return .silent }
        if (200..<300).contains(response.status) { return .answered(response.body) }
        let said = try? JSONReader().read(response.body)
        return said?["kit"]?.string.map { .refused(AdyenPhoneSDK.ErrorCode(rawValue: $0)) } ?? .broken
    }
}
