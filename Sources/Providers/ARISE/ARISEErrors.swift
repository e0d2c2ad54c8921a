internal import PaymentProviderKit

extension ErrorTable {
    /// What ARISE's refusals mean; what is not listed may have been executed.
    static let arise = ErrorTable(
        [
            // AriseApiError, by status. What a gateway gives as well proves nothing about the ARISE behind it.
            Row("307", "status", .configuration, .maybeSent, "the address redirects; correct `endpoint`"),
            Row("308", "status", .configuration, .maybeSent, "the address redirects; correct `endpoint`"),
            Row("400", "AriseApiError", .invalidRequest, .refused, "malformed or invalid parameters"),
            Row(
                "401", "AriseApiError", .authentication, .maybeSent, isRetryable: true,
                "the access token is invalid or has expired"),
            Row("402", "status", .providerFailed, .maybeSent, "declined by status; the transaction says more"),
            Row("403", "AriseApiError", .permission, .maybeSent, userAction: true, "the access does not allow this"),
            Row("404", "AriseApiError", .notFound, .maybeSent, "there is no such thing"),
            Row("405", "status", .invalidRequest, .refused, "the path takes no such method"),
            Row("406", "status", .invalidRequest, .refused, "the path gives no such media type"),
            Row("408", "status", .timedOut, .maybeSent, "the gateway timed out"),
            Row("409", "status", .conflict, .refused, retry: .afterStatusCheck, "the state does not allow this"),
            Row("415", "status", .invalidRequest, .refused, "the path takes no such media type"),
            Row("422", "status", .invalidRequest, .refused, "the parameters don't fit together"),
            Row("429", "status", .rateLimited, .maybeSent, isRetryable: true, "too many requests"),
            Row("500", "AriseApiError", .providerFailed, .maybeSent, "the server failed"),
            Row("502", "status", .providerUnavailable, .maybeSent, "bad gateway"),
            Row("503", "status", .providerUnavailable, .maybeSent, "unavailable for now"),
            Row("504", "status", .timedOut, .maybeSent, "the gateway timed out"),
            Row("unknown", "AriseApiError", .providerFailed, .maybeSent, "an error of no known kind"),
            Row("invalidResponse", "AriseApiError", .unreadableReply, .maybeSent, "the answer could not be read"),
            Row("networkError", "AriseApiError", .network, .maybeSent, userAction: true, "the network failed"),
            // The envelope's own codes.
            Row("V0000", "errorCode", .invalidRequest, .refused, "validation failed"),
            Row("F0000", "errorCode", .permission, .refused, userAction: true, "an API permission is missing"),
            Row("N0000", "errorCode", .notFound, .refused, "there is no such thing"),
            Row("I0000", "errorCode", .providerFailed, .maybeSent, "an integration behind ARISE failed"),
            Row("IsDuplicate", "errorCode", .conflict, .refused, retry: .never, "a duplicate; look the original up"),
            Row("IDEMPOTENCY_CONFLICT", "errorCode", .conflict, .refused, retry: .afterStatusCheck, "key used before"),
            // OAuth, and AuthenticationError.
            Row("invalid_client", "oauth", .authentication, .refused, userAction: true, "client id or secret is wrong"),
            Row("invalid_request", "oauth", .authentication, .refused, "the token request is malformed"),
            Row("invalid_grant", "oauth", .authentication, .refused, "the refresh token is refused"),
            Row("unsupported_grant_type", "oauth", .configuration, .refused, "no such grant"),
            Row(
                "invalidCredentials", "AuthenticationError", .authentication, .refused, userAction: true, "credentials"),
            Row("tokenExpired", "AuthenticationError", .authentication, .refused, retry: .safe, "sign in again"),
            // TTPError, and the reader framework's own.
            Row("notCompatible", "TTPError", .deviceUnsupported, .refused, userAction: true, "the device won't do"),
            Row("notActive", "TTPError", .termsNotAccepted, .refused, retry: .safe, userAction: true, "activate first"),
            Row("sdkNotInitialized", "TTPError", .configuration, .refused, retry: .safe, "prepare the reader first"),
            Row("configurationFailed", "TTPError", .configuration, .refused, "the merchant's set-up is incomplete"),
            Row("activationFailed", "TTPError", .accountNotLinked, .refused, retry: .safe, "accept the terms"),
            Row("transactionFailed", "TTPError", .providerFailed, .maybeSent, "the tap failed; its code says more"),
            Row("failedToAbortTransaction", "TTPError", .conflict, .maybeSent, "the card is being read; it continues"),
            Row("PaymentCardReaderError.0", "reader", .configuration, .refused, userAction: true, "notAllowed"),
        ]
            + ARISETapCode.all.map { code in
                Row(
                    code.code, "TTP", code.category, code.delivery, retry: code.retry,
                    userAction: code.requiresUserAction, code.message)
            })
}

