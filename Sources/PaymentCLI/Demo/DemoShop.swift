internal import PaymentAbstraction

/// What the demonstration has to know about a provider: how money comes in, and by which amounts what happens.
struct DemoShop: Sendable {
    /// How the configuration, the adapter and the provider name it.
    let name: String
    let merchant: String
    let currency: Currency
    /// An amount that is declined for want of money.
    let declined: String
    /// An amount whose answer is lost after the money moved.
    let lost: String
    /// Whether it reads no cards, so that their numbers are typed.
    var isKeyed = false
    /// Whether money is only held on typed cards.
    var holdsKeyed = false

    /// Five providers, in the order of the day.
    static let all = [
        DemoShop(name: "adyen", merchant: "TestMerchant", currency: .eur, declined: "101.24", lost: "39.01"),
        DemoShop(name: "arise", merchant: "m-1", currency: .usd, declined: "0.21", lost: "30.13", holdsKeyed: true),
        DemoShop(
            name: "ecommpay", merchant: "1234", currency: .eur, declined: "70.51", lost: "30.13", isKeyed: true),
        DemoShop(name: "halo", merchant: "merchant-1", currency: .zar, declined: "70.51", lost: "30.13"),
        DemoShop(
            name: "ni", merchant: "87f2ebb4-6301-4b13-b59e-ea15ecc07b43", currency: .aed, declined: "70.51",
            lost: "30.13"),
    ]

    /// Where its money comes from.
    func source(held: Bool = false) throws(PaymentError) -> PaymentSource {
        guard isKeyed || (held && holdsKeyed) else { return .reader }
        return .card(
            try KeyedCard(number: "5555555555554444", expiryMonth: 12, expiryYear: 2_030, securityCode: "123"))
    }
}
