internal import PaymentBase

/// Takes the secrets that went out with a request out of whatever comes back, should a provider echo them.
struct Scrubber: Sendable {
    private var needles: Set<String> = []
    private var sorted: [String] = []
    private var sieve = NeedleSieve()

    /// Shorter ones are digits that may stand anywhere by chance; they are taken out only as whole words.
    static let anywhereCharactersMin = 8
    /// Shorter ones are no secrets.
    static let charactersMin = 3

    init(_ secrets: [Secret]) { add(secrets) }

    /// The same, with more to take out.
    func hiding(_ secrets: [Secret]) -> Scrubber {
        var copy = self
        copy.add(secrets)
        return copy
    }

    private mutating func add(_ secrets: [Secret]) {
        let count = needles.count
        for secret in secrets {
            let text = secret.expose()
            guard text.utf8.count >= Self.charactersMin, needles.insert(text).inserted else { continue }
            sieve.add(text)
            for form in Self.forms(of: secret) where form.utf8.count >= Self.charactersMin {
                if needles.insert(form).inserted { sieve.add(form) }
            }
        }
        if needles.count != count { sorted = needles.sorted { $0.utf8.count > $1.utf8.count } }
    }

    /// The same text as it would stand in an address, in Base64 or in hexadecimal.
    private static func forms(of secret: Secret) -> [String] {
        let bytes = secret.exposeBytes()
        let standard = Base64.standard.encode(bytes)
        let safe = Base64.urlSafe.encode(bytes)
        let unpadded = String(standard.prefix { $0 != "=" })
        return [
            standard, unpadded, safe, Hex.encode(bytes), Hex.encode(bytes, uppercase: true),
            PercentEncoding.queryComponent(secret.expose()),
            FormEncoding.encode([FormField("", secret.expose())]).dropFirst().description,
        ]
    }

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
        message.map { ProviderMessage(code: self($0.code), message: self($0.message)) }
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
        return needles.contains(name)
            || sorted.contains { $0.utf8.count >= Self.anywhereCharactersMin && name.contains($0) }
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