/// What ARISE's document advises for a code; the provider's words, never ours.
public struct ARISEResolution: Hashable, Sendable {
    /// Whether the document calls the error recoverable.
    public let isRecoverable: Bool
    /// What the document suggests; empty where it suggests nothing.
    public let text: String

    /// Finds the advice for a code; nil for codes without one.
    public init?(_ code: String) {
        guard let found = ARISETapCode.all.first(where: { $0.code == code }) else { return nil }
        (isRecoverable, text) = (found.isRecoverable, found.resolution)
    }
}

/// The body of an answer that is no success, in any of the shapes that servers of ARISE write.
struct ARISERefusal {
    /// The status, as the table names it.
    let status: String?
    let code: String
    let message: String

    /// Reads a body; names count in either case.
    init(_ json: JSON?, status: Int?) {
        let body = json?.object.map { JSONObject(lowercased: $0) }
        func text(_ name: String) -> String { body?[name]?.string ?? "" }
        let said = body?["statuscode"]?.int64 ?? body?["status"]?.int64
        self.status = status.map { String($0) } ?? said.map { String($0) }
        let errors = body?["errors"]?.object.map { JSONObject(lowercased: $0) }
        let isDuplicate = body?["isduplicate"]?.bool == true || errors?["isduplicate"] != nil
        code = isDuplicate ? "IsDuplicate" : text("errorcode").isEmpty ? text("error") : text("errorcode")
        message = [text("details"), text("title"), text("error_description")].first { !$0.isEmpty } ?? ""
    }

    /// Statuses that a gateway gives as well as ARISE. Without a code of ARISE's they prove nothing; the published codes
    /// beside them are those of checks that come before the execution.
    private static let gatewayStatuses: Set<String> = ["401", "403", "404", "429"]

    /// What it means: ARISE's own code counts, else the status.
    ///
    /// A code that is not listed says less than the status; and what a failure of the server leaves open, no code closes.
    var fault: RequestFailure {
        let table = ErrorTable.arise
        let known = table[code] == nil ? "" : code
        var fault = table.failure(code: known, fallback: status, message: message)
        let isOpen = status.map { status in
            !Self.gatewayStatuses.contains(status) && (table[status]?.delivery ?? .maybeSent) == .maybeSent
        }
        if isOpen == true, fault.delivery != .maybeSent {
            fault = table.failure(code: "", fallback: status, message: message)
        }
        if known.isEmpty, !code.isEmpty { fault.provider = ProviderMessage(code: code, message: message) }
        return fault
    }

    /// The same with how long the answer asks to wait.
    func fault(_ refusal: HTTPErrorResponse) -> RequestFailure {
        var fault = fault
        fault.retryAfterMilliseconds = refusal.retryAfterMilliseconds
        return fault
    }
}

extension JSONObject {
    /// The same members with names in lower case.
    fileprivate init(lowercased object: JSONObject) {
        self.init()
        for member in object.members { self[member.key.lowercased()] = member.value }
    }
}

/// One of ARISE's codes for Tap to Pay, with what its document says about it.
struct ARISETapCode: Sendable {
    let code: String
    let isRecoverable: Bool
    let category: PaymentError.Code
    let delivery: Delivery
    let retry: PaymentError.RetryAdvice
    let requiresUserAction: Bool
    let message: String
    let resolution: String

