internal import PaymentBase
internal import PaymentModel
internal import PaymentTransport

/// Takes secrets out of everything that a cassette keeps.
///
/// Three ways, each enough on its own: by the names of members and header fields, by the values that are known or were
/// seen under such a name, and by the look of card numbers. The same secret gets the same name each time, so that what
/// was recorded still fits together.
final class CassetteRedactor: Sendable {
    /// Members whose values are never kept, in lower case without hyphens and underscores.
    private static let members: Set<String> = [
        "token", "accesstoken", "refreshtoken", "idtoken", "logintoken", "password", "passphrase", "secret",
        "clientsecret", "apikey", "apisecret", "key", "securitycode", "cvc", "cvv", "cvv2", "cvn", "pin", "pinblock",
        "encryptedpin", "ksn", "track1", "track2", "trackdata", "track2data", "emvdata", "rawtags", "emvtags",
        "cvmtags", "paymentcarddata", "generalcarddata", "pan", "cardnumber", "paymenttoken", "wallettoken",
        "accountnumber", "routingnumber", "taxid", "onlinepin", "attestation", "sid",
    ]
    /// Ends of names whose values are never kept: each provider puts a word of its own before them.
    private static let endings = [
        "token", "secret", "password", "passphrase", "apikey", "hmackey", "privatekey", "signingkey", "secretkey",
        "jwt", "securitycode", "cardnumber", "accountnumber", "pin", "cvc", "cvv", "iban", "sessionid", "sdkdata",
        "trackdata", "equivalentdata",
    ]

    /// Members that hold the tags of a chip.
    private static let tagLists: Set<String> = ["emvtags", "cvmtags"]

    /// The members of an object that holds a chip's tags, none of which is a number or a track; raw tags are taken out of it.
    private static let tagMembers: Set<String> = ["ac", "aid", "applicationlabel", "rawtags", "tsi", "tvr"]

    /// Whether what is under such a member says which tag each value is.
    private static func hasNames(_ tags: JSON) -> Bool {
        tags.object?.members.allSatisfy { tagMembers.contains(plain($0.key)) } == true
            || tags.array?.allSatisfy { $0["tag"]?.string != nil } == true
    }

    /// Whether what is under a name is never kept. What a provider has masked itself stays, since drivers compare its last
    /// digits; a whole number in its place is found by its look.
    private static func isSecret(_ plain: String) -> Bool {
        members.contains(plain) || !plain.hasPrefix("masked") && endings.contains { plain.hasSuffix($0) }
    }

    /// Header fields whose values are never kept, beside those of ``PaymentTransport/CassetteRules/alwaysRemoved``.
    private static let headers = ["token", "secret", "apikey", "key", "password", "authorization", "auth", "session"]
    /// The shortest value that is looked for elsewhere once it was seen.
    private static let valueCharactersMin = 6

    private let known: Locked<[String: Int]>
    /// How many were known beforehand.
    private let count: Int

    /// Knows secrets beforehand.
    init(_ secrets: [String]) {
        var known: [String: Int] = [:]
        for secret in secrets where !secret.isEmpty && known[secret] == nil { known[secret] = known.count + 1 }
        (self.known, count) = (Locked(known), known.count)
    }

    var rules: CassetteRules {
        CassetteRules { [self] target in
            self.target(target)
        } redactBody: { [self] body in
            self.body(body)
        }
    }

    /// An exchange as it is kept; header fields are looked through one by one.
    func exchange(
        _ request: HTTPRequest, _ end: Result<HTTPResponse, TransportFailure>, milliseconds: Int64
    ) -> Cassette.Interaction {
        var request = request
        request.headers = fields(request.headers)
        let end = end.map { response in
            var response = response
            response.headers = fields(response.headers)
            return response
        }
        return rules.exchange(request, end, milliseconds: milliseconds)
    }

    private func fields(_ headers: HTTPHeaders) -> HTTPHeaders {
        var kept = HTTPHeaders()
        for field in headers.fields {
            let name = Self.plain(field.name)
            if !name.hasPrefix("idempotency"), Self.headers.contains(where: { name.hasSuffix($0) }) {
                kept.add(field.name, named(field.value.split(separator: " ").last.map(String.init) ?? ""))
            } else {
                kept.add(field.name, address(field.value))
            }
        }
        return kept
    }

