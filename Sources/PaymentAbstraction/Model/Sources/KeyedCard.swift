public import PaymentBase

/// A card whose number was typed.
public struct KeyedCard: Hashable, Sendable {
    /// The number, digits only.
    public let number: Secret
    /// The month in which it ends, 1 to 12.
    public let expiryMonth: Int
    /// The year in which it ends, four digits.
    public let expiryYear: Int
    /// The security code.
    public let securityCode: Secret?
    /// The holder's name.
    public let holder: PersonalData?

    /// Takes a card as typed; spaces and hyphens in the number are dropped, a year of two digits is widened.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when the number or the expiry can't be right.
    public init(
        number: String, expiryMonth: Int, expiryYear: Int, securityCode: String? = nil, holder: String? = nil
    ) throws(PaymentError) {
        let digits = number.filter { $0 != " " && $0 != "-" }
        guard Masking.cardDigits.contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw PaymentError.notExecuted(.invalidRequest, "a card number has 12 to 19 digits and nothing else")
        }
        guard (1...12).contains(expiryMonth) else {
            throw PaymentError.notExecuted(.invalidRequest, "an expiry month is 1 to 12, not \(expiryMonth)")
        }
        let year = (0...99).contains(expiryYear) ? 2_000 + expiryYear : expiryYear
        guard (2_000...3_000).contains(year) else {
            throw PaymentError.notExecuted(.invalidRequest, "an expiry year is 2000 to 3000, not \(expiryYear)")
        }
        self.number = Secret(digits)
        (self.expiryMonth, self.expiryYear) = (expiryMonth, year)
        self.securityCode = securityCode.map { Secret($0) }
        self.holder = holder.map { PersonalData($0) }
    }

    /// The last four digits.
    public var last4: String { String(number.expose().suffix(4)) }

    var secrets: [Secret] { [number] + (securityCode.map { [$0] } ?? []) }
}
