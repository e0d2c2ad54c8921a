public import PaymentBase

/// A card as far as it may be shown: never its number.
public struct CardSummary: Hashable, Sendable {
    /// The scheme, as the provider names it.
    public var brand: String?
    /// The last four digits.
    public var last4: String?
    /// When it ends, as `MM/YY`.
    public var expiry: String?
    /// How it was read: `contactless`, `chip`, `swipe`, `keyed` and so on.
    public var entry: String?
    /// `debit`, `credit`, `prepaid`, as far as known.
    public var funding: String?
    /// The issuer's country.
    public var issuerCountry: String?
    /// The holder's name.
    public var holder: PersonalData?

    /// Makes a summary; of a masked number only the last four digits are kept.
    public init(brand: String? = nil, maskedNumber: String? = nil, last4: String? = nil) {
        self.brand = brand
        let digits = (last4 ?? maskedNumber ?? "").utf8.filter { (48...57).contains($0) }.suffix(4)
        self.last4 = digits.count == 4 ? String(decoding: digits, as: UTF8.self) : nil
    }
}
