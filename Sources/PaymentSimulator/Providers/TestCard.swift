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
