extension EcommpayKit {
    /// The SDK's calls that can end with an error, by the interactor that makes them.
    public enum Call: String, KitCall {
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
    public static func outcome(of code: ErrorCode, in call: Call, seen evidence: KitEvidence) -> KitOutcome {
        table.outcome(of: code.rawValue, in: call, seen: evidence)
    }

    /// What an event proves about the payment's money when it ends the payment without success; nil for any other.
    public static func outcome(of event: PayDelegate, seen evidence: KitEvidence) -> KitOutcome? {
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
    public static let table = KitTable(documentRows + exampleRows + headerRows)

    /// The outcome rules of a payment's ends that are no success.
    public static let endings = KitTable([
        KitRule(
            "onCompleteWithDecline", .declined, .declined, at(422), why: "the payment is complete, and was declined")
    ])

    private static let correct = KitAdvice(.afterFix, "put the request right")

    private static let documentRows: [KitRule] = [
        KitRule(
            "CLARIFICATION_FIELDS_ERROR", .unknown, .invalidRequest, at(433),
            advice: KitAdvice(.afterFix, "send the answers again"),
            why: "the payment waits for its answers; it has not ended"),
        refused("CUSTOMER_ID_NOT_EXIST", 434, .invalidRequest, correct, "the request was not taken"),
        refused("ILLEGAL_ARGUMENTS", 435, .invalidRequest, correct, "the request was not taken"),
        refused(
            "INTERACTOR_NOT_RUNNING", 436, .configuration, KitAdvice(.afterFix, "begin the payment first"),
            "no payment was begun"),
        KitRule(
            "NETWORK_ERROR", .unknown, .network, at(437), advice: KitAdvice(.never, "ask the vendor's support"),
            why: "on which side of the request the connection failed is not said"),
        refused(
            "NETWORK_IS_NOT_AVAILABLE", 438, .network, KitAdvice(.later),
            "as a payment's first answer: the request has not left the phone"),
        KitRule(
            "NETWORK_TIMEOUT", .unknown, .timedOut, at(439), advice: KitAdvice(.later),
            why: "declined for a timeout, and nobody says by whom"),
        KitRule(
            "PAYMENT_ALREADY_EXIST", .unknown, .conflict, at(440), elsewhere: .unknown,
            advice: KitAdvice(.afterFix, "another identifier, which pays twice if the first one was paid"),
            why: "a payment of this identifier exists: ours, from before"),
        KitRule(
            "PAYMENT_HAS_FINAL_STATUS", .unknown, .conflict, at(441), elsewhere: .unknown,
            advice: KitAdvice(.afterFix, "another identifier, which pays twice if the first one was paid"),
            why: "the payment of this identifier has ended; which way is not said"),
        refused(
            "PAYMENT_METHOD_NOT_AVAILABLE", 442, .invalidRequest, KitAdvice(.afterFix, "another payment method"),
            "refused for its method"),
        KitRule(
            "PAYMENT_NOT_FOUND", .unknown, .notFound, at(443),
            advice: KitAdvice(.again, "then ask the vendor's support"),
            why: "the SDK lacks the payment, which says nothing of the platform's books"),
        refused(
            "PAYMENT_TOKEN_NOT_EXIST", 444, .invalidRequest, KitAdvice(.afterFix, "name the token"),
            "the request was not taken"),
        KitRule(
            "SERVER_API_ERROR", .unknown, .providerFailed, at(445),
            advice: KitAdvice(.never, "ask the vendor's support"),
            why: "the SDK failed, and when is not said"),
        refused(
            "SESSION_NOT_INITIALIZED", 446, .configuration, KitAdvice(.afterFix, "open the session first"),
            "no payment can be begun without a session"),
        KitRule(
            "SERVER_CONTENT_PARSING_ERROR", .unknown, .unreadableReply, at(447), advice: correct,
            why: "an answer came and can't be read"),
        KitRule(
            "SERVER_METHOD_NOT_FOUND", .unknown, .configuration, at(448), advice: correct,
            why: "404, which a gateway gives as well, whatever the platform behind it has done"),
        KitRule(
            "SERVER_UNAUTHORIZED", .unknown, .network, at(449), advice: KitAdvice(.later),
            why: "the name speaks of a refusal, the document of a connection error; the careful reading counts"),
    ]

    private static let exampleRows: [KitRule] = [
        KitRule(
            "Network & Server API", .unknown, .unreadableReply, at(407, 424),
            why: "the server's own code stands in the message, and no list of those is given")
    ]

    private static let headerRows: [KitRule] = [
        KitRule(
            "PAYMENT_REQUEST_TYPE_NOT_EXIST", .nothingMoved, .invalidRequest, header(214, 225),
            why: "there is no such request, so none was taken"),
        KitRule(
            "ILLEGAL_STATE", .nothingMoved, .configuration, header(215, 225), why: "another call has to come first"),
        KitRule("UNKNOWN", .unknown, .providerFailed, header(225), why: "unexpected, and no more is said"),
    ]

    /// A row whose document says that the request was refused for what it is.
    private static func refused(
        _ code: String, _ line: Int, _ cause: KitCause, _ advice: KitAdvice, _ why: String
    ) -> KitRule {
        KitRule(code, .nothingMoved, cause, at(line), advice: advice, why: why)
    }

    private static func at(_ lines: Int...) -> [KitCitation] { lines.map { KitCitation("seeds/ecommpay.txt", $0) } }
    private static func header(_ lines: Int...) -> [KitCitation] { lines.map { KitCitation("wire/ecommpay.md", $0) } }
}
