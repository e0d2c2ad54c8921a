extension NIPhoneSDK {
    /// The SDK's calls.
    public enum Call: String, SDKCall {
        /// Makes the SDK's manager.
        case initialize
        /// Makes the reader ready for payments.
        case prepare
        /// Asks whether the merchant's account is linked.
        case isAccountLinked
        /// Links the merchant's account.
        case linkAccount
        /// Takes a payment.
        case processPayment
        /// Lists transactions.
        case getTransactions
        /// Asks what can be done with a payment.
        case getTransactionDetails
        /// Refunds a payment.
        case refundTransaction
        /// Voids a payment.
        case voidTransaction

        /// Whether the call pays or takes back.
        public var isAboutMoney: Bool {
            switch self {
            case .processPayment, .refundTransaction, .voidTransaction: true
            case .initialize, .prepare, .isAccountLinked, .linkAccount, .getTransactions, .getTransactionDetails: false
            }
        }
    }

    /// What an error of the SDK proves about the money of the call that it ended.
    ///
    /// The SDK tells its progress in hundredths without saying what they mean, so a payment's own error decides alone.
    public static func outcome(of error: AppleTapToPaySDKError, in call: Call) -> SDKOutcome {
        table.outcome(of: error.key, in: call, seen: .nothingSeen)
    }

    /// What a payment's or transaction's answer proves when it carries the acquirer's refusal; nil for any other.
    public static func outcome(of answer: AuthResponse) -> SDKOutcome? { answer.success ? nil : .declined }

    /// The outcome rules of payments, refunds and voids, in the order of the document's last list.
    public static let table = SDKErrorTable(sdkRows + paymentRows + readerRows + locationRows)

    private static let sdkRows: [SDKErrorRule] = [
        SDKErrorRule(
            "1", .unknown, .providerFailed, at(376, 521, 630, 685, 727, 751), why: "unexpected, and no more is said"),
        SDKErrorRule(
            "100", .nothingMoved, .deviceUnsupported, at(195, 365, 752),
            advice: SDKErrorAdvice(.never, "a newer iPhone"),
            why: "no card can be read"),
        SDKErrorRule(
            "101", .nothingMoved, .configuration, at(196, 366, 517, 753),
            advice: SDKErrorAdvice(.afterFix, "read the SDK's message"), why: "nothing is there to send with"),
        SDKErrorRule(
            "102", .nothingMoved, .authentication, at(259, 519, 754),
            why: "the token is refused before anything is carried out"),
        SDKErrorRule(
            "110", .unknown, .network, at(260, 375, 518, 628, 680, 723, 755), why: "on the way there or on the way back"
        ),
        SDKErrorRule(
            "111", .unknown, .authentication, at(374, 629, 683, 725, 756),
            why: "401 and 403, which a gateway gives as well, whatever the platform behind it has done"),
        SDKErrorRule(
            "112", .nothingMoved, .configuration, at(757, 35), why: "the merchant is not set up for payments by phone"),
        SDKErrorRule("113", .declined, .declined, at(758), why: "refused for the card's number"),
        SDKErrorRule("114", .declined, .declined, at(759), why: "refused for the card's scheme"),
        SDKErrorRule(
            "115", .nothingMoved, .configuration, at(760, 731), why: "refused for the terminal, not for the card"),
        SDKErrorRule("116", .nothingMoved, .conflict, at(761), why: "refused for what was to be done with the order"),
        SDKErrorRule("118", .declined, .declined, at(762), why: "refused for the amount"),
        SDKErrorRule(
            "119", .unknown, .conflict, at(763),
            why: "why it can't be carried out, and whether it was begun, is not said"),
    ]

    private static let paymentRows: [SDKErrorRule] = [
        SDKErrorRule("201", .nothingMoved, .invalidRequest, at(768), why: "the request was not taken"),
        SDKErrorRule("202", .nothingMoved, .invalidRequest, at(367, 769), why: "the request was not taken"),
        SDKErrorRule("203", .nothingMoved, .invalidRequest, at(368, 682, 770), why: "the request was not taken"),
        SDKErrorRule("210", .unknown, .unreadableReply, at(373, 771), why: "an answer came and can't be read"),
        SDKErrorRule("301", .unknown, .unavailable, at(776), why: "an error of lists; in a payment it says nothing"),
        SDKErrorRule(
            "310", .unknown, .unreadableReply, at(520, 777), why: "an error of lists; in a payment it says nothing"),
        SDKErrorRule(
            "invalidTransactionId", .nothingMoved, .notFound, at(681, 724),
            why: "there is no payment to refund or void by that reference"),
        SDKErrorRule("610", .unknown, .unreadableReply, at(684, 782), why: "an answer came and can't be read"),
        SDKErrorRule("710", .unknown, .unreadableReply, at(726, 787), why: "an answer came and can't be read"),
    ]

    private static let readerRows: [SDKErrorRule] = [
        reader(
            "501", .unavailable, at(261, 369, 792), SDKErrorAdvice(.afterFix, "prepare again before the token lapses")),
        reader("510", .readerUnavailable, at(370, 793), SDKErrorAdvice(.afterFix, "prepare again")),
        reader("515", .unavailable, at(794)),
        reader("516", .configuration, at(795)),
        reader("520", .termsNotAccepted, at(262, 371, 796), SDKErrorAdvice(.afterFix, "accept the terms")),
        reader("530", .readerUnavailable, at(372, 797)),
    ]

    private static let locationRows: [SDKErrorRule] = [
        location("801", 802), location("802", 803), location("803", 804), location("810", 805),
    ]

    private static func reader(
        _ code: String, _ cause: SDKErrorCause, _ citations: [DocumentCitation], _ advice: SDKErrorAdvice? = nil
    ) -> SDKErrorRule {
        SDKErrorRule(
            code, .nothingMoved, cause, citations, advice: advice, why: "the reader gave no card, so nothing was sent")
    }

    private static func location(_ code: String, _ line: Int) -> SDKErrorRule {
        SDKErrorRule(
            code, .nothingMoved, .locationRequired, at(line), why: "the phone's place is sought before the card is")
    }

    private static func at(_ lines: Int...) -> [DocumentCitation] { lines.map { DocumentCitation("seeds/ni.txt", $0) } }
}
