public import PaymentBase

/// An address; masked wherever it is printed.
public struct PostalAddress: Hashable, Sendable {
    /// Street and number.
    public var line1: PersonalData?
    /// What belongs to the street beside its number.
    public var line2: PersonalData?
    /// The city.
    public var city: PersonalData?
    /// The postal code.
    public var postalCode: PersonalData?
    /// The state, province or region.
    public var region: PersonalData?
    /// The country, as two letters.
    public var country: String?

    /// Makes an empty address.
    public init() {}
}
