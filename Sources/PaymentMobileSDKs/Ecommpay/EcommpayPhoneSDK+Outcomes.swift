extension EcommpayPhoneSDK {
    /// The SDK's calls that can end with an error, by the interactor that makes them.
    public enum Call: String, SDKCall {
        /// Opens a payment's session.
        case getInitInteractor
        /// Makes a payment or carries on with it.
        case getPayInteractor

        /// Whether the call may pay.
        public var isAboutMoney: Bool { self == .getPayInteractor }
    }

    /// What an error of the SDK proves about the payment's money.
    ///
    /// A payment that was seen to exist goes on whatever the error says, so only its own end decides then.
    public static func outcome(of code: ErrorCode, in call: Call, seen evidence: SDKEvidence) -> SDKOutcome {
        table.outcome(of: code.rawValue, in: call, seen: evidence)
    }

    /// What an event proves about the payment's money when it ends the payment without success; nil for any other.
    public static func outcome(of event: PayDelegate, seen evidence: SDKEvidence) -> SDKOutcome? {
        switch event {
        case .onError(let code, _): outcome(of: code, in: .getPayInteractor, seen: evidence)
        case .onCompleteWithDecline(isTryAgain: false, _, _):
            endings.outcome(of: "onCompleteWithDecline", in: Call.getPayInteractor, seen: evidence)
        // It waits for another try, so that it has no end yet.
        case .onCompleteWithDecline(isTryAgain: true, _, _), .onPaymentCreated, .onStatusChanged, .onCustomerFields,
            .onThreeDSecure, .onThreeDSecureRedirectComplete, .onClarificationFields, .onCompleteWithSuccess:
            nil
        }
    }

    /// The outcome rules of a session's and a payment's errors: the document's rows, then those of the public header.
    public static let table = SDKErrorTable(documentRows + exampleRows + headerRows)

    /// The outcome rules of a payment's ends that are no success.
    public static let endings = SDKErrorTable([
        SDKErrorRule(
            "onCompleteWithDecline", .declined, .declined, at(422), why: "the payment is complete, and was declined")
    ])

    private static let correct = SDKErrorAdvice(.afterFix, "put the request right")

    private static let documentRows: [SDKErrorRule] = [
        SDKErrorRule(
            "CLARIFICATION_FIELDS_ERROR", .unknown, .invalidRequest, at(433),
            advice: SDKErrorAdvice(.afterFix, "send the answers again"),
            why: "the payment waits for its answers; it has not ended"),
        refused("CUSTOMER_ID_NOT_EXIST", 434, .invalidRequest, correct, "the request was not taken"),
        refused("ILLEGAL_ARGUMENTS", 435, .invalidRequest, correct, "the request was not taken"),
        refused(
            "INTERACTOR_NOT_RUNNING", 436, .configuration, SDKErrorAdvice(.afterFix, "begin the payment first"),
            "no payment was begun"),
        SDKErrorRule(
            "NETWORK_ERROR", .unknown, .network, at(437), advice: SDKErrorAdvice(.never, "ask the vendor's support"),
            why: "on which side of the request the connection failed is not said"),
        refused(
            "NETWORK_IS_NOT_AVAILABLE", 438, .network, SDKErrorAdvice(.later),
            "as a payment's first answer: the request has not left the phone"),
        SDKErrorRule(
            "NETWORK_TIMEOUT", .unknown, .timedOut, at(439), advice: SDKErrorAdvice(.later),
            why: "declined for a timeout, and nobody says by whom"),
        SDKErrorRule(
            "PAYMENT_ALREADY_EXIST", .unknown, .conflict, at(440), elsewhere: .unknown,
            advice: SDKErrorAdvice(.afterFix, "another identifier, which pays twice if the first one was paid"),
            why: "a payment of this identifier exists: ours, from before"),
        SDKErrorRule(
            "PAYMENT_HAS_FINAL_STATUS", .unknown, .conflict, at(441), elsewhere: .unknown,
            advice: SDKErrorAdvice(.afterFix, "another identifier, which pays twice if the first one was paid"),
            why: "the payment of this identifier has ended; which way is not said"),
        refused(
            "PAYMENT_METHOD_NOT_AVAILABLE", 442, .invalidRequest, SDKErrorAdvice(.afterFix, "another payment method"),
            "refused for its method"),
        SDKErrorRule(
            "PAYMENT_NOT_FOUND", .unknown, .notFound, at(443),
            advice: SDKErrorAdvice(.again, "then ask the vendor's support"),
            why: "the SDK lacks the payment, which says nothing of the platform's books"),
        refused(
            "PAYMENT_TOKEN_NOT_EXIST", 444, .invalidRequest, SDKErrorAdvice(.afterFix, "name the token"),
            "the request was not taken"),
        SDKErrorRule(
            "SERVER_API_ERROR", .unknown, .providerFailed, at(445),
            advice: SDKErrorAdvice(.never, "ask the vendor's support"),
            why: "the SDK failed, and when is not said"),
        refused(
            "SESSION_NOT_INITIALIZED", 446, .configuration, SDKErrorAdvice(.afterFix, "open the session first"),
            "no payment can be begun without a session"),
        SDKErrorRule(
            "SERVER_CONTENT_PARSING_ERROR", .unknown, .unreadableReply, at(447), advice: correct,
            why: "an answer came and can't be read"),
        SDKErrorRule(
            "SERVER_METHOD_NOT_FOUND", .unknown, .configuration, at(448), advice: correct,
            why: "404, which a gateway gives as well, whatever the platform behind it has done"),
        SDKErrorRule(
            "SERVER_UNAUTHORIZED", .unknown, .network, at(449), advice: SDKErrorAdvice(.later),
            why: "the name speaks of a refusal, the document of a connection error; the careful reading counts"),
    ]

    private static let exampleRows: [SDKErrorRule] = [
        SDKErrorRule(
            "Network & Server API", .unknown, .unreadableReply, at(407, 424),
            why: "the server's own code stands in the message, and no list of those is given")
    ]

    private static let headerRows: [SDKErrorRule] = [
        SDKErrorRule(
            "PAYMENT_REQUEST_TYPE_NOT_EXIST", .nothingMoved, .invalidRequest, header(214, 225),
            why: "there is no such request, so none was taken"),
        SDKErrorRule(
            "ILLEGAL_STATE", .nothingMoved, .configuration, header(215, 225), why: "another call has to come first"),
        SDKErrorRule("UNKNOWN", .unknown, .providerFailed, header(225), why: "unexpected, and no more is said"),
    ]

    /// A row whose document says that the request was refused for what it is.
    private static func refused(
        _ code: String, _ line: Int, _ cause: SDKErrorCause, _ advice: SDKErrorAdvice, _ why: String
    ) -> SDKErrorRule {
        SDKErrorRule(code, .nothingMoved, cause, at(line), advice: advice, why: why)
    }

    private static func at(_ lines: Int...) -> [DocumentCitation] {
        lines.map { DocumentCitation("seeds/ecommpay.txt", $0) }
    }
    private static func header(_ lines: Int...) -> [DocumentCitation] {
        lines.map { DocumentCitation("wire/ecommpay.md", $0) }
    }
}
