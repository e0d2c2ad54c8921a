public import PaymentBase

/// Who pays; masked wherever it is printed.
public struct Contact: Hashable, Sendable {
    public var firstName: Personal?
    public var lastName: Personal?
    public var company: Personal?
    public var email: Personal?
    public var phone: Personal?
    /// Fields that only some providers ask for, by the provider's own name.
    public var more: [String: Personal] = [:]

    /// Makes an empty contact.
    public init() {}
}