    private init(
        _ code: String, _ isRecoverable: Bool, _ category: PaymentError.Code, _ delivery: Delivery,
        _ retry: PaymentError.RetryAdvice, act: Bool, _ message: String, _ resolution: String
    ) {
        (self.code, self.isRecoverable, self.category, self.delivery) = (code, isRecoverable, category, delivery)
        (self.retry, requiresUserAction, self.message, self.resolution) = (retry, act, message, resolution)
    }

    private static let signInAgain =
        "If the user is logged in, try logging out and log in back in. Alternatively, reinstall the app."
    private static let later =
        "Try again after some time. If the issue continues after multiple attempts, contact customer care for assistance."
    private static let checkRequest = "Check the request object parameters and their expected value."
    private static let contact = "Contact customer care."
    private static let tryAgain = "Ask the user to try again."
    private static let logIn = "Ask for re-login."

    /// Every code, in the order of the document; those that a transaction can end with leave its outcome open.
    static let all: [ARISETapCode] = [
        .init(
            "DEV003", false, .deviceUnsupported, .refused, .never, act: true,
            "The device does not support Tap to Pay on iOS device", "Try a different device."),
        .init(
            "GPS003", true, .locationRequired, .refused, .safe, act: true,
            "The device could not be located. Move to a location where a GPS signal can be received",
            "Restart the app. If not resolved, then contact customer care. This error is also known to be thrown when the ARISE Mobile SDK is not initiated in the main thread. Check the Init section for details and examples for proper SDK initialization."
        ),
        .init(
            "GPS005", true, .permission, .refused, .never, act: true,
            "Partner is not allowed to operate in the current country", ""),
        .init(
            "GPS006", true, .locationRequired, .refused, .safe, act: true,
            "The device could not be located. Move to a location where the GPS signal can be received", ""),
        .init(
            "ATT018", true, .providerUnavailable, .maybeSent, .safe, act: true,
            "Unable to connect to the server. Please try again later", signInAgain),
        .init(
            "ATT019", true, .configuration, .maybeSent, .never, act: false, "The app is missing a team identifier",
            "Specify the team identifier in the information list."),
        .init(
            "ATT020", true, .configuration, .maybeSent, .never, act: false, "The app is missing a bundle identifier",
            "Verify the info.plist file, specifically the CFBundleShortVersionString."),
        .init(
            "ATT021", true, .deviceCompromised, .maybeSent, .safe, act: true, "Attestation failed. Please try again",
            signInAgain),
        .init(
            "ATT022", true, .deviceCompromised, .maybeSent, .safe, act: true, "Attestation failed. Please try again",
            signInAgain),
        .init(
            "ATT023", true, .deviceCompromised, .maybeSent, .safe, act: true, "Attestation failed. Please try again",
            signInAgain),
        .init(
            "ATT024", true, .configuration, .maybeSent, .safe, act: true, "Attestation failed. Please try again",
            signInAgain),
        .init(
            "DATA001", false, .notFound, .maybeSent, .never, act: false, "The requested object is not found",
            checkRequest),
        .init("DATA002", false, .invalidRequest, .maybeSent, .never, act: false, "Invalid request", checkRequest),
        .init(
            "DATA003", false, .invalidRequest, .maybeSent, .never, act: false, "Malformed JSON Request",
            "Check request object parameters and their expected value."),
        .init("DATA005", false, .deviceCompromised, .maybeSent, .never, act: true, "Access denied", contact),
        .init(
            "DATA008", true, .providerFailed, .maybeSent, .safe, act: true,
            "Error storing information. Please try again", later),
        .init(
            "DATA009", true, .providerFailed, .maybeSent, .safe, act: true,
            "Error removing information. Please try again", later),
        .init("DATA010", true, .providerFailed, .maybeSent, .safe, act: true, "Error occurred", later),
        .init(
            "DATA011", true, .unreadableReply, .maybeSent, .afterStatusCheck, act: true,
            "Null or empty value encountered", later),
        .init(
            "DATA012", true, .unreadableReply, .maybeSent, .afterStatusCheck, act: true,
            "Unexpected or empty value is encountered", later),
        .init(
            "CRYPTO001", true, .network, .maybeSent, .safe, act: false,
            "Something went wrong on our end. Please try again", later),
        .init(
            "CRYPTO002", true, .unreadableReply, .maybeSent, .afterStatusCheck, act: true,
            "Something went wrong on our end. Please try again", later),
        .init(
            "CRYPTO003", true, .providerFailed, .maybeSent, .afterStatusCheck, act: true,
            "Something went wrong on our end. Please try again", later),
        .init(
            "CRYPTO004", true, .unreadableReply, .maybeSent, .afterStatusCheck, act: true,
            "Something went wrong on our end. Please try again", later),
        .init(
            "CRYPTO005", true, .configuration, .maybeSent, .afterStatusCheck, act: true,
            "Something went wrong on our end. Please try again", later),
        .init(
            "CRYPTO006", true, .unreadableReply, .maybeSent, .afterStatusCheck, act: true,
            "Something went wrong on our end. Please try again", later),
        .init(
            "SEC005", true, .configuration, .refused, .safe, act: false,
            "Sorry, something went wrong at our end. Please try again", later),
        .init(
            "SEC008", false, .deviceCompromised, .refused, .never, act: true,
            "A potential security concern has been identified. Please install the application on another device or contact customer support",
            "Reinstall the application on your device and contact customer care."),
        .init("SEC001", true, .authentication, .refused, .safe, act: true, "Authentication token expired", logIn),
        .init(
            "DEC_04", true, .authentication, .refused, .safe, act: true,
            "We could not validate the information. Please try again", logIn),
        .init(
            "MER003", false, .configuration, .refused, .never, act: true, "Merchant configuration not found", contact),
        .init("MER004", false, .configuration, .refused, .never, act: true, "Merchant display name not found", contact),
        .init(
            "MER005", false, .configuration, .refused, .never, act: true, "Merchant category code not found", contact),
        .init("MER006", false, .configuration, .refused, .never, act: true, "Terminal Profile ID not found", contact),
        .init(
            "MER007", false, .configuration, .refused, .never, act: true, "Merchant currency code not found", contact),
        .init("MER008", false, .configuration, .refused, .never, act: true, "Merchant country code not found", contact),
        .init(
            "EC_02", true, .providerFailed, .maybeSent, .afterStatusCheck, act: false,
            "Some error occurred. Please try again later", later),
        .init(
            "EC_500", true, .providerFailed, .maybeSent, .afterStatusCheck, act: false, "Internal Server Error", later),
        .init("EC_502", true, .providerUnavailable, .maybeSent, .afterStatusCheck, act: false, "Bad Gateway", tryAgain),
        .init(
            "EC_503", true, .providerUnavailable, .maybeSent, .afterStatusCheck, act: false,
            "Service temporarily unavailable",
            tryAgain),
        .init("EC_504", true, .timedOut, .maybeSent, .afterStatusCheck, act: false, "Gateway time-out", tryAgain),
        .init(
            "AUTH_001", true, .authentication, .refused, .safe, act: false, "Unauthorized or authentication Error",
            "Provide a valid JWT authorization token."),
        .init(
            "MISSING_REQUIRED_FIELD", false, .configuration, .refused, .never, act: false,
            "Missing required field subMerchantId/displayName",
            "Provide sub merchantId/displayName for Payment Gateway - Delegated model."),
        .init(
            "PARTNER_UNAUTHORIZED", false, .permission, .refused, .never, act: true,
            "We are sorry, but this partner does not currently support the operating system. Please contact your partner for assistance",
            "Please contact your partner for assistance."),
    ]
}

/// A failure of Tap to Pay with ARISE's own code: what a reader of an application throws, so that the code is kept.
public struct ARISETapFailure: Error, Hashable, Sendable {
    /// The code, such as `GPS003`, `notActive` or `PaymentCardReaderError.0`.
    public let code: String
    /// What came with it.
    public let message: String

    /// Keeps a code and a text.
    public init(_ code: String, message: String = "") { (self.code, self.message) = (code, message) }
}
