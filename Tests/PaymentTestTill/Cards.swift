public import PaymentAbstraction

/// Cards and amounts that tests use.
public enum Cards {
    /// A card that is approved.
    public static func good() throws(PaymentError) -> PaymentSource {
        .card(try KeyedCard(number: "4111 1111 1111 1111", expiryMonth: 12, expiryYear: 30, securityCode: "737"))
    }

    /// A card that is declined.
    public static func declined() throws(PaymentError) -> PaymentSource {
        .card(try KeyedCard(number: "4000000000000002", expiryMonth: 12, expiryYear: 30))
    }
}

extension Money {
    /// An amount in euro, in cents.
    public static func cents(_ cents: Int64) -> Money { Money(minorUnits: cents, .eur) }
}
