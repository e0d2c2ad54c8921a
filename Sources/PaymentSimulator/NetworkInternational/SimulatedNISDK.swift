public import PaymentBase
public import PaymentMobileSDKs
public import PaymentTransport

internal import struct PaymentModel.CardReadRequest
internal import struct PaymentModel.CardReadResult
internal import struct PaymentModel.Currency
internal import struct PaymentModel.Money
internal import struct PaymentModel.PaymentError
internal import enum PaymentModel.ReaderEvent

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
        /// Whether the reader's session is gone after each payment.
        var losesSessions = false
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

    /// Behaves as a reading of the documents has it; those that are not about the SDK change nothing here.
    public func play(reading: String) {
        if reading == "ni.sdk.session/2" { state.withLock { $0.losesSessions = true } }
    }
    /// Lets something go wrong in the next payment.
    public func play(_ fault: Fault) { state.withLock { $0.fault = fault } }
    /// Lets the next preparation fail.
    public func failPreparation(_ error: NIPhoneSDK.AppleTapToPaySDKError) { state.withLock { $0.failure = error } }
    /// Puts it on another device.
    public func run(on support: NIPhoneSDK.SoftPOSSupport) { state.withLock { $0.support = support } }
    /// The customer or the merchant closes its screen; too late once the card is there.
    public func closeScreen() async { _ = try? await reader.cancel() }
    /// Reports an error that belongs to no call.
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

extension SimulatedNISDK {
    private typealias End = Result<NIPhoneSDK.PaymentResponse, NIPhoneSDK.AppleTapToPaySDKError>

    /// What was asked for.
    private struct Order {
        let token: Secret
        let amount: Money
        let isDryRun: Bool
    }

