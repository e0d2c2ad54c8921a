public import PaymentBase
public import PaymentMobileSDKs
public import PaymentTransport

internal import struct PaymentModel.CardReadRequest
internal import struct PaymentModel.CardReadResult
internal import struct PaymentModel.Currency
internal import struct PaymentModel.Money
internal import struct PaymentModel.PaymentError
internal import enum PaymentModel.ReaderEvent

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

    /// Stops the reader and ends the payment. The document doesn't say what becomes of one whose card was seen: here it
    /// continues unseen, the worst that it allows.
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

    /// Waits although the application may have continued.
    func wait(_ milliseconds: Int64) async {
        let end = clock.now + milliseconds
        await Task(executorPreference: executor) { [clock] in try? await clock.sleep(until: end) }.value
    }
}

extension SimulatedHaloSDK {
    /// What was asked for.
    private struct Order {
        let amount: Money
        let reference: String
        let type: HaloPhoneSDK.HaloTransactionType
    }

    public func startContactlessPayment(
        amountMinor: Int64, currency: String, merchantReference: String,
        passthroughFields: HaloPhoneSDK.HaloPassthroughFields, type: HaloPhoneSDK.HaloTransactionType
    ) async -> HaloPhoneSDK.HaloPaymentResult {
        let end = Promise<HaloPhoneSDK.HaloPaymentResult>()
        let (fault, refusal): (Fault?, HaloPhoneSDK.HaloErrorCode?) = state.withLock { state in
            state.startCount += 1
            if state.end != nil { return (nil, .paymentInProgress) }
            let fault = state.fault
            state.fault = nil
            if fault == .forgets { state.isReady = false }
            guard state.isReady else { return (nil, .notInitialized) }
            (state.end, state.hasCard) = (end, false)
            return (fault, nil)
        }
        let isRespelt = state.withLock { $0.isRespelt }
        if let refusal {
            return Self.spelt(.declined(errorCode: refusal, errorMessage: "refused before it began"), isRespelt)
        }
        let isAddressed = !isRespelt || Self.hasAddress(passthroughFields)
        Task(executorPreference: executor) { [self] in
            let result =
                isAddressed
                ? await taken(amountMinor, currency, merchantReference, type, fault)
                : ended(.invalidPassthroughFields, "a field of the address is missing")
            state.withLock { $0.end = nil }
            end.fulfill(Self.spelt(result, isRespelt))
        }
        return await end.value()
    }

    /// Whether the four fields that the SDK asks for since 1.0.95 have a text.
    private static func hasAddress(_ fields: HaloPhoneSDK.HaloPassthroughFields) -> Bool {
        guard let said = try? JSONReader().read(Array(fields.json.utf8)) else { return false }
        return ["streetAddress", "city", "stateProvince", "countryCode"].allSatisfy {
            said[$0]?.string?.isEmpty == false
        }
    }

    /// A result with its code as the SDK spells it: capitals up to 1.0.86, Apple's lower camel case since 1.0.90.
    private static func spelt(_ result: HaloPhoneSDK.HaloPaymentResult, _ isRespelt: Bool)
        -> HaloPhoneSDK.HaloPaymentResult
    {
        guard isRespelt, case .declined(let code?, let message) = result, code.rawValue.allSatisfy(isCapital) else {
            return result
        }
        let words = code.rawValue.lowercased().split(separator: "_")
        let camel = words.enumerated().map { $0 == 0 ? String($1) : $1.prefix(1).uppercased() + $1.dropFirst() }
        return .declined(errorCode: HaloPhoneSDK.HaloErrorCode(rawValue: camel.joined()), errorMessage: message)
    }

    private static func isCapital(_ letter: Character) -> Bool { letter == "_" || ("A"..."Z").contains(letter) }

    private func taken(
        _ units: Int64, _ currency: String, _ reference: String, _ type: HaloPhoneSDK.HaloTransactionType,
        _ fault: Fault?
    ) async -> HaloPhoneSDK.HaloPaymentResult {
        step(.paymentStarted)
        guard let currency = Currency.known(currency), units > 0, !reference.isEmpty else {
            return ended(nil, "the amount, the currency or the reference is wrong")
        }
        step(.paymentValidated)
        if case .ends(let code) = fault { return ended(code, "as the fault has it") }
        let order = Order(amount: Money(minorUnits: units, currency), reference: reference, type: type)
        return await told(await paid(order), fault)
    }

