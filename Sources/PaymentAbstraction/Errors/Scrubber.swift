internal import PaymentBase

/// Takes the secrets of a request out of whatever comes back, should a provider echo them.
struct Scrubber: Sendable {
    private let secrets: [String]

    /// Shorter ones are digits that may stand anywhere by chance; they are taken out only as whole words.
    static let anywhereCharactersMin = 8

    init(_ secrets: [Secret]) {
        self.secrets = secrets.map { $0.expose() }.filter { $0.utf8.count >= 3 }.sorted { $0.count > $1.count }
    }

    var isEmpty: Bool { secrets.isEmpty }

    func callAsFunction(_ text: String) -> String {
        var text = text
        for secret in secrets where text.contains(secret) {
            text = Self.replace(secret, in: text, wholeWords: secret.utf8.count < Self.anywhereCharactersMin)
        }
        return text
    }

    func callAsFunction(_ message: ProviderMessage?) -> ProviderMessage? {
        message.map { ProviderMessage(code: self($0.code), message: self($0.message)) }
    }

    /// References find the money again, so that only a value with one of our own secrets in it is dropped; a long
    /// number that merely looks like a card's stays.
    func callAsFunction(_ references: References) -> References {
        references.filter { self($0.value) == $0.value }
    }

    /// What a verdict brings, without our own secrets.
    func callAsFunction(_ verdict: Verdict) -> Verdict {
        if isEmpty { return verdict }
        switch verdict {
        case .approved(var approval):
            approval.references = self(approval.references)
            if let text = approval.receipt?.responseText { approval.receipt?.responseText = self(text) }
            return .approved(approval)
        case .declined(let decline):
            var copy = Decline(decline.reason, provider: self(decline.provider) ?? decline.provider)
            copy.references = self(decline.references)
            (copy.card, copy.receipt) = (decline.card, decline.receipt)
            return .declined(copy)
        case .cancelled(let cancellation):
            return .cancelled(
                Cancellation(
                    by: cancellation.by, provider: self(cancellation.provider),
                    references: self(cancellation.references)))
        case .pending(let pending):
            return .pending(
                Pending(
                    references: self(pending.references), provider: self(pending.provider),
                    lookAgain: pending.lookAgain))
        }
    }

    private static func replace(_ secret: String, in text: String, wholeWords: Bool) -> String {
        var out = ""
        var rest = Substring(text)
        while let range = rest.firstRange(of: secret) {
            let before = rest[..<range.lowerBound].last
            let after = rest[range.upperBound...].first
            let isWord = !(before?.isWordCharacter ?? false) && !(after?.isWordCharacter ?? false)
            out += rest[..<range.lowerBound]
            out += !wholeWords || isWord ? "<secret>" : secret
            rest = rest[range.upperBound...]
        }
        return out + rest
    }
}

extension Character {
    fileprivate var isWordCharacter: Bool { isLetter || isNumber }
}
