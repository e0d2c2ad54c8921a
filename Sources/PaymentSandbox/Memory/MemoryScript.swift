/// What the memory provider does, steered by the last three digits of the amount in minor units, or by the card.
public enum MemoryScript: Int64, Sendable, CaseIterable {
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
    /// Refuses once with status 503, before anything is done.
    case unavailableOnce = 18
    /// Does it and echoes another amount.
    case echoesOther = 19
    /// Approves half, if the request allows a part.
    case approvesHalf = 20
    /// Asks for a challenge of the cardholder first.
    case challenges = 30
    /// Asks for more fields first.
    case clarifies = 31
    /// Declines: lost card.
    case lostCard = 41
    /// Declines: not enough money.
    case insufficientFunds = 51
    /// Declines: expired.
    case expired = 54
    /// Asks for the PIN first.
    case asksPIN = 65

    /// The script of an amount.
    init?(minorUnits: Int64) { self.init(rawValue: minorUnits % 1_000) }

    /// The code with which it declines, if it does.
    var declineCode: String? {
        switch self {
        case .lostCard: "41"
        case .insufficientFunds: "51"
        case .expired: "54"
        case .losesReply, .losesRequest, .pends, .saysUnknownWord, .failsAfter, .unavailableOnce, .echoesOther,
            .approvesHalf, .challenges, .clarifies, .asksPIN:
            nil
        }
    }

    /// The codes with which it declines cards, by number.
    static let declinedCards = ["4000000000000002": "05", "4000000000000069": "54", "4000000000000127": "82"]
}
