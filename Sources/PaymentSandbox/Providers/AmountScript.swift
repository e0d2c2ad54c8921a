/// What a simulated provider of cards does, steered by the last three digits of the amount in minor units.
public enum AmountScript: Int64, Sendable, CaseIterable {
    /// Does it and cuts the connection before it answers.
    case losesReply = 13
    /// Cuts the connection before it has read the request.
    case losesRequest = 14
    /// Accepts, and says later.
    case pends = 15
    /// Does it and answers with a word that no document lists.
    case saysUnknownWord = 16
    /// Does it and answers with status 500.
    case failsAfter = 17
    /// Refuses once for too many requests, before anything is done.
    case busyOnce = 18
    /// Does it and echoes another amount.
    case echoesOther = 19
    /// Declines: lost card.
    case lostCard = 41
    /// Declines: not enough money.
    case insufficientFunds = 51
    /// Declines: expired.
    case expired = 54
    /// Wants a PIN.
    case asksPIN = 65

    /// The script of an amount.
    public init?(minorUnits: Int64) { self.init(rawValue: minorUnits % 1_000) }

    /// The response code of the issuer with which it declines, if it does.
    public var declineCode: String? {
        switch self {
        case .lostCard: "41"
        case .insufficientFunds: "51"
        case .expired: "54"
        case .losesReply, .losesRequest, .pends, .saysUnknownWord, .failsAfter, .busyOnce, .echoesOther, .asksPIN: nil
        }
    }

    /// The codes with which cards are declined whatever the amount, by number.
    public static let declinedCards = ["4000000000000002": "05", "4000000000000069": "54", "5100000000000511": "51"]
}
