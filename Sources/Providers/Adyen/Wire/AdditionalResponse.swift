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
        let packed = text.filter { !$0.isWhitespace }
        if let bytes = base64.decode(packed), let first = bytes.first(where: { $0 > 32 }), first == 0x7B,
            let json = try? JSONReader().read(bytes)
        {
            return pairs(json)
        }
        return text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decoded(parts[0]), parts.count > 1 ? decoded(parts[1]) : "")
        }
    }

    private static let base64 = Base64(alphabet: .standard, padding: .optional)

    /// The last value under a name.
    subscript(name: String) -> String? { pairs.last { $0.name == name }?.value }

    /// A plus is a space; what is no escape stays as it is.
    private static func decoded(_ text: Substring) -> String {
        let spaced = String(text).replacing("+", with: " ")
        return PercentEncoding.decode(String(spaced)) ?? String(spaced)
    }

    /// The texts in a JSON, those of `additionalData` beside the others.
    private static func pairs(_ json: JSON?) -> [(name: String, value: String)] {
        (json?.object?.members ?? []).flatMap { member in
            member.key == "additionalData" ? pairs(member.value) : member.value.text.map { [(member.key, $0)] } ?? []
        }
    }
}
