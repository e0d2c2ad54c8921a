public import PaymentBase

/// Who pays; masked wherever it is printed.
public struct CustomerContact: Hashable, Sendable {
    /// The first name.
    public var firstName: PersonalData?
    /// The last name.
    public var lastName: PersonalData?
    /// The company.
    public var company: PersonalData?
    /// The e-mail address.
    public var email: PersonalData?
    /// The telephone number.
    public var phone: PersonalData?
    /// Fields that only some providers ask for, by the provider's own name.
    public var additional: [String: PersonalData] = [:]

    /// Makes an empty contact.
    public init() {}
}

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
