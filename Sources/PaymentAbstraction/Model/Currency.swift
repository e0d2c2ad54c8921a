/// A currency of ISO 4217 in which amounts can be paid, such as ``usd``.
///
/// The list is the standard's list one as in force since 1 January 2026. Codes without a minor unit (metals, units of
/// account, the test code) are no money here.
public struct Currency: Hashable, Sendable {
    /// The letters as one number: amounts are copied often, and this needs no count of references.
    private let letters: UInt32
    private let number: UInt16
    private let decimals: UInt8

    /// The three capital letters.
    public var code: String {
        var code = ""
        for shift: UInt32 in [16, 8, 0] { code.unicodeScalars.append(Unicode.Scalar(UInt8(letters >> shift & 0xFF))) }
        return code
    }
    /// The numeric ISO 4217 code, such as 840.
    public var numericCode: Int { Int(number) }
    /// How many decimals an amount has: 0, 2, 3 or 4.
    public var exponent: Int { Int(decimals) }
    /// The standard's English name.
    public var name: String { Self.names[code] ?? code }

    /// Finds the currency of a code.
    ///
    /// - Throws: `invalidRequest`, nothing moved, naming the input and the nearest codes.
    public init(_ code: String) throws(PaymentError) {
        guard let currency = Self.known(code) else {
            throw PaymentError.notExecuted(.invalidRequest, Self.refusal(of: code))
        }
        self = currency
    }

    /// The currency of a code that came from a provider; nil when it is none, which is for the reader to judge.
    public static func known(_ code: String) -> Currency? { byCode[code] }

    /// Makes a row of the table.
    init(_ code: String, _ number: UInt16, _ decimals: UInt8) {
        letters = code.utf8.reduce(0) { $0 << 8 | UInt32($1) }
        (self.number, self.decimals) = (number, decimals)
    }

    private static let byCode = Dictionary(uniqueKeysWithValues: allCases.map { ($0.code, $0) })
}

extension Currency: CaseIterable {
    /// Every currency, in the order of the codes.
    public static let allCases: [Currency] = fromAToK + fromLToZ
}

extension Currency: CustomStringConvertible {
    public var description: String { code }
}

extension Currency {
    /// How many codes are suggested for one that is unknown.
    static let suggestionsMax = 3

    /// Codes of the standard that have no minor unit and so can't be an amount of money.
    static let withoutMinorUnit: [String: String] = [
        "XAG": "Silver",
        "XAU": "Gold",
        "XBA": "Bond Markets Unit European Composite Unit (EURCO)",
        "XBB": "Bond Markets Unit European Monetary Unit (E.M.U.-6)",
        "XBC": "Bond Markets Unit European Unit of Account 9 (E.U.A.-9)",
        "XBD": "Bond Markets Unit European Unit of Account 17 (E.U.A.-17)",
        "XDR": "SDR (Special Drawing Right)",
        "XPD": "Palladium",
        "XPT": "Platinum",
        "XSU": "Sucre",
        "XTS": "Codes specifically reserved for testing purposes",
        "XUA": "ADB Unit of Account",
        "XXX": "The codes assigned for transactions where no currency is involved",
    ]

    /// Codes that the standard withdrew lately, each with the one that took its place.
    static let withdrawn: [String: String] = [
        "ANG": "XCG", "BGN": "EUR", "BYR": "BYN", "CUC": "CUP", "HRK": "EUR", "LTL": "EUR", "LVL": "EUR", "MRO": "MRU",
        "SLL": "SLE", "STD": "STN", "VEF": "VES", "ZMK": "ZMW", "ZWL": "ZWG",
    ]

    /// Says why a code is no currency and what may have been meant.
    static func refusal(of code: String) -> String {
        if let name = withoutMinorUnit[code] {
            return "\(code) (\(name)) is an ISO 4217 code without a minor unit, so no amount can be paid in it; "
                + "name a currency"
        }
        if let successor = withdrawn[code] {
            return "\(code) was withdrawn from ISO 4217; its place was taken by \(successor)"
        }
        let nearest = nearest(to: code)
        return "\(QuotedInput(code)) is no currency; an ISO 4217 code of three capital letters is expected"
            + (nearest.isEmpty ? ", such as EUR" : "; the nearest: \(nearest.joined(separator: ", "))")
    }

    /// The codes that differ from the input in case, one letter, or the order of two letters; the best first.
    static func nearest(to input: String) -> [String] {
        let letters = Array(input.uppercased().utf8.prefix { $0 < 128 })
        guard (2...4).contains(letters.count), letters.count == input.utf8.count else { return [] }
        let ranked = allCases.compactMap { currency in
            Self.distance(Array(currency.code.utf8), letters).map { (distance: $0, code: currency.code) }
        }
        return ranked.sorted { ($0.distance, $0.code) < ($1.distance, $1.code) }.prefix(suggestionsMax).map(\.code)
    }

    /// 0 for the same letters, 1 for two swapped, 2 for one replaced, missing or too many; nil for more.
    private static func distance(_ code: [UInt8], _ input: [UInt8]) -> Int? {
        if code == input { return 0 }
        if code.count == input.count {
            if code.sorted() == input.sorted() { return 1 }
            return zip(code, input).count { $0 != $1 } == 1 ? 2 : nil
        }
        let (short, long) = code.count < input.count ? (code, input) : (input, code)
        let fits = long.indices.contains { index in
            Array(long[..<index] + long[(index + 1)...]) == short
        }
        return fits ? 2 : nil
    }
}
