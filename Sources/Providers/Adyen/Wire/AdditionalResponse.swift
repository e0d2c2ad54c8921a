internal import PaymentBase

/// What the payment service adds to a reply: pairs, either in the form of an address or as Base64 of JSON.
struct AdditionalResponse: Sendable {
    /// Every pair in its order; a name may come more than once.
    let pairs: [(name: String, value: String)]

    /// Reads whatever is there.
    init(_ json: JSON?) {
        switch json {
        case .string(let text): pairs = Self.pairs(text)
        case .object: pairs = Self.pairs(json)
        case .null, .bool, .number, .array, nil: pairs = []
        }
    }

    /// Reads either form.
    init(_ text: String) { pairs = Self.pairs(text) }

    private static func pairs(_ text: String) -> [(name: String, value: String)] {
        // What has the mark in it that stands between two pairs is no Base64.
        if !text.utf8.contains(ampersand), let json = packed(text) { return pairs(json) }
        return text.utf8.split(separator: ampersand).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (decoded(parts[0]), parts.count > 1 ? decoded(parts[1]) : "")
        }
    }

    private static let ampersand = UInt8(ascii: "&")

    /// The JSON that a text is, as Base64; nil where it is none.
    private static func packed(_ text: String) -> JSON? {
        let packed = text.filter { !$0.isWhitespace }
        guard let bytes = base64.decode(packed), let first = bytes.first(where: { $0 > 32 }), first == 0x7B else {
            return nil
        }
        return try? JSONReader().read(bytes)
    }

    private static let base64 = Base64(alphabet: .standard, padding: .optional)

    /// The last value under a name.
    subscript(name: String) -> String? { pairs.last { $0.name == name }?.value }

    /// A plus is a space; what is no escape stays as it is.
    private static func decoded(_ text: Substring.UTF8View) -> String {
        let (plus, percent) = (UInt8(ascii: "+"), UInt8(ascii: "%"))
        guard text.contains(where: { $0 == plus || $0 == percent }) else {
            return String(decoding: text, as: UTF8.self)
        }
        let spaced = String(decoding: text.map { $0 == plus ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
        return PercentEncoding.decode(spaced) ?? spaced
    }

    /// The texts in a JSON, those of `additionalData` beside the others.
    private static func pairs(_ json: JSON?) -> [(name: String, value: String)] {
        (json?.object?.members ?? []).flatMap { member in
            member.key == "additionalData" ? pairs(member.value) : member.value.text.map { [(member.key, $0)] } ?? []
        }
    }
}
