public import PaymentBase
public import PaymentMobileSDKs
public import PaymentTransport

internal import struct PaymentModel.CardReadRequest
internal import struct PaymentModel.CardReadResult
internal import struct PaymentModel.Money
internal import struct PaymentModel.PaymentError
internal import enum PaymentModel.ReaderEvent

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
        /// Whether the stream of events is refused until the reader is ready.
        var hasNoEventsBefore = false
        var place = ARISEPhoneSDK.LocationPermissionStatus.granted
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
    /// Says whether the application may know the phone's place.
    public func locates(_ permission: ARISEPhoneSDK.LocationPermissionStatus) {
        state.withLock { $0.place = permission }
    }
    /// Leaves out of prices what is paid from a bank account, as for a merchant without bank debits.
    public func leavesOutBankPrices() { state.withLock { $0.hasNoBankPrice = true } }
    /// Refuses the stream of events until the reader is ready.
    public func refusesEventsBeforePreparation() { state.withLock { $0.hasNoEventsBefore = true } }
    /// Behaves as a reading of the documents has it; those that are not about the SDK change nothing here.
    public func play(reading: String) {
        switch reading {
        case "arise.sdk.cancel/2": cancels(as: .failed)
        case "arise.sdk.cancel/3": cancels(as: .thrown)
        case "arise.sdk.tenders/2": leavesOutBankPrices()
        case "arise.sdk.events/2": refusesEventsBeforePreparation()
        default: break
        }
    }
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

    public func getDeviceId() async -> String { Self.device }

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
        let (model, place) = state.withLock { ($0.model, $0.place) }
        let isNew = model != "iPhone10,3"
        return ARISEPhoneSDK.TTPCompatibilityResult(
            isCompatible: isNew && place == .granted,
            deviceModelCheck: .init(isCompatible: isNew, modelIdentifier: model),
            iosVersionCheck: .init(isCompatible: true, version: "18.1", minimumRequiredVersion: "18.0"),
            locationPermission: place, tapToPayEntitlement: .available,
            incompatibilityReasons: (isNew ? [] : ["the model is too old"])
                + (place == .granted ? [] : ["the phone's place is \(place.rawValue)"]))
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
        if state.withLock({ $0.hasNoEventsBefore && !$0.isReady }) { throw .ttp(.sdkNotInitialized) }
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

extension SimulatedARISESDK {
    private typealias End = Result<ARISEPhoneSDK.TTPTransactionResult, ARISEPhoneSDK.Failure>

    /// What was asked for: the amount in cents, and the members that tell its parts.
    private struct Order {
        let cents: Int64
        var parts: JSONObject = [:]
        var isQuoted = false
    }

    public func performTransaction(
        amount: SDKDecimal
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        guard let cents = amount.minorUnits(places: 2), cents > 0 else {
            throw .ttp(.transactionFailed(ARISEPhoneSDK.TTPErrorCode(rawValue: "DATA002"), "the amount is not valid"))
        }
        return try await perform(Order(cents: cents))
    }

    public func performTransaction(
        calculationResult: ARISEPhoneSDK.CalculateAmountResponse, isDebitCard: Bool
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        let price = isDebitCard ? calculationResult.debitCard : calculationResult.creditCard
        guard let price, let cents = price.totalAmount.minorUnits(places: 2), cents > 0 else {
            throw .ttp(.transactionFailed(ARISEPhoneSDK.TTPErrorCode(rawValue: "DATA002"), "the amount is not valid"))
        }
        let parts: JSONObject = [
            "subTotal": .string(price.baseAmount.text), "tip": .string(price.tipAmount.text),
            "discount": .string(price.percentageOffAmount.text), "surchargeRate": .string(price.surchargeRate.text),
        ]
        return try await perform(Order(cents: cents, parts: parts, isQuoted: true))
    }