    public func processPayment(
        authToken: Secret, paymentType: NIPhoneSDK.PaymentType, amount: String, currencyCode: String, dryRun: Bool,
        onProgress: (@Sendable (Int) -> Void)?
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.PaymentResponse {
        state.withLock { $0.startCount += 1 }
        guard !authToken.isEmpty else { throw .invalidAuthToken }
        guard Self.isCurrency(currencyCode), let currency = Currency.known(currencyCode) else {
            throw .invalidCurrencyCode
        }
        guard let units = Self.units(amount) else { throw .invalidAmount }
        guard paymentType == .contactless else {
            throw NIPhoneSDK.AppleTapToPaySDKError(201, "invalidTransactionType")
        }
        let (fault, refusal) = begin()
        if let refusal { throw refusal }
        let order = Order(token: authToken, amount: Money(minorUnits: units, currency), isDryRun: dryRun)
        let end = Promise<End>()
        // Who asked may leave; the screen stays.
        Task(executorPreference: executor) { [self] in
            let result: End
            do throws(NIPhoneSDK.AppleTapToPaySDKError) {
                result = .success(try await taken(order, fault, onProgress))
            } catch { result = .failure(error) }
            state.withLock { state in
                state.isBusy = false
                if state.losesSessions { state.isReady = false }
            }
            end.fulfill(result)
        }
        return try await end.value().get()
    }

    /// Takes the screen, if it is free.
    private func begin() -> (fault: Fault?, refusal: NIPhoneSDK.AppleTapToPaySDKError?) {
        state.withLock { state in
            if state.isBusy { return (nil, .processPaymentReadError.saying("the screen is in use")) }
            let fault = state.fault
            state.fault = nil
            if fault == .forgets { state.isReady = false }
            guard state.isReady else { return (nil, .readerTokenInvalid) }
            state.isBusy = true
            return (fault, nil)
        }
    }

    private func taken(
        _ order: Order, _ fault: Fault?, _ onProgress: (@Sendable (Int) -> Void)?
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.PaymentResponse {
        if case .ends(let error) = fault { throw error }
        onProgress?(1)
        let read = try await read(order)
        onProgress?(50)
        let answer = order.isDryRun ? rehearsed(order) : try await submitted(order, read)
        onProgress?(100)
        return try await told(answer, fault)
    }

    private func read(_ order: Order) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> CardReadResult {
        do { return try await reader.read(CardReadRequest(.purchase, order.amount)) } catch let error as PaymentError {
            let isUnprepared = error.code == .readerUnavailable && error.provider == nil
            if isUnprepared, state.withLock({ $0.isReady }) { throw .genericError.saying(error.detail) }
            throw .processPaymentReadError.saying(error.detail)
        } catch { throw .processPaymentReadError.saying("the reader failed") }
    }

    private func submitted(
        _ order: Order, _ read: CardReadResult
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.PaymentResponse {
        let body: JSON = [
            "language": "EN", "locale": "", "tid": .string(terminal), "payment": .string(read.paymentCardData.expose()),
        ]
        let said = try await send("POST", "/payment/card/purchase", order.token, body)
        guard let said, let reference = said["reference"]?.string, let name = said["orderReference"]?.string,
            let word = said["state"]?.string
        else { throw .invalidPaymentProcessResponse }
        var answer = NIPhoneSDK.PaymentResponse(reference: reference, orderReference: name, state: word)
        (answer.updateDateTime, answer.outletId) = (said["updateDateTime"]?.string, said["outletId"]?.string)
        if let amount = said["amount"] {
            guard let code = amount["currencyCode"]?.string, let value = amount["value"]?.int64 else {
                throw .invalidPaymentProcessResponse
            }
            answer.amount = NIPhoneSDK.Amount(currencyCode: code, value: value)
        }
        if let given = said["authResponse"], given != .null {
            guard let isGood = given["success"]?.bool else { throw .invalidPaymentProcessResponse }
            var response = NIPhoneSDK.AuthResponse(success: isGood)
            response.authorizationCode = given["authorizationCode"]?.string
            (response.resultCode, response.resultMessage) = (
                given["resultCode"]?.string, given["resultMessage"]?.string
            )
            response.mid = given["mid"]?.string
            answer.authResponse = response
        }
        return answer
    }

    /// What a dry run answers; the document doesn't say, and nothing is sent.
    private func rehearsed(_ order: Order) -> NIPhoneSDK.PaymentResponse {
        var answer = NIPhoneSDK.PaymentResponse(reference: "dry-run", orderReference: "dry-run", state: "PURCHASED")
        answer.amount = NIPhoneSDK.Amount(currencyCode: order.amount.currency.code, value: order.amount.minorUnits)
        return answer
    }

    /// The answer as the fault leaves it.
    private func told(
        _ answer: NIPhoneSDK.PaymentResponse, _ fault: Fault?
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.PaymentResponse {
        var said = answer
        switch fault {
        case .loses(let error): throw error
        case .answersLate(let milliseconds):
            let end = clock.now + milliseconds
            await Task(executorPreference: executor) { [clock] in try? await clock.sleep(until: end) }.value
        case .isTerse:
            said = NIPhoneSDK.PaymentResponse(
                reference: answer.reference, orderReference: answer.orderReference, state: answer.state)
        case .echoes(let units):
            said.amount = NIPhoneSDK.Amount(currencyCode: answer.amount?.currencyCode ?? "", value: units)
        case .says(let word):
            said = NIPhoneSDK.PaymentResponse(
                reference: answer.reference, orderReference: answer.orderReference, state: word)
            (said.amount, said.authResponse, said.outletId) = (answer.amount, answer.authResponse, answer.outletId)
        case .isElsewhere: said.outletId = "another"
        case .ends, .forgets, nil: break
        }
        return said
    }
}

extension SimulatedNISDK {
    public func getTransactions(
        limit: Int, offset: Int, authToken: Secret
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.GetTransactionsResponse {
        let said = try await send("GET", "/reporting/payments?limit=\(limit)&offset=\(offset)", authToken)
        guard let items = said?["items"]?.array else { throw .dataParsingError(310) }
        let read = items.compactMap { Self.transaction($0) }
        guard read.count == items.count else { throw .dataParsingError(310) }
        return NIPhoneSDK.GetTransactionsResponse(items: read)
    }

    public func getTransactionDetails(
        reference: String, authToken: Secret
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.GetTransactionDetailsResponse {
        let said = try await send("GET", "/reporting/orders/\(reference)", authToken)
        guard let captured = said?["paymentInfo"]?["captured"]?["value"]?.int64,
            let refunded = said?["paymentInfo"]?["refunded"]?["value"]?.int64,
            let made = said?["createDateTime"]?.string.flatMap({ Timestamp($0)?.milliseconds })
        else { throw .dataParsingError(310) }
        // Until midnight in Dubai it is voided, from then on refunded.
        let isSettled = clock.now >= NISimulator.cutOff(after: made)
        return NIPhoneSDK.GetTransactionDetailsResponse(
            refundEnabled: isSettled && captured > refunded, voidEnabled: !isSettled && captured > 0 && refunded == 0)
    }

    public func refundTransaction(
        authToken: Secret, transactionId: String, amount: String, currencyCode: String
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.RefundTransactionResponse {
        guard let units = Self.units(amount) else { throw .invalidAmount }
        let body: JSON = [
            "amount": ["currencyCode": .string(currencyCode), "value": .number(JSONNumber(units))]
        ]
        let said = try await send(
            "POST", "/payment/card/orders/\(transactionId)/actions/refund", authToken, body,
            missing: .invalidTransactionId)
        guard let name = said?["refundId"]?.string, let status = said?["status"]?.string else {
            throw .dataParsingError(610)
        }
        return NIPhoneSDK.RefundTransactionResponse(refundId: name, status: status)
    }

    public func voidTransaction(
        authToken: Secret, transactionId: String
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.VoidTransactionResponse {
        let said = try await send(
            "POST", "/payment/card/orders/\(transactionId)/actions/cancel", authToken, missing: .invalidTransactionId)
        guard let name = said?["voidId"]?.string, let status = said?["status"]?.string else {
            throw .dataParsingError(710)
        }
        return NIPhoneSDK.VoidTransactionResponse(voidId: name, status: status)
    }

    private static func transaction(_ item: JSON) -> NIPhoneSDK.Transaction? {
        guard let reference = item["reference"]?.string else { return nil }
        var read = NIPhoneSDK.Transaction(reference: reference)
        (read.createdDateTime, read.action) = (item["createdDateTime"]?.string, item["action"]?.string)
        (read.currencyCode, read.status) = (item["currencyCode"]?.string, item["status"]?.string)
        read.amount = item["amount"]?.string.flatMap { SDKDecimal($0) }
        read.refundedAmount = item["refundedAmount"]?.string.flatMap { SDKDecimal($0) }
        (read.channel, read.outletName) = (item["channel"]?.string, item["outletName"]?.string)
        (read.cardScheme, read.cardPan) = (item["cardScheme"]?.string, item["cardPan"]?.string)
        read.cardholderName = item["cardholderName"]?.string.map { PersonalData($0) }
        (read.lastEvent, read.rrn, read.authCode) = (
            item["lastEvent"]?.string, item["rrn"]?.string, item["authCode"]?.string
        )
        return read
    }
}

extension SimulatedNISDK {
    private typealias Failure = NIPhoneSDK.AppleTapToPaySDKError

    /// Error names, made from NI's descriptions, for the error numbers that NI's document does not name.
    private static let described: [Int: String] = [
        112: "propositionServiceNotEnabled", 113: "invalidPAN", 114: "unsupportedCardScheme", 115: "invalidTerminalID",
        116: "unsupportedOrderAction", 118: "amountLimitExceeded", 119: "operationCannotBePerformed",
        201: "invalidTransactionType", 301: "transactionsCannotBeRetrieved",
    ]

    /// Sends a request with the device token, and gives the body of an answer that accepts it.
    ///
    /// - Parameter missing: What a reference that names nothing is called in this call.
    func send(
        _ method: String, _ path: String, _ token: Secret, _ body: JSON? = nil,
        missing: NIPhoneSDK.AppleTapToPaySDKError = .genericError
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> JSON? {
        guard !token.isEmpty else { throw .invalidAuthToken }
        var headers: HTTPHeaders = [
            "Authorization": "Bearer \(token.expose())", "Accept": NISimulator.softposType,
        ]
        if method != "GET" { headers["Content-Type"] = NISimulator.softposType }
        let request = HTTPRequest(
            method, origin, setup.serverBasePath + path, headers: headers, body: body?.bytes() ?? [])
        let response: HTTPResponse
        do throws(TransportFailure) { response = try await transport.send(request) } catch {
            throw .networkError.saying("no answer")
        }
        let said = try? JSONReader().read(response.body)
        if (200..<300).contains(response.status) { return said }
        throw Self.failure(response.status, said, missing)
    }

    /// How the SDK calls a refusal of the platform: 401 and 403 have one number, what the body names has its own.
    private static func failure(
        _ status: Int, _ body: JSON?, _ missing: NIPhoneSDK.AppleTapToPaySDKError
    ) -> NIPhoneSDK.AppleTapToPaySDKError {
        let message = body?["message"]?.string ?? "status \(status)"
        if status == 401 || status == 403 { return .networkUnauthorizedError.saying(message) }
        let code = body?["errors"]?[0]?["errorCode"]
        let number = code?.string.flatMap { Int($0) } ?? code?.int64.map { Int($0) }
        if status < 500, let number {
            if let name = described[number] { return Failure(number, name, errorMessage: message) }
            if number == 202 { return .invalidCurrencyCode.saying(message) }
            if number == 203 { return .invalidAmount.saying(message) }
            if number == 510 { return .readerTokenInvalid.saying(message) }
        }
        return (status == 404 ? missing : .genericError).saying(message)
    }

    /// Gets the token that the reader is prepared with.
    func fetchReaderToken(
        _ token: Secret, _ currency: String
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> Secret {
        guard Self.isCurrency(currency) else { throw .invalidCurrencyCode }
        let said: JSON?
        do { said = try await send("POST", "/payment-card-reader-token", token, ["currency": .string(currency)]) } catch
        {
            switch error.code {
            case Failure.networkUnauthorizedError.code: throw .invalidAuthToken.saying(error.errorMessage)
            case Failure.genericError.code: throw .readerTokenNotAvailable.saying(error.errorMessage)
            default: throw error
            }
        }
        guard let given = said?["token"]?.string, !given.isEmpty else { throw .readerTokenNotAvailable }
        state.withLock { $0.readerToken = (Secret(given), currency) }
        return Secret(given)
    }

    static func isCurrency(_ code: String) -> Bool {
        code.utf8.count == 3 && code.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    /// An amount as calls take it: digits without a point; nil for anything else.
    static func units(_ amount: String) -> Int64? {
        let isDigits = amount.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isDigits ? Int64(amount) : nil
    }
}