    /// News as they are kept.
    func news(_ news: ProviderWebhook) -> JSON {
        var headers = HTTPHeaders()
        for (name, value) in news.headers.sorted(by: { $0.key < $1.key }) { headers.add(name, value) }
        let kept = fields(headers).fields.map { JSON.array([.string($0.name), .string($0.value)]) }
        return ["headers": .array(kept), "body": Cassette.kept(body(news.body))]
    }

    private func target(_ target: String) -> String {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return text(target) }
        return text(String(parts[0])) + "?" + form(String(parts[1]))
    }

    /// A text that may be an address: what is named in its query or behind its hash goes as in a form.
    private func address(_ text: String) -> String {
        guard text.contains("="), !text.contains(" "), let mark = text.firstIndex(where: { $0 == "?" || $0 == "#" })
        else {
            return self.text(text)
        }
        let rest = text[text.index(after: mark)...].split(separator: "#", omittingEmptySubsequences: false)
        return self.text(String(text[..<mark])) + String(text[mark])
            + rest.map { form(String($0)) }.joined(separator: "#")
    }

    /// A body as it is kept: JSON member by member, a form field by field, anything else as text.
    func body(_ body: [UInt8]) -> [UInt8] {
        if body.isEmpty { return body }
        if let json = try? JSONReader().read(body) {
            let kept = value(json)
            return kept == json ? body : kept.bytes()
        }
        guard let text = String(validating: body, as: UTF8.self) else { return Array("removed bytes".utf8) }
        // A text that was cut off may end its values like a form, as Base64 does: what it names is looked for first.
        let scanned = scanned(text)
        return Array((text.contains("=") && !text.contains(" ") ? form(scanned) : self.text(scanned)).utf8)
    }

    /// A text that is no JSON, such as one that was cut off, XML, or a list of fields: what is behind a telling name and a
    /// colon, an equals sign or the end of a tag is taken out.
    private func scanned(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var (kept, index) = ([UInt8](), 0)
        func isName(_ byte: UInt8) -> Bool {
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 95
                || byte == 45
        }
        func isOneOf(_ marks: String, _ place: Int) -> Bool { place < bytes.count && marks.utf8.contains(bytes[place]) }
        while index < bytes.count {
            guard isName(bytes[index]) else {
                kept.append(bytes[index])
                index += 1
                continue
            }
            var end = index
            while end < bytes.count, isName(bytes[end]) { end += 1 }
            let name = Self.plain(String(decoding: bytes[index..<end], as: UTF8.self))
            kept += bytes[index..<end]
            index = end
            guard Self.isSecret(name) else { continue }
            while isOneOf("\"'\\[] \t", end) { end += 1 }
            guard isOneOf(":=>", end) else { continue }
            end += 1
            while isOneOf("\"'\\ \t", end) { end += 1 }
            kept += bytes[index..<end]
            index = end
            while end < bytes.count, !isOneOf("\"'\\ \t\r\n&,;<>}])", end) { end += 1 }
            if end > index { kept += Array(named(String(decoding: bytes[index..<end], as: UTF8.self)).utf8) }
            index = end
        }
        return String(decoding: kept, as: UTF8.self)
    }

    /// Everything that is known as secret by now, by its value.
    var learnt: [String] { known.withLock { $0.keys.filter { Self.number(of: $0) == nil } } }

    private func form(_ text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { field in
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { return self.text(String(field)) }
            if Self.isSecret(Self.plain(PercentEncoding.decode(parts[0]) ?? parts[0])), !parts[1].isEmpty {
                return "\(parts[0])=\(named(parts[1]))"
            }
            return "\(parts[0])=\(self.text(parts[1]))"
        }.joined(separator: "&")
    }

    private func value(_ json: JSON, _ name: String = "") -> JSON {
        switch json {
        case .null, .bool: return json
        case .number(let number):
            let isNamed = ["card", "account", "number"].contains { name.contains($0) }
            return isNamed && CardLook.masked(number.text) != number.text ? 0 : json
        case .string(let text): return .string(nested(text))
        case .array(let items): return .array(items.map { value($0, name) })
        case .object(let object):
            var kept = JSONObject()
            // One tag of a chip has its name in a member of its own.
            let tag = object["tag"]?.string.map { Receipt.EMVTag($0, object["value"]?.string ?? "") }
            for member in object.members {
                let name = Self.plain(member.key)
                // Tags that have names of their own are looked through one by one.
                let isSecret =
                    Self.isSecret(name) && !(Self.tagLists.contains(name) && Self.hasNames(member.value))
                    || name == "value" && tag?.isSensitive == true
                kept[member.key] = isSecret ? removed(member.value) : value(member.value, name)
            }
            return .object(kept)
        }
    }

    /// A text that is JSON itself, or the Base64 of such, is looked through as well.
    private func nested(_ text: String) -> String {
        if text.utf8.first == UInt8(ascii: "{"), let json = try? JSONReader().read(Array(text.utf8)) {
            let kept = value(json)
            return kept == json ? text : String(decoding: kept.bytes(), as: UTF8.self)
        }
        if text.utf8.count > 16, let bytes = Base64.standard.decode(text), bytes.first == UInt8(ascii: "{"),
            let json = try? JSONReader().read(bytes)
        {
            let kept = value(json)
            return kept == json ? text : Base64.standard.encode(kept.bytes())
        }
        return address(text)
    }

    private func removed(_ json: JSON) -> JSON {
        switch json {
        case .null, .bool: json
        case .number: 0
        case .string(let text): text.isEmpty ? json : .string(named(text))
        case .array(let items): .array(items.map { removed($0) })
        case .object: "removed"
        }
    }

    /// The name under which a secret is; it is found elsewhere from now on.
    private func named(_ secret: String) -> String {
        // What comes off a cassette has its name already, and keeps the count of the others in step.
        if secret == "removed" || Self.number(of: secret) != nil {
            known.withLock { $0[secret] = Self.number(of: secret) }
            return secret
        }
        guard secret.count >= Self.valueCharactersMin else { return "removed" }
        let number = known.withLock { known in
            if let number = known[secret] { return number }
            known[secret] = known.count + 1
            return known.count
        }
        return "removed-\(number)"
    }

    /// A text without what is known as secret, as it is, in an address and in Base64, and without card numbers.
    func text(_ text: String) -> String {
        var kept = text
        // Longer ones first: one may begin with another.
        for (secret, number) in known.withLock({ $0 }).filter({ Self.number(of: $0.key) == nil }).sorted(by: {
            ($1.key.count, $0.key) < ($0.key.count, $1.key)
        }) {
            let name = "removed-\(number)"
            for form in [
                secret, PercentEncoding.pathSegment(secret) ?? secret, Base64.standard.encode(Array(secret.utf8)),
            ]
            where kept.contains(form) {
                kept = kept.replacing(form, with: name)
            }
        }
        return CardLook.masked(kept)
    }

    /// The number in the name of a removed secret; nil where it is none.
    private static func number(of name: String) -> Int? {
        name.hasPrefix("removed-") ? Int(name.dropFirst(8)) : nil
    }

    /// A text with the secrets that were known beforehand in the places from which they were taken, for a driver that
    /// compares a message with them.
    func restored(_ text: String) -> String {
        let beforehand = known.withLock { $0 }.filter { $0.value <= count && Self.number(of: $0.key) == nil }
        return beforehand.sorted { $0.value > $1.value }.reduce(text) { text, one in
            text.replacing("removed-\(one.value)", with: one.key)
        }
    }

    private static func plain(_ name: String) -> String {
        String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }
}

