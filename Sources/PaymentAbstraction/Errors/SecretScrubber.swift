internal import PaymentBase

/// Takes the secrets that went out with a request out of whatever comes back, should a provider echo them.
struct SecretScrubber: Sendable {
    private var sets: [SecretPatterns] = []
    private var sieve = MultiPatternMatcher()

    /// Shorter ones are digits that may stand anywhere by chance; they are taken out only as whole words.
    static let anywhereCharactersMin = 8

    init(_ secrets: [Secret]) { add(SecretPatterns(secrets)) }

    /// Takes out what is known already.
    init(_ set: SecretPatterns) { add(set) }

    /// The same, with more to take out.
    func hiding(_ secrets: [Secret]) -> SecretScrubber {
        sets.contains { $0.secrets == secrets } ? self : hiding(SecretPatterns(secrets))
    }

    /// The same, with more to take out that is known already.
    func hiding(_ set: SecretPatterns) -> SecretScrubber {
        if set.needles.isEmpty || sets.contains(where: { $0 === set }) { return self }
        var copy = self
        copy.add(set)
        return copy
    }

    private mutating func add(_ set: SecretPatterns) {
        if set.needles.isEmpty { return }
        sets.append(set)
        sieve.add(set.sieve)
    }

    /// Everything that is looked for, the longest first.
    private var sorted: [String] { sets.flatMap(\.needles).sorted { $0.utf8.count > $1.utf8.count } }

    func callAsFunction(_ text: String) -> String {
        guard sieve.mayStand(in: text) else { return text }
        var text = text
        for needle in sorted where text.contains(needle) {
            text = Self.replace(needle, in: text, wholeWords: needle.utf8.count < Self.anywhereCharactersMin)
        }
        return text
    }

    func callAsFunction(_ text: String?) -> String? { text.map { self($0) } }

    func callAsFunction(_ message: ProviderMessage?) -> ProviderMessage? {
        message.map { $0.cleaned(by: { self($0) }) }
    }

    /// References find the money again: one is dropped only when it is one of our secrets, or has a long one in it.
    /// Three digits of a longer name that are also a security code stay, and so does a number that merely looks like a
    /// card's.
    func callAsFunction(_ references: PaymentReferences) -> PaymentReferences {
        references.filter { !isSecret($0.value) && !isSecret($0.key) }
    }

    /// Whether a name is a secret, or has one in it that can't stand there by chance.
    func isSecret(_ name: String) -> Bool {
        guard sieve.mayStand(in: name) else { return false }
        return sets.contains { set in
            set.needles.contains { needle in
                needle == name || needle.utf8.count >= Self.anywhereCharactersMin && name.contains(needle)
            }
        }
    }

    private static func replace(_ needle: String, in text: String, wholeWords: Bool) -> String {
        var out = ""
        var rest = Substring(text)
        while let range = rest.firstRange(of: needle) {
            let before = rest[..<range.lowerBound].last
            let after = rest[range.upperBound...].first
            let isWord = !(before?.isWordCharacter ?? false) && !(after?.isWordCharacter ?? false)
            out += rest[..<range.lowerBound]
            out += !wholeWords || isWord ? "<secret>" : needle
            rest = rest[range.upperBound...]
        }
        return out + rest
    }
}

extension Character {
    fileprivate var isWordCharacter: Bool { isLetter || isNumber }
}
