public import PaymentBase

/// An address; masked wherever it is printed.
public struct PostalAddress: Hashable, Sendable {
    /// Street and number.
    public var line1: Personal?
    /// What belongs to the street beside its number.
    public var line2: Personal?
    /// The city.
    public var city: Personal?
    /// The postal code.
    public var postalCode: Personal?
    /// The state, province or region.
    public var region: Personal?
    /// The country, as two letters.
    public var country: String?

    /// Makes an empty address.
    public init() {}
}
