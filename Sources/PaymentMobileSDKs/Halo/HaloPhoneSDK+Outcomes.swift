extension HaloPhoneSDK {
    /// The SDK's calls that can end with an error.
    public enum Call: String, SDKCall {
        /// Makes the SDK ready for payments.
        case initialize
        /// Takes or refunds a contactless payment.
        case startContactlessPayment

        /// Whether the call pays or refunds.
        public var isAboutMoney: Bool { self == .startContactlessPayment }
    }

    /// What a payment that was not approved proves about its money.
    public static func outcome(of code: HaloErrorCode?, seen evidence: SDKEvidence) -> SDKOutcome {
        guard let code else { return .unknown }
        return table.outcome(of: code.rawValue, in: Call.startContactlessPayment, seen: evidence)
    }

    /// What an error of the SDK's life proves about the money of the call that it came out of.
    public static func outcome(of error: HaloError, in call: Call, seen evidence: SDKEvidence) -> SDKOutcome {
        table.outcome(of: error.name, in: call, seen: evidence)
    }

    /// The outcome rules of contactless payments: the document's rows, the same codes as they are spelt since 1.0.90, and
    /// the codes that came with that.
    public static let table = SDKErrorTable(paymentRows + lifeRows + respelt(paymentRows) + laterRows)

    private static let paymentRows: [SDKErrorRule] = [
        SDKErrorRule(
            "USER_CANCELLED", .nothingMoved, .cancelled, at(169, 184, 622),
            advice: SDKErrorAdvice(.again, "ask the customer"),
            why: "the reader is stopped and the attempt ended; what becomes of a submission on its way is not said"),
        SDKErrorRule(
            "CARD_DECLINED", .declined, .declined, at(170, 187),
            advice: SDKErrorAdvice(.afterFix, "another way to pay"),
            why: "the issuer decided, so an answer has come"),
        SDKErrorRule(
            "NETWORK_ERROR", .unknown, .network, at(171, 190), advice: SDKErrorAdvice(.again),
            why: "on which side of the submission the connection failed is not said"),
        SDKErrorRule(
            "PAYMENT_IN_PROGRESS", .nothingMoved, .readerBusy, at(172),
            why: "another payment holds the reader; ours was not begun"),
        SDKErrorRule(
            "DEVICE_NOT_SUPPORTED", .nothingMoved, .deviceUnsupported, at(173, 755), why: "no card can be read"),
        SDKErrorRule(
            "SCREEN_CAPTURE_DETECTED", .nothingMoved, .deviceCompromised, at(174, 583),
            why: "the attempt is aborted, at any time of it; before a submission nothing has left the phone"),
        SDKErrorRule("NOT_INITIALIZED", .nothingMoved, .configuration, at(175), why: "nothing is there to send with"),
        SDKErrorRule("TIMEOUT", .unknown, .timedOut, at(176), why: "a request timed out, so there was one"),
        SDKErrorRule(
            "AUTH_TOKEN_UNAUTHORIZED", .nothingMoved, .authentication, at(177, 357, 771),
            advice: SDKErrorAdvice(.afterFix, "mend the token provider, then initialize again"),
            why: "refused with 401 twice; with a submission out a gateway says that as well, whatever was carried out"),
        SDKErrorRule(
            "104", .unknown, .configuration, at(178), advice: SDKErrorAdvice(.never, "ask the vendor's support"),
            why: "the server is not set up to charge; when in a payment it comes is not said"),
        SDKErrorRule(
            "PPS-4003", .nothingMoved, .timedOut, at(767, 769), holds: true,
            why: "the card's data is refused for its age, which is the answer to a submission"),
        SDKErrorRule(
            "Request Expired", .nothingMoved, .timedOut, at(767, 769), holds: true,
            why: "the same refusal of old card data, in words"),
        SDKErrorRule(
            "Entitlement missing", .nothingMoved, .configuration, at(759, 761),
            advice: SDKErrorAdvice(.afterFix, "get Apple's entitlement for the card reader"),
            why: "without it no card can be read"),
    ]

    private static let lifeRows: [SDKErrorRule] = [
        SDKErrorRule(
            "HaloError.notInitialized", .nothingMoved, .configuration, at(269),
            advice: SDKErrorAdvice(.afterFix, "initialize first"), why: "nothing is there to send with"),
        SDKErrorRule(
            "HaloError.deviceNotSupported", .nothingMoved, .deviceUnsupported, at(84, 273, 595, 613),
            why: "no card can be read"),
        SDKErrorRule(
            "HaloError.deviceNotCompliant", .nothingMoved, .deviceCompromised, at(279, 585, 589),
            why: "the device is barred from payments"),
        SDKErrorRule(
            "HaloError.paymentInProgress", .nothingMoved, .readerBusy, at(283),
            advice: SDKErrorAdvice(.later, "wait for the other payment"),
            why: "another payment holds the reader; ours was not begun"),
        SDKErrorRule(
            "HaloError.networkError", .unknown, .network, at(287),
            advice: SDKErrorAdvice(.again, "check the connection"),
            why: "on which side of a submission the connection failed is not said"),
        SDKErrorRule(
            "HaloError.authTokenUnauthorized", .nothingMoved, .authentication, at(68, 90, 291, 349, 784),
            advice: SDKErrorAdvice(.afterFix, "sign a fresh token and initialize again"),
            why: "the token provider threw, or 401 came twice; with a submission out a gateway says that as well"),
        SDKErrorRule(
            "HaloError.accountLinkingError", .nothingMoved, .accountNotLinked, at(295),
            advice: SDKErrorAdvice(.afterFix, "link the merchant's account in the phone's settings"),
            why: "no card is read before the account is linked"),
        SDKErrorRule(
            "HaloError.tokenError", .nothingMoved, .configuration, at(299),
            advice: SDKErrorAdvice(.afterFix, "a fresh token from the server"),
            why: "the reader's connection is not made without its token"),
        SDKErrorRule(
            "HaloError.readerError", .nothingMoved, .readerUnavailable, at(303), advice: SDKErrorAdvice(.again),
            why: "the reader gave no card to submit"),
        SDKErrorRule(
            "HaloError.userCancelled", .nothingMoved, .cancelled, at(307),
            why: "ended by the customer; what becomes of a submission on its way is not said"),
        SDKErrorRule(
            "HaloError.cardDeclined", .declined, .declined, at(311), why: "the issuer decided, so an answer has come"),
        SDKErrorRule(
            "HaloError.locationError", .nothingMoved, .locationRequired, later(9),
            advice: SDKErrorAdvice(.afterFix, "let the phone's place be known"),
            why: "it fails before the reader's screen"),
        SDKErrorRule(
            "HaloError.offlineDeclined", .nothingMoved, .declined, later(10),
            advice: SDKErrorAdvice(.afterFix, "another way to pay"), why: "the card declined before a submission"),
        SDKErrorRule(
            "HaloError.cardNotSupported", .unknown, .declined, later(11),
            why: "when in a payment it comes is not said"),
    ]

    private static func at(_ lines: Int...) -> [DocumentCitation] {
        lines.map { DocumentCitation("seeds/halo.txt", $0) }
    }
    private static func later(_ line: Int) -> [DocumentCitation] {
        [DocumentCitation("Tests/Contracts/sdk/halo-differences.tsv", line)]
    }
}
