internal import PaymentAbstraction
internal import PaymentBase

extension ErrorTable {
    /// The provider's numbers, its words in both spellings, and the statuses; what is not listed may have been
    /// executed.
    static let halo = ErrorTable(numbers + device + readers + words + statuses)

    private static func rows(
        _ family: String, _ category: PaymentError.Code, _ delivery: Delivery, _ codes: String, _ message: String,
        retry: RetryAdvice? = nil, userAction: Bool? = nil
    ) -> [Row] {
        codes.split(separator: " ").map { code in
            Row(String(code), family, category, delivery, retry: retry, userAction: userAction, message)
        }
    }

    private static let numbers: [Row] = [
        rows("outcome", .unreadableReply, .maybeSent, "0", "nothing went wrong, and it is called an error"),
        rows("outcome", .invalidRequest, .refused, "1 2 65", "declined", userAction: true),
        rows("request", .authentication, .refused, "100 117 118", "the token was refused or has lapsed"),
        rows("request", .permission, .refused, "101 105 120 121 123 133", "the access does not allow this"),
        rows("request", .configuration, .refused, "102 106 107 126 127 128 135", "the set-up of the access is wrong"),
        rows("request", .invalidRequest, .refused, "103 134", "the request could not be read"),
        rows(
            "request", .configuration, .refused, "104", "the request or the server's set-up is wrong", userAction: true),
        rows(
            "request", .configuration, .refused, "108 109 111 112 113 114 136",
            "the device's keys are missing or wrong; register it anew", retry: .safe),
        rows("request", .conflict, .maybeSent, "110", "this came before"),
        rows("request", .deviceCompromised, .refused, "115", "the device is not attested", retry: .safe),
        rows("request", .deviceCompromised, .refused, "116 139", "the device failed its check or is blocked"),
        rows("request", .conflict, .refused, "119 130 131", "there is one of this name", retry: .never),
        rows("request", .notFound, .refused, "122", "there is no such thing"),
        rows("request", .conflict, .maybeSent, "124", "there is a payment under this reference; it is looked up"),
        rows("request", .unreadableReply, .refused, "125", "the receipt's signature is wrong"),
        rows("request", .unavailable, .maybeSent, "129", "something behind the provider failed"),
        rows("request", .rateLimited, .refused, "132", "too many tries to sign in", userAction: true),
        rows("request", .deviceUnsupported, .refused, "137 138", "the device's reader is not supported"),
        rows("transaction", .providerFailed, .maybeSent, "200 201 202 203 204 205", "the provider failed inside"),
        rows("transaction", .configuration, .refused, "208 214", "the merchant's set-up is wrong", userAction: true),
        rows("transaction", .invalidRequest, .refused, "209 211", "declined", userAction: true),
        rows("transaction", .unavailable, .maybeSent, "210", "no processor could be reached"),
        rows("transaction", .conflict, .refused, "212", "it is too late to give it back", retry: .never),
        rows("transaction", .conflict, .maybeSent, "213", "this was given back already; it is looked up"),
    ].flatMap { $0 }

    private static let device: [Row] = [
        rows("device", .readerUnavailable, .refused, "300 323", "the reader is switched off", userAction: true),
        rows("device", .providerFailed, .maybeSent, "301 319", "the device is in a wrong state"),
        rows("device", .invalidRequest, .refused, "302 410", "the currency or the reference is not valid"),
        rows("device", .deviceUnsupported, .refused, "303 311 326 327", "the device can't do this"),
        rows("device", .authentication, .refused, "304", "the token could not be read"),
        rows("device", .network, .maybeSent, "305", "the network failed", userAction: true),
        rows("device", .unreadableReply, .maybeSent, "306 307 309", "the answer could not be believed or read"),
        rows("device", .configuration, .refused, "308 324 325 405 399", "the device has to be set up", retry: .safe),
        rows("device", .deviceCompromised, .refused, "310 320 329 404", "the device could not be checked"),
        rows("device", .readerBusy, .refused, "313", "a check of the device is under way"),
        rows("device", .configuration, .refused, "312", "the device's clock is wrong", userAction: true),
        rows("device", .deviceCompromised, .refused, "314 315 316 322 403 328 402", "the device failed its check"),
        rows("device", .cancelled, .refused, "317", "it was cancelled"),
        rows("device", .timedOut, .refused, "318", "no card came in time", userAction: true),
        rows("device", .providerFailed, .refused, "321 330 406 412 413", "the device's cryptography failed"),
        rows("device", .permission, .refused, "401", "the camera may not be used", userAction: true),
        rows("device", .configuration, .refused, "411", "the reader's software is missing"),
        rows("device", .readerUnavailable, .refused, "414", "the PIN could not be taken", userAction: true),
    ].flatMap { $0 }

    private static let readers: [Row] = [
        rows("reader", .permission, .refused, "500 501", "the reader's radio may not be used", userAction: true),
        rows("reader", .locationRequired, .refused, "513", "the location may not be used", userAction: true),
        rows("reader", .readerUnavailable, .refused, "502 506 509", "the reader is off or away", userAction: true),
        rows("reader", .readerUnavailable, .maybeSent, "517 505", "the reader went away on the way"),
        rows("reader", .readerBusy, .refused, "503 512 519", "the reader is busy"),
        rows("reader", .readerUnavailable, .refused, "504 514", "the reader could not be paired"),
        rows("reader", .timedOut, .maybeSent, "507", "the reader did not answer in time"),
        rows("reader", .configuration, .refused, "508 511 515", "the reader's set-up is wrong", userAction: true),
        rows("reader", .readerUnavailable, .refused, "510", "the PIN could not be taken", userAction: true),
        rows("reader", .readerUnavailable, .refused, "516 518", "charge or update the reader", userAction: true),
        rows("reader", .deviceCompromised, .refused, "520 521", "the reader was tampered with"),
    ].flatMap { $0 }

