internal import PaymentAbstraction

/// Makes what stands in a file fit for an error message: short, without control characters and card numbers.
enum Shown {
    /// How much of a text is shown.
    static let charactersMax = 40

    /// A text between quotation marks.
    static func text(_ text: String) -> String { "\"\(plain(text))\"" }

    /// A text as it is, shortened.
    static func plain(_ text: String) -> String {
        let masked = Masking.cardNumbers(in: String(text.prefix(1_024)))
        var shown = ""
        for scalar in masked.unicodeScalars.prefix(charactersMax) {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                shown += scalar.escaped(asASCII: true)
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown + (masked.unicodeScalars.count > charactersMax ? "…" : "")
    }

    /// An address without user name, password and query, which people fill with secrets.
    static func address(_ text: String) -> String {
        if text.contains("@") { return "an address with a user name in it (not shown)" }
        let end = text.firstIndex { $0 == "?" || $0 == "#" }
        return end.map { "\"\(plain(String(text[..<$0])))\" and a query (not shown)" } ?? Self.text(text)
    }

    /// Whether a member of this name may hold a secret, wherever it stands.
    static func isDelicate(_ key: String) -> Bool {
        let word = key.lowercased()
        return ["secret", "password", "passphrase", "token", "key", "pin", "credential"].contains { word.contains($0) }
    }

    /// Words as a list: `a, b or c`.
    static func choices(_ words: [String], quoted: Bool = true) -> String {
        let words = quoted ? words.map { "\"\($0)\"" } : words
        guard let last = words.last else { return "nothing" }
        return words.count == 1 ? last : words.dropLast().joined(separator: ", ") + " or " + last
    }
}
