internal import PaymentBase
internal import PaymentMobileSDKs
internal import PaymentTransport

extension SimulatedNISDK {
    private typealias Failure = NIPhoneSDK.AppleTapToPaySDKError

    /// What the document calls the numbers for which it has no names, by its own descriptions.
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