    private func paid(_ order: Order) async -> HaloPhoneSDK.HaloPaymentResult {
        let read: CardReadResult
        do {
            read = try await reader.read(CardReadRequest(order.type == .refund ? .refund : .purchase, order.amount))
        } catch let error as PaymentError {
            return ended(Self.code(error), error.detail)
        } catch { return ended(nil, "the reader failed") }
        if read.isDeclinedByCard { return ended(.cardDeclined, "the card itself declines") }
        let first: Answer
        switch await submitted("/transactions/apple", read, order, isPIN: false) {
        case .success(let answer): first = answer
        case .failure(let silence): return ended(Self.code(silence), "no answer to the tap")
        }
        guard Self.wantsPIN(first), let name = first.authorization?["haloReference"]?.string,
            let pinToken = first.authorization?["pinToken"]?.string
        else { return finished(first) }
        let typed: CardReadResult
        do { typed = try await reader.readPIN(token: Secret(pinToken), after: read) } catch {
            return ended(.userCancelled, "Payment cancelled by user")
        }
        switch await submitted("/transactions/\(name)/submitPinApple", typed, order, isPIN: true) {
        case .success(let answer): return finished(answer)
        case .failure(let silence): return ended(Self.code(silence), "no answer to the PIN")
        }
    }

    private func submitted(
        _ target: String, _ read: CardReadResult, _ order: Order, isPIN: Bool
    ) async -> Result<Answer, Silence> {
        step(.transactionSubmissionStarted, ["isSingleTapAndPin": String(isPIN)])
        let body: JSON = [
            "merchantReference": .string(order.reference), "generalCardData": .string(read.generalCardData.expose()),
            "paymentCardData": .string(read.paymentCardData.expose()),
        ]
        do throws(Silence) {
            let answer = try await send(target, body)
            var metadata = [
                "isApproved": String(answer.authorization?["type"]?.string == "Approved"),
                "isSingleTapAndPin": String(isPIN || Self.wantsPIN(answer)),
            ]
            if isPIN || Self.wantsPIN(answer) {
                metadata["originalTransactionId"] = answer.authorization?["haloReference"]?.string
            }
            step(.transactionResponseReceived, metadata)
            return .success(answer)
        } catch { return .failure(error) }
    }

    private static func wantsPIN(_ answer: Answer) -> Bool {
        answer.authorization?["isSingleTapAndPin"]?.bool == true && answer.authorization?["type"]?.string == "Declined"
    }

    /// What an answer of the server ends the payment with.
    private func finished(_ answer: Answer) -> HaloPhoneSDK.HaloPaymentResult {
        guard let said = answer.authorization else {
            guard let code = answer.body?["errorCode"] else { return ended(nil, "status \(answer.status)") }
            let text = code.string ?? code.int64.map { String($0) } ?? ""
            return ended(HaloPhoneSDK.HaloErrorCode(rawValue: text), answer.body?["message"]?.string ?? "")
        }
        switch said["type"]?.string {
        case "Approved":
            guard let name = said["haloReference"]?.string, let amount = said["amount"]?.int64,
                let currency = said["currency"]?.string, let reference = said["merchantReference"]?.string
            else { return ended(nil, "the answer could not be read") }
            step(.paymentApproved)
            return .approved(
                HaloPhoneSDK.HaloReceipt(
                    transactionId: name, authCode: said["authorizationCode"]?.string,
                    cardBrand: said["cardScheme"]?.string,
                    last4: (said["maskedPAN"]?.string?.suffix(4)).map { String($0) },
                    amountMinor: amount, currency: currency, reference: reference, approvedAt: clock.now))
        case "Declined", "DeclinedOffline":
            step(.paymentDeclined)
            return .declined(errorCode: .cardDeclined, errorMessage: said["errorMessage"]?.string)
        default: return ended(nil, "the answer says \(said["type"]?.string ?? "nothing")")
        }
    }

    /// The answer as the fault leaves it.
    private func told(_ result: HaloPhoneSDK.HaloPaymentResult, _ fault: Fault?) async -> HaloPhoneSDK.HaloPaymentResult
    {
        switch fault {
        case .loses(let code): return .declined(errorCode: code, errorMessage: "the answer is lost")
        case .answersLate(let milliseconds): await wait(milliseconds)
        case .echoes(let units):
            guard case .approved(let receipt) = result else { return result }
            return .approved(Self.changed(receipt, amountMinor: units, reference: receipt.reference))
        case .renames:
            guard case .approved(let receipt) = result else { return result }
            return .approved(Self.changed(receipt, amountMinor: receipt.amountMinor, reference: "another"))
        case .ends, .forgets, nil: break
        }
        return result
    }

