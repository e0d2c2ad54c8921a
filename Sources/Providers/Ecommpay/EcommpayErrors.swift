internal import PaymentProviderKit

extension ErrorTable {
    /// The names of the provider's kit, its result codes, and the statuses of its interfaces; what is not listed may
    /// have been executed.
    static let ecommpay = ErrorTable(kit + ecommpayCodes + statuses)

    /// What the kit for phones calls what goes wrong.
    private static let kit: [Row] = [
        Row(
            "CLARIFICATION_FIELDS_ERROR", "sdk", .invalidRequest, .maybeSent,
            "what was answered does not fit, and the payment waits for it"),
        Row("CUSTOMER_ID_NOT_EXIST", "sdk", .invalidRequest, .notSent, retry: .never, "the customer is not named"),
        Row("ILLEGAL_ARGUMENTS", "sdk", .invalidRequest, .notSent, retry: .never, "the request is to be corrected"),
        Row("ILLEGAL_STATE", "sdk", .configuration, .maybeSent, "another call has to come first"),
        Row("INTERACTOR_NOT_RUNNING", "sdk", .configuration, .notSent, "the payment has to be begun first"),
        Row("NETWORK_ERROR", "sdk", .network, .maybeSent, "the connection failed"),
        Row("NETWORK_IS_NOT_AVAILABLE", "sdk", .network, .maybeSent, "the network was gone"),
        Row("NETWORK_TIMEOUT", "sdk", .timedOut, .maybeSent, "no answer came in time"),
        Row("PAYMENT_ALREADY_EXIST", "sdk", .conflict, .maybeSent, "a payment of this name is there; look it up"),
        Row("PAYMENT_HAS_FINAL_STATUS", "sdk", .conflict, .maybeSent, "the payment is final; look it up"),
        Row("PAYMENT_METHOD_NOT_AVAILABLE", "sdk", .invalidRequest, .refused, "the project has no such method"),
        Row("PAYMENT_NOT_FOUND", "sdk", .notFound, .maybeSent, "not found so far, which is never final"),
        Row("PAYMENT_REQUEST_TYPE_NOT_EXIST", "sdk", .invalidRequest, .notSent, retry: .never, "no such request"),
        Row("PAYMENT_TOKEN_NOT_EXIST", "sdk", .invalidRequest, .notSent, retry: .never, "the token is missing"),
        Row("SERVER_API_ERROR", "sdk", .providerFailed, .maybeSent, "the provider's side failed"),
        Row("SERVER_CONTENT_PARSING_ERROR", "sdk", .unreadableReply, .maybeSent, "the answer could not be read"),
        Row("SERVER_METHOD_NOT_FOUND", "sdk", .configuration, .maybeSent, "there is nothing under this address"),
        Row(
            "SERVER_UNAUTHORIZED", "sdk", .authentication, .refused, retry: .safe,
            "the session is unknown or has lapsed; a new one is opened by trying later"),
        Row("SESSION_NOT_INITIALIZED", "sdk", .configuration, .notSent, "a session has to be opened first"),
        Row("UNKNOWN", "sdk", .providerFailed, .maybeSent, "something unexpected happened"),
    ]

    private static let statuses: [Row] = [
        Row("http.400", "http", .invalidRequest, .refused, "the request is not valid"),
        Row(
            "http.401", "http", .authentication, .maybeSent,
            "the session is unknown or has lapsed; a new one is opened by trying later"),
        Row("http.403", "http", .permission, .maybeSent, userAction: true, "the address is not allowed in"),
        Row("http.404", "http", .notFound, .maybeSent, "there is no such thing"),
        Row("http.409", "http", .conflict, .maybeSent, retry: .afterStatusCheck, "its state does not allow this"),
        Row("http.422", "http", .invalidRequest, .refused, "the request could not be read"),
        Row("http.429", "http", .rateLimited, .maybeSent, isRetryable: true, "too many requests"),
        Row("http.500", "http", .providerFailed, .maybeSent, "the platform failed"),
        Row(
            "http.502", "http", .providerUnavailable, .maybeSent, "the platform could not be reached behind its gateway"
        ),
        Row("http.503", "http", .providerUnavailable, .maybeSent, "the platform is down for now"),
        Row("http.504", "http", .providerUnavailable, .maybeSent, "the platform did not answer its gateway in time"),
    ]
}

