internal import PaymentProviderKit

extension ErrorTable {
    /// The numbers of the provider's kit and the statuses of its interface; what is not listed may have been executed.
    static let ni = ErrorTable(kit + device + statuses)

    private static let kit: [Row] = [
        Row("1", "sdk", .providerFailed, .maybeSent, "something unexpected happened; the message says more"),
        Row("100", "sdk", .deviceUnsupported, .notSent, "the device is too old or can't read cards"),
        Row("101", "sdk", .configuration, .notSent, retry: .safe, "the kit or its client was not set up"),
        Row("102", "sdk", .authentication, .refused, "the device token is missing or has lapsed"),
        Row("110", "sdk", .network, .maybeSent, userAction: true, "the platform could not be reached"),
        Row("111", "sdk", .authentication, .maybeSent, "the platform refused the access; see the setting scheme"),
        Row("112", "sdk", .configuration, .refused, userAction: true, "the service is not enabled for the merchant"),
        Row("113", "sdk", .invalidRequest, .refused, userAction: true, "the card's number is not valid"),
        Row("114", "sdk", .invalidRequest, .refused, userAction: true, "cards of this scheme are not taken"),
        Row("115", "sdk", .configuration, .refused, userAction: true, "the terminal is unknown or bound elsewhere"),
        Row("116", "sdk", .conflict, .refused, retry: .never, "the order does not allow this"),
        Row("118", "sdk", .invalidRequest, .refused, userAction: true, "the amount is above the limit"),
        Row("119", "sdk", .conflict, .refused, retry: .afterStatusCheck, "this can't be done"),
        Row("201", "payment", .invalidRequest, .refused, "the kind of transaction is not valid"),
        Row("202", "payment", .invalidRequest, .refused, "the currency is not taken; see the setting currencies"),
        Row("203", "payment", .amountTooHigh, .refused, "the amount is not valid or more than what is left"),
        Row("210", "payment", .unreadableReply, .maybeSent, "the answer to a payment could not be read"),
        Row("301", "list", .providerUnavailable, .refused, "the transactions can't be had now"),
        Row("310", "list", .unreadableReply, .maybeSent, "the answer about transactions could not be read"),
        Row("610", "refund", .unreadableReply, .maybeSent, "the answer to a refund could not be read"),
        Row("710", "void", .unreadableReply, .maybeSent, "the answer to a void could not be read"),
        Row("invalidTransactionId", "request", .notFound, .refused, "the reference names nothing"),
    ]

    private static let device: [Row] = [
        Row("501", "reader", .providerUnavailable, .refused, "no token for the reader could be had"),
        Row("510", "reader", .authentication, .refused, retry: .safe, "the reader's token is not valid"),
        Row("515", "reader", .providerUnavailable, .refused, "whether the account is linked could not be found out"),
        Row("516", "reader", .configuration, .notSent, retry: .safe, "the reader's set-up is wrong"),
        Row("520", "reader", .termsNotAccepted, .notSent, retry: .safe, "the terms were not accepted"),
        Row("530", "reader", .readerUnavailable, .notSent, "the reader's screen was closed or did not appear"),
        Row("801", "location", .locationRequired, .notSent, retry: .safe, "nothing that knows the location was set up"),
        Row("802", "location", .locationRequired, .notSent, userAction: true, "the location may not be used"),
        Row("803", "location", .locationRequired, .notSent, retry: .safe, "the location could not be found out"),
        Row("810", "location", .locationRequired, .notSent, retry: .safe, "the country could not be found out"),
    ]

    private static let statuses: [Row] = [
        Row("http.400", "http", .invalidRequest, .refused, "the request is not valid"),
        Row("http.401", "http", .authentication, .maybeSent, isRetryable: true, "the token is unknown or has lapsed"),
        Row("http.403", "http", .permission, .maybeSent, userAction: true, "the access does not allow this"),
        Row(
            "http.404", "http", .notFound, .maybeSent,
            "there is no such thing; see the setting basePath if nothing is found"),
        Row("http.406", "http", .invalidRequest, .refused, "the media type that was asked for is wrong"),
        Row("http.409", "http", .conflict, .refused, retry: .afterStatusCheck, "its state does not allow this"),
        Row("http.415", "http", .invalidRequest, .refused, "the media type that was sent is wrong"),
        Row("http.422", "http", .invalidRequest, .refused, "the request can't be carried out as it is"),
        Row("http.429", "http", .rateLimited, .maybeSent, isRetryable: true, "too many requests"),
        Row("http.500", "http", .providerFailed, .maybeSent, "the platform failed"),
        Row(
            "http.502", "http", .providerUnavailable, .maybeSent, "the platform could not be reached behind its gateway"
        ),
        Row("http.503", "http", .providerUnavailable, .maybeSent, "the platform is down for now"),
        Row("http.504", "http", .providerUnavailable, .maybeSent, "the platform did not answer its gateway in time"),
    ]
}
