extension Money {
    /// The largest amount that is believed of a provider, in minor units: more than any payment has, and so far from
    /// where numbers end that the sums of a payment can be made.
    public static let believableMinorUnitsMax: Int64 = 1_000_000_000_000_000

    /// Whether a payment can be over this amount: it is not below zero and not above the largest that is believed.
    public var isBelievable: Bool { (0...Self.believableMinorUnitsMax).contains(minorUnits) }

    /// The amount itself, as a driver takes it from a provider's reply.
    ///
    /// ```swift
    /// let charged = try Money(minorUnits: units, .eur).believable()
    /// ```
    ///
    /// - Throws: `unreadableReply`, outcome unknown, when no payment can be over it.
    public func believable() throws(PaymentError) -> Money {
        if isBelievable { return self }
        throw PaymentError.unknown(
            .unreadableReply,
            "The reply names an amount that no payment has (got \(self), where 0 to "
                + "\(Money(minorUnits: Self.believableMinorUnitsMax, currency)) is believed). Ask for the attempt's status."
        )
    }
}
