internal import PaymentBase
internal import PaymentHTTPServer
internal import PaymentModel

/// Why a request came to nothing, as RFC 9457 has it, with what is known about the money.
struct Problem: Error, Sendable {
    /// Which kind of problem it is.
    let code: Code
    /// What was wrong, with the value, and what to do.
    let detail: String
    /// What became of the operation of this request, if the journal was read under its id; answers of 4xx without a state and of
    /// 5xx never say it.
    var outcome: PaymentError.Outcome?
    /// Whether the same request makes sense again.
    var retry: PaymentError.RetryAdvice
    /// The attempt that blocks this one, or the first use of the id.
    var other: Other?
    /// The members that were wrong.
    var fields: [Field] = []
    /// Where and why a request of the service came to nothing.
    var diagnosis: FailureDiagnosis?
    /// The sentence for a cashier; the kind's title where no error of the client is behind it.
    var message: String?
    /// The accounts of which the request has to name one.
    var accounts: [ProviderIdentity] = []
    /// Further fields of the answer's head.
    var headers: [HTTPField] = []

    /// One member that was wrong.
    struct Field: Hashable, Sendable {
        /// Where it stands: a JSON pointer, or `?NAME` of a query.
        let pointer: String
        /// What was wrong with it.
        let detail: String
    }

    /// An attempt that stands in the way.
    struct Other: Sendable {
        let attempt: AttemptID
        let status: String
        let amount: Money
        let createdAt: Int64?
    }

    init(
        _ code: Code, _ detail: String, outcome: PaymentError.Outcome? = nil, retry: PaymentError.RetryAdvice = .never,
        fields: [Field] = []
    ) {
        (self.code, self.detail, self.outcome, self.retry, self.fields) = (code, detail, outcome, retry, fields)
    }

    /// One member of a request that was wrong.
    static func wrong(_ pointer: String, _ detail: String) -> Problem {
        Problem(
            .invalidRequest, "The request is wrong at \(pointer). \(detail)",
            fields: [Field(pointer: pointer, detail: detail)])
    }

    /// Nothing of that name exists for the caller.
    static func notFound(_ what: String) -> Problem { Problem(.notFound, "There is no \(what) here.") }

    /// Whether an answer of this status may say what became of the money.
    private var statesOutcome: Bool {
        switch code.status {
        case 409, 422: true
        default: false
        }
    }

    /// The body of the answer.
    var json: JSON {
        let other: JSON =
            self.other.map { other in
                [
                    "attempt": .string(other.attempt.text), "status": .string(other.status),
                    "amount": MoneyForm.json(other.amount), "createdAt": Moment.json(other.createdAt),
                ]
            } ?? .null
        return [
            "type": .string("/problems/\(code.rawValue)"), "title": .string(code.title),
            "status": .number(JSONNumber(Int64(code.status))), "detail": .string(Masking.cardNumbers(in: detail)),
            "code": .string(code.rawValue),
            "outcome": statesOutcome ? outcome.map { .string($0.word) } ?? .null : .null,
            "message": .string(message ?? code.title), "retry": .string(retry.rawValue),
            "step": .text(diagnosis?.step.rawValue), "host": .text(diagnosis?.host),
            "cause": .text(diagnosis?.cause.rawValue), "reason": .text(diagnosis?.reason), "other": other,
            "accounts": .array(accounts.map(Self.json)),
            "fields": .array(
                fields.map { field in
                    // A member's name may be a card number as well.
                    [
                        "pointer": .string(Masking.cardNumbers(in: field.pointer)),
                        "detail": .string(Masking.cardNumbers(in: field.detail)),
                    ]
                }),
        ]
    }
}

extension Problem {
    fileprivate static func json(_ account: ProviderIdentity) -> JSON {
        [
            "provider": .string(account.id.rawValue), "account": .string(account.merchant),
            "environment": .string(account.environment),
        ]
    }
}

