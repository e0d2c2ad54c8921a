public import PaymentBase

/// Who pays; masked wherever it is printed.
public struct CustomerContact: Hashable, Sendable {
    /// The first name.
    public var firstName: Personal?
    /// The last name.
    public var lastName: Personal?
    /// The company.
    public var company: Personal?
    /// The e-mail address.
    public var email: Personal?
    /// The telephone number.
    public var phone: Personal?
    /// Fields that only some providers ask for, by the provider's own name.
    public var more: [String: Personal] = [:]

    /// Makes an empty contact.
    public init() {}
}