    public func abortTransaction() async throws(ARISEPhoneSDK.Failure) -> Bool {
        let (isReady, isBusy, hasCard) = state.withLock { state in
            state.abortCount += 1
            if state.isBusy, !state.hasCard { state.wantsAbort = true }
            return (state.isReady, state.isBusy, state.hasCard)
        }
        guard isReady else { throw .ttp(.sdkNotInitialized) }
        guard isBusy else { return false }
        let tooLate = ARISEPhoneSDK.Failure.ttp(
            .failedToAbortTransaction(ARISEPhoneSDK.TTPErrorCode(rawValue: ""), "the card is being read"))
        if hasCard { throw tooLate }
        guard (try? await reader.cancel()) == .cancelled else { throw tooLate }
        return true
    }

    private func perform(_ order: Order) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        let (fault, refusal): (Fault?, ARISEPhoneSDK.Failure?) = state.withLock { state in
            state.startCount += 1
            if state.isBusy { return (nil, .cardReader(.init(rawValue: "readerBusy"))) }
            let fault = state.fault
            state.fault = nil
            if fault == .forgets { state.isReady = false }
            guard state.isReady else { return (nil, .ttp(.sdkNotInitialized)) }
            (state.isBusy, state.hasCard, state.wantsAbort) = (true, false, false)
            return (fault, nil)
        }
        if let refusal { throw refusal }
        let end = Promise<End>()
        // Who asked may leave; the screen stays.
        Task(executorPreference: executor) { [self] in
            let result: End
            do throws(ARISEPhoneSDK.Failure) { result = .success(try await taken(order, fault)) } catch {
                tell(.customEvent(.errorOccurred))
                result = .failure(error)
            }
            state.withLock { $0.isBusy = false }
            end.fulfill(result)
        }
        return try await end.value().get()
    }

    private func taken(
        _ order: Order, _ fault: Fault?
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        if case .ends(let failure) = fault { throw failure }
        if state.withLock({ $0.hasSurcharge }), !order.isQuoted {
            throw .ttp(
                .configurationFailed(ARISEPhoneSDK.TTPErrorCode(rawValue: ""), "a surcharge needs a calculation"))
        }
        if state.withLock({ $0.activeUntil }) <= clock.now, try await getStatus() != .active { throw .ttp(.notActive) }
        let read: CardReadResult
        do { read = try await reader.read(CardReadRequest(.purchase, Money(minorUnits: order.cents, .usd))) } catch {
            return try ended(error)
        }
        if read.isDeclinedByCard { return ARISEPhoneSDK.TTPTransactionResult(status: .declined) }
        var isSeen = true
        if case .losesUnseen = fault { isSeen = false }
        if isSeen {
            tell(.customEvent(.cardReadSuccess))
            tell(.customEvent(.authorizing))
        }
        var body = order.parts
        body["amount"] = .number(JSONNumber(units: order.cents, places: 2))
        body["currencyId"] = 1
        body["deviceId"] = .string(Self.device)
        body["generalCardData"] = .string(read.generalCardData.expose())
        body["paymentCardData"] = .string(read.paymentCardData.expose())
        let said = try await send("POST", "/pay-api/v1/transactions/tap-to-pay", .object(body), once: true)
        guard let said, said["transactionOutcome"] != nil else { throw .api(.invalidResponse("no outcome")) }
        let result = Self.result(said)
        if isSeen { tell(.customEvent(result.status == .approved ? .approved : .declined)) }
        return try await told(result, fault)
    }

    /// What a read that gave no card ends with.
    private func ended(_ error: any Error) throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        let failure = error as? PaymentError
        if failure?.code == .cancelled {
            switch state.withLock({ $0.cancelShape }) {
            case .status: return ARISEPhoneSDK.TTPTransactionResult(status: .cancelled)
            case .failed: return ARISEPhoneSDK.TTPTransactionResult(status: .failed)
            case .thrown:
                throw .ttp(.transactionFailed(ARISEPhoneSDK.TTPErrorCode(rawValue: ""), "The read was cancelled."))
            }
        }
        tell(.customEvent(.cardReadFailure))
        if let name = failure?.provider?.code {
            throw .cardReader(ARISEPhoneSDK.PaymentCardReaderError(rawValue: name))
        }
        throw .ttp(.transactionFailed(ARISEPhoneSDK.TTPErrorCode(rawValue: ""), failure?.detail ?? "the reader failed"))
    }

    private func told(
        _ result: ARISEPhoneSDK.TTPTransactionResult, _ fault: Fault?
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        var said = result
        switch fault {
        case .loses(let failure), .losesUnseen(let failure): throw failure
        case .answersLate(let milliseconds):
            let end = clock.now + milliseconds
            await Task(executorPreference: executor) { [clock] in try? await clock.sleep(until: end) }.value
        case .echoes(let text): said.authorizedAmount = text
        case .isNameless: said.transactionId = nil
        case .says(let status): said.status = status
        case .ends, .forgets, nil: break
        }
        return said
    }
}

