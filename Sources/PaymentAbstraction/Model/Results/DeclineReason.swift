/// Why a payment was refused; an open set, so that no reason from outside is lost.
public struct DeclineReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The issuer gave no reason.
    public static let doNotHonor = DeclineReason(rawValue: "doNotHonor")
    /// Not enough money.
    public static let insufficientFunds = DeclineReason(rawValue: "insufficientFunds")
    /// The card has expired.
    public static let expiredCard = DeclineReason(rawValue: "expiredCard")
    /// The card was reported lost.
    public static let lostCard = DeclineReason(rawValue: "lostCard")
    /// The card was reported stolen.
    public static let stolenCard = DeclineReason(rawValue: "stolenCard")
    /// The issuer wants the card back.
    public static let pickUpCard = DeclineReason(rawValue: "pickUpCard")
    /// The card is blocked.
    public static let blockedCard = DeclineReason(rawValue: "blockedCard")
    /// The number or the card is not valid.
    public static let invalidCard = DeclineReason(rawValue: "invalidCard")
    /// This kind of card is not taken.
    public static let cardNotSupported = DeclineReason(rawValue: "cardNotSupported")
    /// The PIN was wrong.
    public static let incorrectPIN = DeclineReason(rawValue: "incorrectPIN")
    /// The PIN was wrong too often.
    public static let pinTriesExceeded = DeclineReason(rawValue: "pinTriesExceeded")
    /// A PIN is needed and was not given.
    public static let pinRequired = DeclineReason(rawValue: "pinRequired")
    /// The security code was wrong.
    public static let incorrectSecurityCode = DeclineReason(rawValue: "incorrectSecurityCode")
    /// The address did not match.
    public static let addressMismatch = DeclineReason(rawValue: "addressMismatch")
    /// A limit of the card or the account was passed.
    public static let limitExceeded = DeclineReason(rawValue: "limitExceeded")
    /// The card may not do this.
    public static let notPermitted = DeclineReason(rawValue: "notPermitted")
    /// The issuer could not be reached.
    public static let issuerUnavailable = DeclineReason(rawValue: "issuerUnavailable")
    /// It looked like fraud.
    public static let suspectedFraud = DeclineReason(rawValue: "suspectedFraud")
    /// The customer could not be authenticated.
    public static let authenticationFailed = DeclineReason(rawValue: "authenticationFailed")
    /// The customer has to be authenticated first.
    public static let authenticationRequired = DeclineReason(rawValue: "authenticationRequired")
    /// The card itself refused.
    public static let declinedOffline = DeclineReason(rawValue: "declinedOffline")
    /// The provider's own rules refused.
    public static let refusedByProvider = DeclineReason(rawValue: "refusedByProvider")
    /// The account is closed or does not exist.
    public static let accountClosed = DeclineReason(rawValue: "accountClosed")
    /// The same was asked for a moment ago.
    public static let duplicate = DeclineReason(rawValue: "duplicate")
    /// The amount is not one that can be taken.
    public static let invalidAmount = DeclineReason(rawValue: "invalidAmount")
    /// What was approved before failed afterwards.
    public static let failedLater = DeclineReason(rawValue: "failedLater")
    /// The code is not in the adapter's table; the raw code says more.
    public static let unlisted = DeclineReason(rawValue: "unlisted")
}

extension DeclineReason: CustomStringConvertible {
    public var description: String { rawValue }
}
