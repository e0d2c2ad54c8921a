internal import PaymentBase

/// Some secrets in every form in which they could come back, made once for all attempts that send the same.
final class SecretPatterns: Sendable {
    /// Shorter ones are no secrets.
    static let charactersMin = 3

    /// What it was made of.
    let secrets: [Secret]
    /// The texts that are looked for, each once.
    let needles: [String]
    let sieve: MultiPatternMatcher

    init(_ secrets: [Secret]) {
        var (needles, sieve) = ([String](), MultiPatternMatcher())
        func add(_ text: String) {
            guard text.utf8.count >= Self.charactersMin, !needles.contains(text) else { return }
            needles.append(text)
            sieve.add(text)
        }
        for secret in secrets {
            let text = secret.expose()
            guard text.utf8.count >= Self.charactersMin else { continue }
            add(text)
            Self.forms(of: text, secret.exposeBytes()).forEach(add)
        }
        (self.secrets, self.needles, self.sieve) = (secrets, needles, sieve)
    }

    /// The same text as it would stand in an address, in Base64 or in hexadecimal.
    private static func forms(of text: String, _ bytes: [UInt8]) -> [String] {
        let standard = Base64.standard.encode(bytes)
        let unpadded = String(decoding: standard.utf8.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
        var forms = [
            standard, unpadded, Base64.urlSafe.encode(bytes), Hex.encode(bytes), Hex.encode(bytes, uppercase: true),
        ]
        let escaped = PercentEncoding.queryComponent(text)
        // What needs no escape in an address needs none in a form.
        if escaped != text {
            let field = FormEncoding.encode([FormField("", text)])
            forms += [escaped, String(decoding: field.utf8.dropFirst(), as: UTF8.self)]
        }
        return forms
    }
}

/// Keeps the last sets of needles, which are the same for payment after payment: an access and an adapter's own secrets.
final class SecretPatternCache: Sendable {
    /// How many sets are kept.
    private static let setsMax = 4
    private let sets = Locked([SecretPatterns]())

    /// The set of some secrets.
    func set(of secrets: [Secret]) -> SecretPatterns {
        if let known = sets.withLock({ sets in sets.first { $0.secrets == secrets } }) { return known }
        let fresh = SecretPatterns(secrets)
        sets.withLock { sets in
            if sets.count == Self.setsMax { sets.removeFirst() }
            sets.append(fresh)
        }
        return fresh
    }
}