extension PaymentError.Outcome {
    /// The word of the API.
    var word: String {
        switch self {
        case .executed: "executed"
        case .notExecuted: "notExecuted"
        case .unknown: "unknown"
        }
    }
}

extension Problem {
    /// The kinds of problems.
    enum Code: String, CaseIterable, Sendable {
        case invalidRequest, unsupported, keyMissing
        case unauthorized, forbidden, notFound, methodNotAllowed, tooLarge, unsupportedMediaType, tooManyRequests, gone
        case conflict, changed, amountTooHigh, inDoubt, referenceInUse, readerBusy, accountNeeded, elsewhere, mayBeLost
        case pruned
        case keyReused
        case journal, configuration, authentication, permission, network, readerUnavailable, providerUnavailable
        case rateLimited, deviceUnsupported, deviceCompromised, locationRequired, accountNotLinked, stopping
        case providerFailed, unreadableReply, mismatch
        case cancelled, timedOut, questionUnanswered, notReceived, termsNotAccepted, declined, reversed
        case signatureInvalid
        case `internal`

        /// The status of an answer with this problem.
        var status: Int {
            switch self {
            case .invalidRequest, .unsupported, .keyMissing: 400
            case .unauthorized, .signatureInvalid: 401
            case .cancelled, .timedOut, .questionUnanswered, .notReceived, .termsNotAccepted, .declined, .reversed: 402
            case .forbidden: 403
            case .notFound: 404
            case .methodNotAllowed: 405
            case .conflict, .changed, .amountTooHigh, .inDoubt, .referenceInUse, .readerBusy, .accountNeeded,
                .elsewhere, .mayBeLost, .pruned:
                409
            case .gone: 410
            case .tooLarge: 413
            case .unsupportedMediaType: 415
            case .keyReused: 422
            case .tooManyRequests: 429
            case .internal: 500
            case .journal, .configuration, .authentication, .permission, .network, .readerUnavailable,
                .providerUnavailable, .rateLimited, .deviceUnsupported, .deviceCompromised, .locationRequired,
                .accountNotLinked, .stopping, .providerFailed, .unreadableReply, .mismatch:
                503
            }
        }

        /// One sentence about it.
        var title: String {
            switch self {
            case .invalidRequest: "The request is wrong."
            case .unsupported: "The provider can't do this."
            case .keyMissing: "The Idempotency-Key is missing or is no UUID."
            case .unauthorized: "There is no key, or an unknown one."
            case .forbidden: "The key does not allow this."
            case .notFound: "There is no such thing."
            case .methodNotAllowed: "The resource has no such method."
            case .gone: "The place in the events is not kept."
            case .tooLarge: "The body is too long."
            case .unsupportedMediaType: "The body is not JSON."
            case .tooManyRequests: "Too many requests of this key."
            case .conflict: "The recorded state does not allow it."
            case .changed: "It has changed since it was read."
            case .amountTooHigh: "The amount is more than is left."
            case .inDoubt: "An earlier attempt is not decided yet."
            case .referenceInUse: "The reference is paid, or may be."
            case .readerBusy: "The reader is busy."
            case .accountNeeded: "An account that has money of the payment must be named."
            case .elsewhere: "Another process runs the attempt."
            case .mayBeLost: "The journal was restored and may have lost this attempt."
            case .pruned: "The attempt is over, and was pruned from the journal."
            case .keyReused: "The Idempotency-Key was used for another request."
            case .journal: "The journal can't be read or written."
            case .configuration: "The configuration is wrong or incomplete."
            case .authentication: "The provider refused the service's access."
            case .permission: "The service's access does not allow this."
            case .network: "The provider can't be reached."
            case .readerUnavailable: "The reader is not ready."
            case .providerUnavailable: "The provider is not available."
            case .rateLimited: "The provider received too many requests."
            case .deviceUnsupported: "The device can't take cards."
            case .deviceCompromised: "The device failed a security check."
            case .locationRequired: "The device's location is missing."
            case .accountNotLinked: "The account is not linked to the device."
            case .stopping: "The service stops."
            case .providerFailed: "The provider failed."
            case .unreadableReply: "The provider's reply can't be read."
            case .mismatch: "The provider's reply is about another request."
            case .cancelled: "The attempt was cancelled."
            case .timedOut: "The time was over."
            case .questionUnanswered: "A question had no answer in time."
            case .notReceived: "The provider never got the request."
            case .termsNotAccepted: "The terms were not accepted."
            case .declined: "The provider or the issuer refused it."
            case .reversed: "It was approved, and failed afterwards."
            case .signatureInvalid: "The message's signature is wrong."
            case .internal: "The service failed."
            }
        }

