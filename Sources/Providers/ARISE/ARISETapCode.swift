internal import PaymentAbstraction
internal import PaymentBase

/// One of ARISE's codes for Tap to Pay, with what its document says about it.
struct ARISETapCode: Sendable {
    let code: String
    let isRecoverable: Bool
    let category: PaymentError.Code
    let delivery: Delivery
    let retry: RetryAdvice
    let requiresUserAction: Bool
    let message: String
    let resolution: String

    private init(
        _ code: String, _ isRecoverable: Bool, _ category: PaymentError.Code, _ delivery: Delivery,
        _ retry: RetryAdvice, act: Bool, _ message: String, _ resolution: String
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
