public import PaymentBase

/// An address; masked wherever it is printed.
public struct Address: Hashable, Sendable {
    public var line1: Personal?
    public var line2: Personal?
    public var city: Personal?
    public var postalCode: Personal?
    public var region: Personal?
    /// The country, as two letters.
    public var country: String?

    /// Makes an empty address.
    public init() {}
}
