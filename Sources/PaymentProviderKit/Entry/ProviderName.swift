/// What a provider, an adapter or an environment may be called: short, and fit for every log and file name.
enum ProviderName {
    /// The longest name.
    static let charactersMax = 40
    /// The rule in words, to follow the name.
    static let rule =
        "is no name: 1 to \(charactersMax) letters a to z or A to Z, digits, hyphens and underscores, "
        + "beginning with a letter"
    /// The rule as a pattern.
    static let pattern = "^[A-Za-z][A-Za-z0-9_-]{0,\(charactersMax - 1)}$"

    /// Whether a text is such a name.
    static func isGood(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first), text.utf8.count <= charactersMax else { return false }
        return text.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || $0 == 45 || $0 == 95 }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }
}
