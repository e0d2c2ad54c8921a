/// What the simulated ARISE does, steered by an amount in cents, or by the card.
///
/// The four small amounts are the real sandbox's; the others are ours, by the last three digits.
public enum ARISEScript: Int64, Sendable, CaseIterable {
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
    /// Refuses once with status 429, before anything is done.
    case busyOnce = 18
    /// Does it and echoes another amount.
    case echoesOther = 19
    /// Approves half.
    case approvesHalf = 20
    /// Fails inside, without the money.
    case fails = 22
    /// The issuer wants a PIN.
    case wantsPIN = 65

    /// The script of an amount.
    init?(cents: Int64) {
        guard cents >= 1_000 else { return nil }
        self.init(rawValue: cents % 1_000)
    }

    /// The amounts with which the real sandbox declines, with the code.
    static let declinedCents: [Int64: String] = [6: "07", 7: "41", 8: "43", 21: "51"]
    /// The codes with which cards are declined, by number.
    static let declinedCards = ["4000000000000002": "05", "4000000000000069": "54", "4000000000000010": "59"]
    /// What the codes mean.
    static let messages = [
        "05": "Do not honor", "07": "Pick up card", "41": "Lost card", "43": "Stolen card", "51": "Insufficient funds",
        "54": "Expired card", "55": "Incorrect PIN", "59": "Suspected fraud", "65": "PIN required",
        "N7": "CVV2 mismatch", "79": "Failed at the network",
    ]
}
