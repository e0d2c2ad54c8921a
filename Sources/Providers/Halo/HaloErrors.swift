internal import PaymentProviderKit

extension ErrorTable {
    /// The provider's numbers, its words in both spellings, and the statuses; what is not listed may have been
    /// executed.
    static let halo = ErrorTable(numbers + device + readers + words + statuses)

    private static let numbers: [Row] = [
        rows("0", "outcome", .unreadableReply, .maybeSent, "nothing went wrong, and it is called an error"),
        rows("1 2 65", "outcome", .invalidRequest, .refused, userAction: true, "declined"),
        rows("100 117 118", "request", .authentication, .refused, "the token was refused or has lapsed"),
        rows("101 105 120 121 123 133", "request", .permission, .refused, "the access does not allow this"),
        rows(
            "102", "request", .configuration, .refused,
            "the set-up of the access is wrong; the back office takes the officeKey"),
        rows("106 107 127 128 135", "request", .configuration, .refused, "the set-up of the access is wrong"),
        rows(
            "126", "request", .configuration, .refused,
            "tokens are not signed as the provider wants; see the setting algorithm"),
        rows("103 134", "request", .invalidRequest, .refused, "the request could not be read"),
        rows(
            "104", "request", .configuration, .refused, userAction: true,
            "the request or the server's set-up is wrong; the settings location, passthroughFields and refundAmounts "
                + "change what is sent"),
        rows(
            "108 109 111 112 113 114 136", "request", .configuration, .refused, retry: .safe,
            "the device's keys are missing or wrong; register it again"),
        rows("110", "request", .conflict, .maybeSent, "this came before"),
        rows("115", "request", .deviceCompromised, .refused, retry: .safe, "the device is not attested"),
        rows("116 139", "request", .deviceCompromised, .refused, "the device failed its check or is blocked"),
        rows("119 130 131", "request", .conflict, .refused, retry: .never, "there is one of this name"),
        rows("122", "request", .notFound, .refused, "there is no such thing"),
        rows("124", "request", .conflict, .maybeSent, "there is a payment under this reference; it is looked up"),
        rows("125", "request", .unreadableReply, .refused, "the receipt's signature is wrong"),
        rows("129", "request", .providerUnavailable, .maybeSent, "something behind the provider failed"),
        rows("132", "request", .rateLimited, .refused, userAction: true, "too many tries to sign in"),
        rows("137 138", "request", .deviceUnsupported, .refused, "the device's reader is not supported"),
        rows("200 201 202 203 204 205", "transaction", .providerFailed, .maybeSent, "the provider failed inside"),
        rows("208 214", "transaction", .configuration, .refused, userAction: true, "the merchant's set-up is wrong"),
        rows("209 211", "transaction", .invalidRequest, .refused, userAction: true, "declined"),
        rows("210", "transaction", .providerUnavailable, .maybeSent, "no processor could be reached"),
        rows("212", "transaction", .conflict, .refused, retry: .never, "it is too late to give it back"),
        rows(
            "213", "transaction", .conflict, .maybeSent,
            "this was refunded already, or the provider takes no second refund of a payment; it is looked up"),
    ].flatMap { $0 }

    private static let device: [Row] = [
        rows("300 323", "device", .readerUnavailable, .refused, userAction: true, "the reader is switched off"),
        rows("301 319", "device", .providerFailed, .maybeSent, "the device is in a wrong state"),
        rows("302", "device", .invalidRequest, .refused, "the currency is not taken; see the setting currencies"),
        rows("410", "device", .invalidRequest, .refused, "the reference is not valid"),
        rows("303 311 326 327", "device", .deviceUnsupported, .refused, "the device can't do this"),
        rows("304", "device", .authentication, .refused, "the token could not be read"),
        rows("305", "device", .network, .maybeSent, userAction: true, "the network failed"),
        rows("306 307 309", "device", .unreadableReply, .maybeSent, "the answer could not be believed or read"),
        rows("308 324 325 405 399", "device", .configuration, .refused, retry: .safe, "the device has to be set up"),
        rows("310 320 329 404", "device", .deviceCompromised, .refused, "the device could not be checked"),
        rows("313", "device", .readerBusy, .refused, "a check of the device is under way"),
        rows("312", "device", .configuration, .refused, userAction: true, "the device's clock is wrong"),
        rows("314 315 316 322 403 328 402", "device", .deviceCompromised, .refused, "the device failed its check"),
        rows("317", "device", .cancelled, .refused, "it was cancelled"),
        rows("318", "device", .timedOut, .refused, userAction: true, "no card came in time"),
        rows("321 330 406 412 413", "device", .providerFailed, .refused, "the device's cryptography failed"),
        rows("401", "device", .permission, .refused, userAction: true, "the camera may not be used"),
        rows("411", "device", .configuration, .refused, "the reader's software is missing"),
        rows("414", "device", .readerUnavailable, .refused, userAction: true, "the PIN could not be taken"),
    ].flatMap { $0 }

    private static let readers: [Row] = [
        rows("500 501", "reader", .permission, .refused, userAction: true, "the reader's radio may not be used"),
        rows("513", "reader", .locationRequired, .refused, userAction: true, "the location may not be used"),
        rows("502 506 509", "reader", .readerUnavailable, .refused, userAction: true, "the reader is off or away"),
        rows("517 505", "reader", .readerUnavailable, .maybeSent, "the reader went away on the way"),
        rows("503 512 519", "reader", .readerBusy, .refused, "the reader is busy"),
        rows("504 514", "reader", .readerUnavailable, .refused, "the reader could not be paired"),
        rows("507", "reader", .timedOut, .maybeSent, "the reader did not answer in time"),
        rows("508 511 515", "reader", .configuration, .refused, userAction: true, "the reader's set-up is wrong"),
        rows("510", "reader", .readerUnavailable, .refused, userAction: true, "the PIN could not be taken"),
        rows("516 518", "reader", .readerUnavailable, .refused, userAction: true, "charge or update the reader"),
        rows("520 521", "reader", .deviceCompromised, .refused, "the reader was tampered with"),
    ].flatMap { $0 }