/// Finds what looks like a card's number and masks it.
///
/// It asks for more than `Masking` does, for which every run of digits is suspicious: a cassette holds
/// names of providers that are all digits, and one that is masked no longer fits its neighbours.
enum CardLook {
    static func masked(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var (kept, index) = ([UInt8](), 0)
        while index < bytes.count {
            guard isWord(bytes[index]) else {
                kept.append(bytes[index])
                index += 1
                continue
            }
            var end = index
            while end < bytes.count, isWord(bytes[end]) || isGap(bytes, end) { end += 1 }
            let word = bytes[index..<end]
            let digits = word.filter(isDigit)
            let isCard =
                digits.count + word.count(where: { $0 == 32 || $0 == 45 }) == word.count
                && (13...19).contains(digits.count) && (UInt8(ascii: "2")...UInt8(ascii: "6")).contains(digits[0])
            kept += isCard ? Array(Masking.cardNumbers(in: String(decoding: word, as: UTF8.self)).utf8) : Array(word)
            index = end
        }
        return String(decoding: kept, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 95
    }

    /// A single space between digits, or a hyphen within a word.
    private static func isGap(_ bytes: [UInt8], _ index: Int) -> Bool {
        guard index > 0, index + 1 < bytes.count else { return false }
        let (before, after) = (bytes[index - 1], bytes[index + 1])
        return bytes[index] == 45
            ? isWord(before) && isWord(after)
            : bytes[index] == 32 && isDigit(before) && isDigit(after)
    }
}