extension SimulatedARISESDK {
    public func calculateAmount(
        request: ARISEPhoneSDK.CalculateAmountRequest
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.CalculateAmountResponse {
        let fields: [(String, String?)] = [
            ("amount", request.amount.text), ("currencyId", String(request.currency.rawValue)),
            ("percentageOffRate", request.percentageOffRate?.text), ("surchargeRate", request.surchargeRate?.text),
            ("tipAmount", request.tipAmount?.text), ("tipRate", request.tipRate?.text),
            ("useCardPrice", request.useCardPrice.map { $0 ? "true" : "false" }),
        ]
        let query = fields.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: "&")
        let said = try await send("GET", "/pay-api/v1/transactions/calculate-amount?\(query)")
        guard let cash = Self.amounts(said?["cash"]), let credit = Self.amounts(said?["creditCard"]),
            let debit = Self.amounts(said?["debitCard"]), let bank = Self.amounts(said?["ach"])
        else { throw .api(.invalidResponse("the amounts can't be read")) }
        var response = ARISEPhoneSDK.CalculateAmountResponse(
            currency: request.currency, cash: cash, creditCard: credit, debitCard: debit,
            ach: state.withLock { $0.hasNoBankPrice } ? nil : bank)
        response.useCardPrice = said?["useCardPrice"]?.bool
        return response
    }

    private static func amounts(_ json: JSON?) -> ARISEPhoneSDK.AmountDto? {
        let names = [
            "baseAmount", "percentageOffAmount", "percentageOffRate", "cashDiscountAmount", "cashDiscountRate",
            "surchargeAmount", "surchargeRate", "tipAmount", "tipRate", "taxAmount", "taxRate", "totalAmount",
        ]
        let values = names.compactMap { json?[$0]?.number.flatMap { SDKDecimal($0.text) } }
        guard values.count == names.count else { return nil }
        return ARISEPhoneSDK.AmountDto(
            baseAmount: values[0], percentageOffAmount: values[1], percentageOffRate: values[2],
            cashDiscountAmount: values[3], cashDiscountRate: values[4], surchargeAmount: values[5],
            surchargeRate: values[6], tipAmount: values[7], tipRate: values[8], taxAmount: values[9],
            taxRate: values[10], totalAmount: values[11])
    }

    /// A tap's result as the SDK has it: its own word knows four ends, and takes all that is left for a failure.
    static func result(_ said: JSON) -> ARISEPhoneSDK.TTPTransactionResult {
        let outcome = said["transactionOutcome"]?.string
        let status: ARISEPhoneSDK.TTPTransactionStatus =
            switch outcome?.uppercased() {
            case "APPROVED": .approved
            case "DECLINED": .declined
            case "CANCELLED": .cancelled
            default: .failed
            }
        func text(_ name: String) -> String? { said[name]?.string }
        var result = ARISEPhoneSDK.TTPTransactionResult(status: status)
        (result.transactionId, result.transactionOutcome) = (text("transactionId"), outcome)
        (result.orderId, result.authorizedAmount) = (text("orderId"), text("authorizedAmount"))
        result.authorizationCode = text("authorizationCode")
        result.authorisationResponseCode = text("authorisationResponseCode")
        (result.authorizedDate, result.authorizedDateFormat) = (text("authorizedDate"), text("authorizedDateFormat"))
        (result.cardBrandName, result.maskedCardNumber) = (text("cardBrandName"), text("maskedCardNumber"))
        result.externalReferenceID = text("externalReferenceID")
        result.applicationIdentifier = text("applicationIdentifier")
        result.applicationPreferredName = text("applicationPreferredName")
        result.applicationCryptogram = text("applicationCryptogram").map { Secret($0) }
        result.applicationTransactionCounter = text("applicationTransactionCounter")
        result.terminalVerificationResults = text("terminalVerificationResults")
        result.issuerApplicationData = text("issuerApplicationData").map { Secret($0) }
        result.applicationPANSequenceNumber = text("applicationPANSequenceNumber")
        result.cvmAction = text("cvmAction")
        result.cvmTags = said["cvmTags"]?.array?.map { item in
            var tag = ARISEPhoneSDK.TTPCVMData()
            (tag.tag, tag.value) = (item["tag"]?.string, item["value"]?.string.map { Secret($0) })
            return tag
        }
        return result
    }
}