        /// What it means for the money and what to do.
        var advice: String {
            switch status {
            case 402: "Nothing was executed. A further try needs a further Idempotency-Key."
            case 409 where self == .mayBeLost:
                "It is not known whether this attempt was executed before. Ask the provider, then a person decides."
            case 409 where self == .accountNeeded:
                "This call began nothing. Send it again with `account`, one of `accounts`."
            case 409 where self == .pruned:
                "This call began nothing. What became of the attempt is in the archive: don't send it under a new key."
            case 400...499:
                "This call began nothing. GET /v1/attempts/{Idempotency-Key} says what an earlier call did."
            default: "Send the same request with the same Idempotency-Key again."
            }
        }
    }
}

extension Problem.Code {
    /// The code of an error of the client; what only an adapter knows is the provider's failure.
    init(_ code: PaymentError.Code) { self = Self.known[code] ?? .providerFailed }

    /// The code of an error, which says more than the client's where an account has to be named.
    init(_ error: PaymentError) { self = error.accounts.isEmpty ? Self(error.code) : .accountNeeded }

    /// The client's codes with their names in the API.
    static let known: [PaymentError.Code: Problem.Code] = [
        .invalidRequest: .invalidRequest, .unsupported: .unsupported, .configuration: .configuration,
        .authentication: .authentication, .permission: .permission, .conflict: .conflict,
        .referenceInUse: .referenceInUse, .notFound: .notFound, .amountTooHigh: .amountTooHigh, .inDoubt: .inDoubt,
        .notReceived: .notReceived, .cancelled: .cancelled, .timedOut: .timedOut, .network: .network,
        .providerUnavailable: .providerUnavailable, .rateLimited: .rateLimited, .unreadableReply: .unreadableReply,
        .providerFailed: .providerFailed, .mismatch: .mismatch, .journal: .journal,
        .questionUnanswered: .questionUnanswered, .readerUnavailable: .readerUnavailable, .readerBusy: .readerBusy,
        .deviceUnsupported: .deviceUnsupported, .deviceCompromised: .deviceCompromised,
        .locationRequired: .locationRequired, .termsNotAccepted: .termsNotAccepted,
        .accountNotLinked: .accountNotLinked, .signatureInvalid: .signatureInvalid,
    ]
}

extension Problem {
    /// A restore may have lost what was done under the id; nil for any other error.
    static func mayBeLost(_ error: PaymentError) -> Problem? {
        guard error.code == .inDoubt, error.outcome == .unknown else { return nil }
        var problem = Problem(.mayBeLost, error.detail, outcome: .unknown, retry: .afterStatusCheck)
        problem.message = error.message
        return problem
    }

    /// It was pruned, or what it turned out to be was; nil for any other error.
    static func pruned(_ error: PaymentError) -> Problem? {
        error.isPruned ? Problem(.pruned, error.detail, outcome: .unknown, retry: .never) : nil
    }

    /// The problem of an error about something that is no attempt of this request.
    init(_ error: PaymentError) {
        let code = Code(error)
        self.init(code, error.detail, retry: code.status == 503 ? .safe : error.retry)
        (diagnosis, message, accounts) = (error.diagnosis, error.message, error.accounts)
    }
}
