internal import PaymentBase

/// What the simulated reader hands over, as a simulated provider reads it.
struct TapPayload {
    let amount: LedgerAmount
    /// `purchase`, `refund` or `verification`.
    let purpose: String
    let number: String
    /// What the holder typed; nil when nobody typed anything.
    let pin: String?
    let expectedPIN: String?
    /// When the card was read, in milliseconds since 1970.
    let at: Int64

    /// Reads it; nil when it is none.
    init?(_ text: String?) {
        guard let text, let bytes = Base64.standard.decode(text), let body = try? JSONReader().read(bytes),
            let units = body["amount"]?.int64, let currency = body["currency"]?.string,
            let purpose = body["purpose"]?.string, let number = body["pan"]?.string, let at = body["at"]?.int64
        else { return nil }
        amount = LedgerAmount(units, currency)
        (self.purpose, self.number, self.at) = (purpose, number, at)
        (pin, expectedPIN) = (body["pin"]?.string, body["expectedPIN"]?.string)
    }

    /// The number with all but its first six and last four digits hidden.
    var maskedNumber: String {
        number.prefix(6) + String(repeating: "*", count: max(0, number.count - 10)) + number.suffix(4)
    }

    /// The scheme by the first digit.
    var scheme: String {
        switch number.first {
        case "4": "VISA"
        case "5", "2": "MASTERCARD"
        case "3": "AMEX"
        default: "UNKNOWN"
        }
    }
}
