/// The provider's or the issuer's no: a result, not an error.
public struct Decline: Hashable, Sendable {
    /// Why, in neutral words.
    public let reason: Decline.Reason
    /// Why, in the provider's words.
    public let provider: ProviderMessage
    /// What the provider calls it.
    public var references: PaymentReferences
    /// The card, as far as it may be shown.
    public var card: CardSummary?
    /// What belongs on a receipt.
    public var receipt: Receipt?
    /// The attempt that was declined; the client fills it in.
    public package(set) var attempt: AttemptID?

    /// Makes a decline of a neutral reason and the provider's words.
    public init(_ reason: Decline.Reason, provider: ProviderMessage, references: PaymentReferences = [:]) {
        (self.reason, self.provider, self.references) = (reason, provider, references)
    }

    var recordable: Decline {
        var copy = Decline(reason, provider: provider.recordable, references: references)
        (copy.card, copy.receipt, copy.attempt) = (card, receipt, attempt)
        copy.card?.holder = nil
        return copy
    }
}

extension Decline {
    /// Why a payment was refused; an open set, so that no reason from outside is lost.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The issuer gave no reason.
        public static let doNotHonor = Decline.Reason(rawValue: "doNotHonor")
        /// Not enough money.
        public static let insufficientFunds = Decline.Reason(rawValue: "insufficientFunds")
        /// The card has expired.
        public static let expiredCard = Decline.Reason(rawValue: "expiredCard")
        /// The card was reported lost.
        public static let lostCard = Decline.Reason(rawValue: "lostCard")
        /// The card was reported stolen.
        public static let stolenCard = Decline.Reason(rawValue: "stolenCard")
        /// The issuer wants the card back.
        public static let pickUpCard = Decline.Reason(rawValue: "pickUpCard")
        /// The card is blocked.
        public static let blockedCard = Decline.Reason(rawValue: "blockedCard")
        /// The number or the card is not valid.
        public static let invalidCard = Decline.Reason(rawValue: "invalidCard")
        /// This kind of card is not taken.
        public static let cardNotSupported = Decline.Reason(rawValue: "cardNotSupported")
        /// The PIN was wrong.
        public static let incorrectPIN = Decline.Reason(rawValue: "incorrectPIN")
        /// The PIN was wrong too often.
        public static let pinTriesExceeded = Decline.Reason(rawValue: "pinTriesExceeded")
        /// A PIN is needed and was not given.
        public static let pinRequired = Decline.Reason(rawValue: "pinRequired")
        /// The security code was wrong.
        public static let incorrectSecurityCode = Decline.Reason(rawValue: "incorrectSecurityCode")
        /// The address did not match.
        public static let addressMismatch = Decline.Reason(rawValue: "addressMismatch")
        /// A limit of the card or the account was passed.
        public static let limitExceeded = Decline.Reason(rawValue: "limitExceeded")
        /// The card may not do this.
        public static let notPermitted = Decline.Reason(rawValue: "notPermitted")
        /// The issuer could not be reached.
        public static let issuerUnavailable = Decline.Reason(rawValue: "issuerUnavailable")
        /// It looked like fraud.
        public static let suspectedFraud = Decline.Reason(rawValue: "suspectedFraud")
        /// The customer could not be authenticated.
        public static let authenticationFailed = Decline.Reason(rawValue: "authenticationFailed")
        /// The customer has to be authenticated first.
        public static let authenticationRequired = Decline.Reason(rawValue: "authenticationRequired")
        /// The card itself refused.
        public static let declinedOffline = Decline.Reason(rawValue: "declinedOffline")
        /// The provider's own rules refused.
        public static let declinedByProvider = Decline.Reason(rawValue: "refusedByProvider")
        /// The account is closed or does not exist.
        public static let accountClosed = Decline.Reason(rawValue: "accountClosed")
        /// The same was asked for a moment ago.
        public static let duplicate = Decline.Reason(rawValue: "duplicate")
        /// The amount is not one that can be taken.
        public static let invalidAmount = Decline.Reason(rawValue: "invalidAmount")
        /// What was approved before failed afterwards.
        public static let failedAfterApproval = Decline.Reason(rawValue: "failedLater")
        /// The code is not in the adapter's table; the raw code says more.
        public static let unmapped = Decline.Reason(rawValue: "unlisted")
    }
}

extension Decline.Reason: CustomStringConvertible {
    public var description: String { rawValue }
}

extension Decline.Reason {
    /// The reason behind a response code of an issuer, as ISO 8583 has them; a code that is not listed is `unmapped`.
    public init(issuerResponse code: String) { self = Self.isoResponseCodes[code] ?? .unmapped }

    /// The codes with a reason, as ISO 8583 has them.
    public static let isoResponseCodes: [String: Decline.Reason] = [
        "05": .doNotHonor, "04": .pickUpCard, "07": .pickUpCard, "12": .notPermitted, "13": .invalidAmount,
        "14": .invalidCard, "15": .invalidCard, "33": .expiredCard, "34": .suspectedFraud, "36": .blockedCard,
        "38": .pinTriesExceeded, "41": .lostCard, "43": .stolenCard, "51": .insufficientFunds, "54": .expiredCard,
        "55": .incorrectPIN, "57": .notPermitted, "58": .notPermitted, "59": .suspectedFraud, "61": .limitExceeded,
        "62": .notPermitted, "63": .suspectedFraud, "65": .pinRequired, "75": .pinTriesExceeded,
        "82": .incorrectSecurityCode, "91": .issuerUnavailable, "94": .duplicate, "96": .issuerUnavailable,
    ]
}
