/// What the provider does, steered by the last three digits of the amount in its minor units.
///
/// Those up to 139 are the provider's own test amounts; those from 901 play what can happen on the way.
public enum AdyenTestAmount: Int64, Sendable, CaseIterable {
    /// Declines: not enough money.
    case notEnoughBalance = 124
    /// Declines: the card is blocked.
    case blockedCard = 125
    /// Declines: expired.
    case expiredCard = 126
    /// Declines without a plain reason.
    case declined = 127
    /// The card is not valid.
    case invalidCard = 128
    /// The PIN is wrong.
    case wrongPIN = 134
    /// Approves half, if the request allows a part.
    case partial = 139
    /// Does it and cuts the connection before it answers.
    case losesReply = 901
    /// Cuts the connection before it has read the request.
    case losesRequest = 902
    /// Does it and answers with a word that no document lists.
    case saysUnknownWord = 903
    /// Does it and answers with status 500.
    case failsAfter = 904
    /// Is busy once.
    case busyOnce = 905
    /// Does it and echoes another amount.
    case echoesOther = 906
    /// Rejects once: not delivered.
    case notDeliveredOnce = 907
    /// Does it, and the cloud says that no answer came from the terminal.
    case noAnswer = 908
    /// Approves without the network.
    case offline = 909

    /// The script of an amount.
    init?(_ units: Int64) { self.init(rawValue: units % 1_000) }

    /// The reason and its number in the back office, if it declines.
    var refusalInOffice: (reason: String, code: String)? {
        switch self {
        case .notEnoughBalance: ("Not enough balance", "12")
        case .blockedCard: ("Blocked Card", "5")
        case .expiredCard: ("Expired Card", "6")
        case .declined: ("Refused", "2")
        case .invalidCard: ("Invalid Card Number", "8")
        case .wrongPIN, .partial, .losesReply, .losesRequest, .saysUnknownWord, .failsAfter, .busyOnce, .echoesOther,
            .notDeliveredOnce, .noAnswer, .offline:
            nil
        }
    }

    /// The condition and what is said beside it, if it declines.
    var refusal: (condition: String, said: String)? {
        switch self {
        case .notEnoughBalance: ("Refusal", "refusalReason=210%20Not%20enough%20balance&message=NOT_ENOUGH_BALANCE")
        case .blockedCard: ("Refusal", "refusalReason=199%20Card%20blocked&message=BLOCK_CARD")
        case .expiredCard: ("Refusal", "refusalReason=228%20Card%20expired&message=CARD_EXPIRED")
        case .declined: ("Refusal", "refusalReason=214%20Declined%20online&message=INVALID_AMOUNT")
        case .invalidCard: ("InvalidCard", "refusalReason=214%20Declined%20online&message=INVALID_CARD")
        case .wrongPIN: ("WrongPIN", "refusalReason=129%20Invalid%20online%20PIN&message=INVALID_PIN")
        case .partial, .losesReply, .losesRequest, .saysUnknownWord, .failsAfter, .busyOnce, .echoesOther,
            .notDeliveredOnce, .noAnswer, .offline:
            nil
        }
    }
}
