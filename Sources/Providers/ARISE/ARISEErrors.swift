internal import PaymentAbstraction
internal import PaymentBase

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
            Row("failedToAbortTransaction", "TTPError", .conflict, .maybeSent, "the card is being read; it goes on"),
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
