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