    private static let words: [Row] = [
        rows("word", .cancelled, .refused, "USER_CANCELLED userCancelled", "the customer cancelled"),
        rows(
            "word", .invalidRequest, .refused, "CARD_DECLINED cardDeclined OFFLINE_DECLINED offlineDeclined",
            "declined", userAction: true),
        rows(
            "word", .invalidRequest, .refused, "CARD_NOT_SUPPORTED cardNotSupported", "this card is not taken",
            userAction: true),
        rows("word", .network, .maybeSent, "NETWORK_ERROR networkError", "the network failed", userAction: true),
        rows("word", .network, .refused, "networkAuthenticationError", "the network wants somebody to sign in"),
        rows(
            "word", .unavailable, .refused, "serviceConnectionError accountLinkingCheckFailed",
            "the service could not be reached"),
        rows(
            "word", .readerBusy, .refused, "PAYMENT_IN_PROGRESS paymentInProgress readerBusy", "a payment is under way"),
        rows(
            "word", .deviceUnsupported, .refused,
            "DEVICE_NOT_SUPPORTED deviceNotSupported modelNotSupported osVersionNotSupported passcodeDisabled unsupported",
            "the device can't take cards"),
        rows(
            "word", .deviceCompromised, .refused, "SCREEN_CAPTURE_DETECTED screenCaptureDetected",
            "the screen is captured", retry: .safe),
        rows("word", .configuration, .refused, "NOT_INITIALIZED notInitialized", "nothing was set up", retry: .safe),
        rows("word", .timedOut, .maybeSent, "TIMEOUT timeout", "no answer came in time"),
        rows(
            "word", .timedOut, .refused, "PPS-4003",
            "the card data is too old; the card has to be tapped again", userAction: true),
        rows(
            "word", .authentication, .refused, "AUTH_TOKEN_UNAUTHORIZED authTokenUnauthorized",
            "the token provider's tokens are refused"),
        rows(
            "word", .readerUnavailable, .refused,
            "APP_IN_BACKGROUND backgroundRequestNotAllowed requestInterrupted readNotAllowedDuringCall "
                + "READER_ERROR readerError prepareFailed notReady prepareExpired readerMemoryFull",
            "the reader can't read now"),
        rows(
            "word", .locationRequired, .refused, "LOCATION_ERROR locationError", "the location is not known",
            retry: .safe),
        rows(
            "word", .accountNotLinked, .refused,
            "ACCOUNT_LINKING_ERROR accountLinkingError accountNotLinked accountLinkingRequiresiCloudSignIn accountLinkingFailed",
            "the merchant's account is not linked", retry: .safe),
        rows(
            "word", .termsNotAccepted, .refused, "accountLinkingCancelled", "the terms were not accepted", retry: .safe),
        rows("word", .conflict, .refused, "accountAlreadyLinked", "the account is linked already"),
        rows("word", .permission, .refused, "accountDeactivated merchantBlocked", "the merchant is blocked"),
        rows(
            "word", .configuration, .refused, "TOKEN_ERROR tokenError invalidReaderToken emptyReaderToken",
            "the reader's token is wrong", retry: .safe),
        rows("word", .readerUnavailable, .refused, "tokenExpired", "the reader's token has lapsed"),
        rows(
            "word", .deviceCompromised, .refused, "DEVICE_BANNED deviceBanned deviceNotCompliant",
            "the device is banned"),
        rows(
            "word", .configuration, .refused, "MERCHANT_NOT_ALLOWED invalidMerchant notAllowed",
            "the merchant may not use this", userAction: true),
        rows(
            "word", .configuration, .refused,
            "STORE_FORWARD_ERROR storeAndForwardNotAllowed storeAndForwardSessionExpired "
                + "storeAndForwardSessionInvalidated storeAndForwardTokenIssuerChanged", "nothing is taken offline"),
        rows(
            "word", .providerFailed, .maybeSent, "SYSTEM_ERROR systemError transactionError unknown", "something broke"),
        rows(
            "word", .invalidRequest, .refused,
            "INVALID_AMOUNT invalidAmount INVALID_CURRENCY invalidCurrency INVALID_REFERENCE invalidReference "
                + "invalidPassthroughFields", "the request is not valid"),
    ].flatMap { $0 }

    private static let statuses: [Row] = [
        [Row("Request Expired", "word", .timedOut, .refused, userAction: true, "the card data is too old; tap again")],
        rows("http", .invalidRequest, .refused, "http.400 http.415 http.422", "the request is not valid"),
        rows("http", .authentication, .refused, "http.401", "the token was refused"),
        rows("http", .permission, .refused, "http.403", "the access does not allow this"),
        rows("http", .notFound, .refused, "http.404", "there is no such thing"),
        rows("http", .conflict, .refused, "http.409", "its state does not allow this", retry: .afterStatusCheck),
        [Row("http.429", "http", .rateLimited, .refused, mayRepeat: true, "too many requests")],
        rows("http", .providerFailed, .maybeSent, "http.500", "the provider failed"),
        rows("http", .unavailable, .maybeSent, "http.502 http.503 http.504", "the provider is down for now"),
    ].flatMap { $0 }
}