extension ErrorTable {
    /// The published result codes, grouped by what they mean for a request; whether money moved is said elsewhere.
    static let ecommpayCodes: [Row] = [
        rows(
            "0 20304", "code", .unreadableReply, .maybeSent, "a failure that says success, or something was paid"),
        rows(
            """
            402 3183 3356 1401 1402 1403 1404 1405 1406 1407 1408 1409 1410 1411 1412 1413 1414 1415 1421 1422 \
            1431 1432 1433 1435 1437 1441 1450 1451 1452 1453 1455 1456 1457 1458 1459 1460 1461 1462 1463 \
            1499 10110 10113 10203 10206 10402 10404 10405 10807 10810 10811 10812 20110 20111 20203 20205 20402 \
            30000 30100 30301 30302 30303 30401
            """, "code", .permission, .refused, retry: .never, "it was refused for good"),
        rows("1434", "code", .conflict, .refused, retry: .never, "the risk system takes it for a duplicate"),
        rows(
            """
            100 502 504 2701 3023 3026 3028 3029 3102 3103 3107 3184 3193 3196 3197 3199 3281 3285 3288 3292 \
            3293 3299 3341 3363 3470 3471 3472 3610 3611 3617 10501 10503 10504 10702 10703 10704 10705 10706 \
            10707 10708 10709 10722 10806 20451 20501 20503 20504 20604 20702 20705 20706
            """, "code", .configuration, .refused, userAction: true, "the provider's support has to be asked"),
        rows(
            """
            104 108 301 601 603 604 2466 10000 10100 10104 10105 10107 10202 10301 10505 10601 10603 20000 20100 \
            20104 20105 20202 20301 20601 20603 20812
            """, "code", .providerUnavailable, .refused, "it was refused and may be sent again"),
        rows(
            """
            109 309 319 702 2003 2004 2014 2061 2123 2124 2154 2261 2426 2467 2468 2541 2606 2609 2610 2611 2641 \
            2642 2945 2949 3001 3002 3003 3004 3020 3021 3022 3024 3027 3104 3105 3117 3118 3119 3120 3121 3125 \
            3141 3161 3162 3182 3190 3191 3192 3195 3242 3243 3244 3284 3286 3287 3289 3291 3301 3358 3360 3400 \
            3402 3403 3404 3406 3409 3410 3411 3412 3413 3414 3415 3416 3417 3418 3419 3431 3432 3433 3434 3435 \
            3436 3437 3438 3439 3480 3490 3491 3609 3612 3618 3619 3620 3621 3622 3623 3624 3625 3900 3901 10101 \
            10102 10103 10106 10108 10204 10205 10401 10502 10805 20101 20102 20103 20106 20107 20201 20204 \
            20302 20303 20401 20502
            """, "code", .invalidRequest, .refused, "the request has to be corrected"),
        rows(
            "303 310 318", "code", .permission, .refused, userAction: true, "the project may not do this"),
        rows(
            """
            314 3106 3108 3109 3110 3111 3112 3297 3298 3305 3306 3307 3308 3309 3310 3311 3312 3313 3314 3315 \
            3316 3317 3318 3319 3320 3321 3322 3323 3324 3325 3326 3327 3328 3329 3330 3331 3332 3333 3334 3335 \
            3336 3337 3338 3339 3340 3355 3357 3362 3407 3408 3450 3451 3452 3606 3607 3626 3627 3628 3629 3630 \
            3631 3632 3633 3634 3635 10109 10112 10114 20109 20206 20450
            """, "code", .providerUnavailable, .refused, "it is refused for now"),
        rows(
            "501 3201", "code", .providerFailed, .maybeSent, retry: .afterStatusCheck, "the platform failed"),
        rows(
            "602 10602 20602", "code", .timedOut, .maybeSent, retry: .afterStatusCheck,
            "no answer came in time behind the platform"),
        rows(
            "903 904 3283", "code", .amountTooHigh, .refused, "more than what is left"),
        rows(
            "2147", "code", .rateLimited, .maybeSent, mayRepeat: true,
            "it is locked for a moment, which may be for a copy of the same request"),
        rows(
            "2442", "code", .configuration, .refused, userAction: true, "there is no such project"),
        rows(
            "2801 3101 3181 3186 3194 3221 3241 20703", "code", .notFound, .refused, "there is no such thing"),
        rows(
            "3041 3230 3613", "code", .conflict, .maybeSent, retry: .afterStatusCheck,
            "something of this name is there already; look it up"),
        rows(
            "3060 3081 10701 20701", "code", .conflict, .refused, retry: .afterStatusCheck,
            "its state does not allow this"),
        rows(
            "3061 3062", "code", .notFound, .maybeSent, retry: .afterStatusCheck,
            "not found so far, which is never final"),
        rows(
            "3123 3124 3261 3262", "code", .authentication, .refused, userAction: true,
            "the signature or the key is wrong"),
        rows(
            "3198 9999 10801 19999 20801 20802 20899 29999", "code", .inDoubt, .maybeSent, retry: .afterStatusCheck,
            "it is not decided yet"),
        rows(
            "10201", "code", .invalidRequest, .refused, userAction: true, "the customer has to act"),
        rows(
            "10403", "code", .invalidRequest, .refused, userAction: true, "the customer has to be authenticated"),
    ].flatMap { $0 }
}