    private static func changed(
        _ receipt: HaloPhoneSDK.HaloReceipt, amountMinor: Int64, reference: String
    ) -> HaloPhoneSDK.HaloReceipt {
        HaloPhoneSDK.HaloReceipt(
            transactionId: receipt.transactionId, authCode: receipt.authCode, cardBrand: receipt.cardBrand,
            last4: receipt.last4, amountMinor: amountMinor, currency: receipt.currency, reference: reference,
            approvedAt: receipt.approvedAt)
    }

    private func ended(_ code: HaloPhoneSDK.HaloErrorCode?, _ message: String) -> HaloPhoneSDK.HaloPaymentResult {
        step(code == .userCancelled ? .paymentCancelled : code == .cardDeclined ? .paymentDeclined : .paymentError)
        return .declined(errorCode: code, errorMessage: message)
    }

    private static func code(_ silence: Silence) -> HaloPhoneSDK.HaloErrorCode {
        switch silence {
        case .network: .networkError
        case .stalled: .timeout
        case .authTokenUnauthorized: .authTokenUnauthorized
        }
    }

    /// How the kit calls what its reader ended with; nil where its document has no word.
    private static func code(_ error: PaymentError) -> HaloPhoneSDK.HaloErrorCode? {
        switch error.provider?.code {
        case "screenCaptureDetected": .screenCaptureDetected
        case "readFromBackgroundError": .userCancelled
        default:
            switch error.code {
            case .cancelled: .userCancelled
            case .readerBusy: .paymentInProgress
            default: nil
            }
        }
    }
}

extension SimulatedHaloSDK {
    /// What came back for a request.
    struct Answer {
        let status: Int
        let body: JSON?
        /// The answer to a submission; nil in anything else.
        var authorization: JSON? { body?["onlineAuthorizationResponse"] }
    }

    /// Why nothing came back.
    enum Silence: Error, Hashable {
        case network, stalled, authTokenUnauthorized
    }

    /// Sends one request under the token of the moment, and once more under a new one after a refusal of it.
    func send(_ target: String, _ body: JSON? = nil) async throws(Silence) -> Answer {
        let first = try await send(target, body, try await currentToken())
        if first.status != 401 { return first }
        state.withLock { $0.token = nil }
        let second = try await send(target, body, try await renewedToken())
        if second.status == 401 { throw .authTokenUnauthorized }
        return second
    }

    private func send(_ target: String, _ body: JSON?, _ token: Secret) async throws(Silence) -> Answer {
        var headers: HTTPHeaders = ["Authorization": "Bearer \(token.expose())"]
        if body != nil {
            headers["Content-Type"] = "application/json"
            headers["X-Device-Installation-Id"] = "halo-kit-installation-1"
        }
        let request = HTTPRequest("POST", origin, target, headers: headers, body: body?.bytes() ?? [])
        do throws(TransportFailure) {
            let response = try await transport.send(request)
            return Answer(status: response.status, body: try? JSONReader().read(response.body))
        } catch {
            throw error.reason == .stalled || error.reason == .connectTimedOut ? .stalled : .network
        }
    }

    /// The token of the moment; a new one shortly before it lapses.
    private func currentToken() async throws(Silence) -> Secret {
        if let token = state.withLock({ $0.token }), let expires = Self.expiry(of: token),
            expires > clock.now + Self.marginMilliseconds
        {
            return token
        }
        return try await renewedToken()
    }

    private func renewedToken() async throws(Silence) -> Secret {
        do throws(HaloPhoneSDK.HaloError) { return try await freshToken() } catch { throw .authTokenUnauthorized }
    }

    /// Asks the application for a token, which has to say when it lapses.
    func freshToken() async throws(HaloPhoneSDK.HaloError) -> Secret {
        guard let provider = state.withLock({ $0.provider }) else { throw .notInitialized }
        guard let token = try? await provider(), let expires = Self.expiry(of: token), expires > clock.now else {
            throw .authTokenUnauthorized
        }
        state.withLock { $0.token = token }
        return token
    }

    /// When a token lapses; nil where it doesn't say.
    private static func expiry(of token: Secret) -> Int64? {
        let parts = token.expose().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64.urlSafe.decode(String(parts[1])),
            let claims = try? JSONReader().read(bytes)
        else { return nil }
        return claims["exp"]?.int64.map { $0 * 1_000 }
    }
}