extension SimulatedARISESDK {
    /// Gets tokens and keeps them.
    func sign(in form: [FormField]) async throws(ARISEPhoneSDK.Failure) {
        var request = HTTPRequest("POST", origin, "/oauth2/token")
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        request.body = Array(FormEncoding.encode(form).utf8)
        let response: HTTPResponse
        do throws(TransportFailure) { response = try await transport.send(request) } catch {
            throw .authentication(.networkError)
        }
        let said = try? JSONReader().read(response.body)
        if response.status == 400 || response.status == 401 { throw .authentication(.tokenExpired) }
        guard response.status == 200, let token = said?["access_token"]?.string,
            let seconds = said?["expires_in"]?.int64
        else { throw .authentication(response.status == 200 ? .invalidResponse : .unknown) }
        let expires = clock.now + seconds * 1_000
        session.tokens.withLock { tokens in
            (tokens.access, tokens.expires) = (Secret(token), expires)
            tokens.refresh = said?["refresh_token"]?.string.map { Secret($0) } ?? tokens.refresh
        }
    }

    /// Sends a request under the token of the moment, and once more under a new one after a refusal of it; what moves
    /// money goes out once.
    func send(
        _ method: String, _ target: String, _ body: JSON? = nil, once: Bool = false
    ) async throws(ARISEPhoneSDK.Failure) -> JSON? {
        guard session.tokens.withLock({ $0.access }) != nil else { throw .api(.unauthorized("no user is signed in")) }
        if await getAccessToken() == nil { _ = try await refreshAccessToken() }
        let first = try await exchange(method, target, body)
        if first.status != 401 || once { return try Self.read(first) }
        _ = try await refreshAccessToken()
        return try Self.read(try await exchange(method, target, body))
    }

    private func exchange(
        _ method: String, _ target: String, _ body: JSON?
    ) async throws(ARISEPhoneSDK.Failure) -> HTTPResponse {
        let token = session.tokens.withLock { $0.access }
        var headers: HTTPHeaders = ["Authorization": "Bearer \(token?.expose() ?? "")", "Accept": "application/json"]
        if body != nil { headers["Content-Type"] = "application/json" }
        let request = HTTPRequest(method, origin, target, headers: headers, body: body?.bytes() ?? [])
        do throws(TransportFailure) { return try await transport.send(request) } catch {
            throw .api(.networkError("no answer"))
        }
    }

    /// The body of an answer that accepts, or the document's error for its status.
    private static func read(_ response: HTTPResponse) throws(ARISEPhoneSDK.Failure) -> JSON? {
        let said = try? JSONReader().read(response.body)
        let text = said?["details"]?.string ?? "status \(response.status)"
        switch response.status {
        case 200..<300:
            if said == nil, !response.body.isEmpty { throw .api(.invalidResponse(text)) }
            return said
        case 400: throw .api(.badRequest(text))
        case 401: throw .api(.unauthorized(text))
        case 403: throw .api(.forbidden(text))
        case 404: throw .api(.notFound(text))
        case 500...: throw .api(.serverError(text))
        default: throw .api(.unknown(text))
        }
    }
}
