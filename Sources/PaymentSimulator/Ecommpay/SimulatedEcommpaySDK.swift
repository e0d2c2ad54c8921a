public import PaymentBase
public import PaymentMobileSDKs
public import PaymentTransport

/// ecommpay's SDK Core without a phone: sessions and payments over the simulated provider, told by the delegate's calls
/// that the document has.
///
/// What it says to the provider is the simulated provider's own way; what the real SDK says to its hosts is not public.
/// It is as strict as the document: one payment a session, nothing before a session is open, and no answer before a
/// payment was begun. The customer's bank is played by the provider's table of cards.
public final class SimulatedEcommpaySDK: EcommpayPhoneSDK.SDK {
    /// What goes wrong in the next payment, once.
    public enum Fault: Hashable, Sendable {
        /// Its session is refused with a code.
        case refusesSession(EcommpayPhoneSDK.ErrorCode)
        /// It ends with a code before anything is sent.
        case ends(EcommpayPhoneSDK.ErrorCode)
        /// It is sent, and ends with a code instead of its first event.
        case loses(EcommpayPhoneSDK.ErrorCode)
        /// It is made, and ends with a code instead of its end.
        case breaksOff(EcommpayPhoneSDK.ErrorCode)
        /// Its end comes so many milliseconds late.
        case endsLate(Int64)
        /// Nothing is told of its end.
        case isSilent
        /// It says another amount, in minor units.
        case echoes(Int64)
        /// It speaks of another payment.
        case renames
        /// It names no payment, and says no more of it than how it ended.
        case saysNoPayment
        /// It says neither amount nor currency.
        case saysNoAmount
    }

    struct State {
        var fault: Fault?
        var startCount = 0
        var sessionCount = 0
        var texts: [String] = []
    }

    let clock: any PaymentClock
    let transport: any HTTPTransport
    let origin: Origin
    let executor: (any TaskExecutor)?
    let state = Locked(State())

    /// Makes a kit in front of a simulated provider.
    ///
    /// - Parameters:
    ///   - clock: What time it is on the phone.
    ///   - executor: Where its own tasks run.
    ///   - transport: What carries its messages.
    ///   - origin: Where the provider is.
    public init(
        clock: any PaymentClock, executor: (any TaskExecutor)? = nil, transport: any HTTPTransport, origin: Origin
    ) {
        (self.clock, self.executor, self.transport, self.origin) = (clock, executor, transport, origin)
    }

    /// Lets something go wrong in the next payment.
    public func play(_ fault: Fault) { state.withLock { $0.fault = fault } }
    /// How many payments were begun or taken up.
    public var startCount: Int { state.withLock { $0.startCount } }
    /// How many sessions were made.
    public var sessionCount: Int { state.withLock { $0.sessionCount } }
    /// The texts that were handed out to be signed.
    public var signedTexts: [String] { state.withLock { $0.texts } }

    public func makeSession(config: EcommpayPhoneSDK.MSDKCoreSessionConfig) async -> any EcommpayPhoneSDK
        .MSDKCoreSession
    {
        let fault = state.withLock { state in
            defer { state.fault = nil }
            state.sessionCount += 1
            return state.fault
        }
        return SimulatedEcommpaySession(self, fault)
    }

    public func getParamsForSignature(_ paymentInfo: EcommpayPhoneSDK.PaymentInfo) async -> String {
        let text = EcommpaySignature.text(Self.parameters(paymentInfo))
        state.withLock { $0.texts.append(text) }
        return text
    }

    /// The parameters of a session as the provider reads them.
    static func parameters(_ info: EcommpayPhoneSDK.PaymentInfo) -> JSON {
        var body: JSONObject = [
            "project_id": .whole(Int64(info.projectId)), "payment_id": .string(info.paymentId),
            "payment_amount": .whole(info.paymentAmount), "payment_currency": .string(info.paymentCurrency),
        ]
        body["customer_id"] = info.customerId.map(JSON.string)
        body["payment_description"] = info.paymentDescription.map(JSON.string)
        body["region_code"] = info.regionCode.map(JSON.string)
        body["account_token"] = info.token.map { .string($0.expose()) }
        body["force_payment_method"] = info.forcePaymentMethod.map(JSON.string)
        body["hide_saved_wallets"] = info.hideSavedWallets.map(JSON.bool)
        return .object(body)
    }
}