    private static let words: [Row] = [
        rows("USER_CANCELLED userCancelled", "word", .cancelled, .refused, "the customer cancelled"),
        rows(
            "CARD_DECLINED cardDeclined OFFLINE_DECLINED offlineDeclined", "word", .invalidRequest, .refused,
            userAction: true,
            "declined"),
        rows(
            "CARD_NOT_SUPPORTED cardNotSupported", "word", .invalidRequest, .refused, userAction: true,
            "this card is not taken"),
        rows("NETWORK_ERROR networkError", "word", .network, .maybeSent, userAction: true, "the network failed"),
        rows("networkAuthenticationError", "word", .network, .refused, "the network asks for a sign-in"),
        rows(
            "serviceConnectionError accountLinkingCheckFailed", "word", .providerUnavailable, .refused,
            "the service could not be reached"),
        rows(
            "PAYMENT_IN_PROGRESS paymentInProgress readerBusy", "word", .readerBusy, .refused, "a payment is under way"),
        rows(
            "DEVICE_NOT_SUPPORTED deviceNotSupported modelNotSupported osVersionNotSupported passcodeDisabled unsupported",
            "word", .deviceUnsupported, .refused,
            "the device can't take cards"),
        rows(
            "SCREEN_CAPTURE_DETECTED screenCaptureDetected", "word", .deviceCompromised, .refused, retry: .safe,
            "the screen is captured"),
        rows("NOT_INITIALIZED notInitialized", "word", .configuration, .refused, retry: .safe, "nothing was set up"),
        rows("TIMEOUT timeout", "word", .timedOut, .maybeSent, "no answer came in time"),
        rows(
            "PPS-4003", "word", .timedOut, .refused, userAction: true,
            "the card data is too old; the card has to be tapped again"),
        rows(
            "AUTH_TOKEN_UNAUTHORIZED authTokenUnauthorized", "word", .authentication, .refused,
            "the token provider's tokens are refused"),
        rows(
            "APP_IN_BACKGROUND backgroundRequestNotAllowed requestInterrupted readNotAllowedDuringCall "
                + "READER_ERROR readerError prepareFailed notReady prepareExpired readerMemoryFull", "word",
            .readerUnavailable, .refused,
            "the reader can't read now"),
        rows(
            "LOCATION_ERROR locationError", "word", .locationRequired, .refused, retry: .safe,
            "the location is not known"),
        rows(
            "ACCOUNT_LINKING_ERROR accountLinkingError accountNotLinked accountLinkingRequiresiCloudSignIn accountLinkingFailed",
            "word", .accountNotLinked, .refused, retry: .safe,
            "the merchant's account is not linked"),
        rows(
            "accountLinkingCancelled", "word", .termsNotAccepted, .refused, retry: .safe, "the terms were not accepted"),
        rows("accountAlreadyLinked", "word", .conflict, .refused, "the account is linked already"),
        rows("accountDeactivated merchantBlocked", "word", .permission, .refused, "the merchant is blocked"),
        rows(
            "TOKEN_ERROR tokenError invalidReaderToken emptyReaderToken", "word", .configuration, .refused,
            retry: .safe,
            "the reader's token is wrong"),
        rows("tokenExpired", "word", .readerUnavailable, .refused, "the reader's token has lapsed"),
        rows(
            "DEVICE_BANNED deviceBanned deviceNotCompliant", "word", .deviceCompromised, .refused,
            "the device is banned"),
        rows(
            "MERCHANT_NOT_ALLOWED invalidMerchant notAllowed", "word", .configuration, .refused, userAction: true,
            "the merchant may not use this"),
        rows(
            "STORE_FORWARD_ERROR storeAndForwardNotAllowed storeAndForwardSessionExpired "
                + "storeAndForwardSessionInvalidated storeAndForwardTokenIssuerChanged", "word", .configuration,
            .refused,
            "nothing is taken offline"),
        rows(
            "SYSTEM_ERROR systemError transactionError unknown", "word", .providerFailed, .maybeSent, "something broke"),
        rows(
            "INVALID_AMOUNT invalidAmount INVALID_CURRENCY invalidCurrency INVALID_REFERENCE invalidReference "
                + "invalidPassthroughFields", "word", .invalidRequest, .refused, "the request is not valid"),
    ].flatMap { $0 }

    private static let statuses: [Row] = [
        [Row("Request Expired", "word", .timedOut, .refused, userAction: true, "the card data is too old; tap again")],
        rows("http.400 http.415 http.422", "http", .invalidRequest, .refused, "the request is not valid"),
        rows("http.401", "http", .authentication, .maybeSent, mayRepeat: true, "the token was refused"),
        rows("http.403", "http", .permission, .maybeSent, "the access does not allow this"),
        rows("http.404", "http", .notFound, .maybeSent, "there is no such thing"),
        rows("http.409", "http", .conflict, .refused, retry: .afterStatusCheck, "its state does not allow this"),
        [Row("http.429", "http", .rateLimited, .maybeSent, isRetryable: true, "too many requests")],
        rows("http.500", "http", .providerFailed, .maybeSent, "the provider failed"),
        rows("http.502 http.503 http.504", "http", .providerUnavailable, .maybeSent, "the provider is down for now"),
    ].flatMap { $0 }
}
