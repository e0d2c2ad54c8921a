internal import PaymentBase

/// What a simulated provider does, steered by the last three digits of the amount in minor units.
///
/// These are ours; amounts and cards with which a real provider's test environment is steered stand with that provider.
/// Each provider plays what its wire has, and takes any other amount as it is.
public enum TestAmount: Int64, Sendable, CaseIterable {
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
    /// Refuses once, before anything is done: too many requests, or closed for a moment.
    case busyOnce = 18
    /// Does it and echoes another amount.
    case echoesOther = 19
    /// Approves half, if the request allows a part.
    case approvesHalf = 20
    /// Fails inside, without the money.
    case fails = 22
    /// Is at work on it for seconds, and then approves.
    case decidesSoon = 23
    /// Is at work on it for a long time, and then approves.
    case decidesLate = 24
    /// Asks for a challenge of the cardholder first; at ecommpay, after its first provider failed.
    case challenges = 30
    /// Asks for more fields first.
    case clarifies = 31
    /// Asks for fields about the customer first.
    case asksFields = 32
    /// Declines the first card, and offers to try another.
    case offersAgain = 33
    /// Sends the customer to another provider's page.
    case redirects = 34
    /// Shows the customer a code.
    case showsCode = 35
    /// Declines: lost card.
    case lostCard = 41
    /// Declines: not enough money.
    case insufficientFunds = 51
    /// Declines: expired.
    case expired = 54
    /// Wants a PIN.
    case asksPIN = 65

    /// The script of an amount; smaller ones than `least` have none.
    public init?(minorUnits: Int64, from least: Int64 = 0) {
        guard minorUnits >= least else { return nil }
        self.init(rawValue: minorUnits % 1_000)
    }

    /// The response code of the issuer with which it declines, if it does.
    public var declineCode: String? { [.lostCard: "41", .insufficientFunds: "51", .expired: "54"][self] }

    /// The codes with which cards are declined whatever the amount, by number.
    public static let declinedCards = ["4000000000000002": "05", "4000000000000069": "54", "5100000000000511": "51"]

    /// An answer as the script leaves it on its way back: lost, broken, or with another word or amount in it.
    func disturb(
        _ reply: JSON, broken: SimulatorResponse, word: (JSON) -> JSON, amount: (JSON) -> JSON,
        _ answer: (JSON) -> SimulatorResponse = { .json($0) }
    ) -> SimulatorResponse {
        if self == .losesReply { return .cutAfter }
        if self == .failsAfter { return broken }
        return answer(self == .saysUnknownWord ? word(reply) : self == .echoesOther ? amount(reply) : reply)
    }
}

/// A card of a simulated provider under a name that people remember.
public struct TestCard: Hashable, Sendable {
    /// What happens with it, in a word or two.
    public let name: String
    /// Its number; public, and good for nothing but simulations.
    public let number: String
    /// What becomes of a payment with it.
    public let summary: String

    /// Names a card.
    public init(_ name: String, _ number: String, _ summary: String) {
        (self.name, self.number, self.summary) = (name, number, summary)
    }

    /// The cards that every provider of cards knows.
    public static let usual = [
        TestCard("visa", "4111111111111111", "approved"),
        TestCard("mastercard", "5555555555554444", "approved"),
        TestCard("declined", "4000000000000002", "declined: the issuer gives no reason"),
        TestCard("expired", "4000000000000069", "declined: the card has expired"),
    ]
    /// The security code of every card.
    public static let securityCode = "737"

    /// The published cards of ecommpay's test project.
    public static let ecommpay = [
        TestCard("mastercard", "5555555555554444", "approved"),
        TestCard("visa", "4000000000000077", "approved; Visa wants an e-mail address or a telephone number"),
        TestCard("declined", "5200000000000015", "declined: the issuer gives no reason"),
        TestCard("wrong-code", "5200000000000007", "declined: the security code is wrong"),
        TestCard("challenge", "5413330000000019", "3-D Secure with a challenge, approved"),
        TestCard("challenge-failed", "5544330000000045", "3-D Secure with a challenge, declined"),
        TestCard("frictionless", "5252000000000004", "3-D Secure without a challenge, approved"),
        TestCard("partial", "5126160000356675", "only 120.00 is approved of more"),
    ]
}