/// Why the provider or those behind it refuse, in neutral words.
enum EcommpayDeclineCodes {
    /// The reason behind a result code; one that is not listed is `unmapped`.
    static func reason(_ code: String) -> Decline.Reason { byCode[code] ?? .unmapped }

    private static let groups: [(Decline.Reason, [String])] = [
        (.doNotHonor, ["100", "10000", "10100", "10201", "20000", "20100", "3026"]),
        (.insufficientFunds, ["10105", "10112", "10113", "20105"]),
        (.expiredCard, ["10106", "3021", "3029", "3434", "3435"]),
        (.incorrectSecurityCode, ["10103"]),
        (.invalidCard, ["10102", "10812", "3436", "3437", "20102"]),
        (.pickUpCard, ["10203"]),
        (.pinTriesExceeded, ["10107"]),
        (.addressMismatch, ["109"]),
        (.limitExceeded, ["10101", "20101", "2642", "1422", "309", "3297", "3298"]),
        (.notPermitted, ["10108", "10204", "10206", "20201", "20303", "3356"]),
        (.issuerUnavailable, ["10202", "10505", "10602", "20202", "20602", "314"]),
        (
            .suspectedFraud,
            ["402", "1408", "1415", "1499", "10401", "10402", "10404", "10807", "20401", "20402", "3199"]
        ),
        (.authenticationFailed, ["104", "108", "10104", "10114", "2466"]),
        (.authenticationRequired, ["10205", "10403", "10709", "10722"]),
        (.blockedCard, ["1401", "20203"]),
        (.accountClosed, ["10405", "20106"]),
        (.duplicate, ["1434", "3613"]),
        (.invalidAmount, ["1421", "3281", "3118", "3358"]),
        (.declinedByProvider, ["310", "3060", "3102", "10205", "603"]),
    ]

    static let byCode: [String: Decline.Reason] = Dictionary(
        groups.flatMap { reason, codes in codes.map { ($0, reason) } }, uniquingKeysWith: { first, _ in first })
}

/// What the provider's document recommends after an error of its kit, in the document's own words.
///
/// It is shown as the provider's words and never as our advice, which depends on what is known about the money.
enum EcommpayAdvice {
    /// The recommendation for a name of the kit; nil where the document has none.
    static func text(_ code: String) -> String? { byCode[code] }

    static let byCode: [String: String] = [
        "CLARIFICATION_FIELDS_ERROR": "Resubmit additional information",
        "CUSTOMER_ID_NOT_EXIST": "Correct the request",
        "ILLEGAL_ARGUMENTS": "Correct the request",
        "INTERACTOR_NOT_RUNNING": "Send the request for payment creation",
        "NETWORK_ERROR": "Contact the technical support specialists",
        "NETWORK_IS_NOT_AVAILABLE": "Retry the request later",
        "NETWORK_TIMEOUT": "Retry the request later",
        "PAYMENT_ALREADY_EXIST": "Specify the identifier that is unique within the project and retry the request",
        "PAYMENT_HAS_FINAL_STATUS": "Specify the identifier that is unique within the project and retry the request",
        "PAYMENT_METHOD_NOT_AVAILABLE":
            "Specify a payment method available within the project and retry the request",
        "PAYMENT_NOT_FOUND": "Retry the request. In case of an error, contact the technical support specialists",
        "PAYMENT_TOKEN_NOT_EXIST": "Specify the payment data token and retry the request",
        "SERVER_API_ERROR": "Contact the technical support specialists",
        "SERVER_CONTENT_PARSING_ERROR": "Correct the request",
        "SERVER_METHOD_NOT_FOUND": "Correct the request",
        "SERVER_UNAUTHORIZED": "Retry the request later",
        "SESSION_NOT_INITIALIZED": "Initiate the creation of a payment session (InitInteractor)",
    ]
}

/// The body of a refusal, in each of its shapes.
struct EcommpayRefusal {
    let code: String
    let message: String

    init(code: JSON?, message: JSON?) {
        (self.code, self.message) = (Self.text(code) ?? "", message?.string ?? "")
    }

    init(_ json: JSON?) {
        let first = json?["errors"]?[0]
        code = Self.text(json?["code"]) ?? Self.text(first?["code"]) ?? ""
        let fields = (json?["errors"]?.object?.members ?? []).compactMap { $0.value.string }
        message = json?["message"]?.string ?? first?["message"]?.string ?? fields.joined(separator: "; ")
    }

    /// A code, which is a text in some places and a number in others.
    static func text(_ json: JSON?) -> String? { json?.string ?? json?.number?.text }
}
