internal import PaymentBase

/// What the payment service adds to a reply: pairs, either in the form of an address or as Base64 of JSON.
struct AdditionalResponse: Sendable {
    /// Every pair in its order; a name may come more than once.
    let pairs: [FormField]

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

    private static func pairs(_ text: String) -> [FormField] {
        // What has the mark in it that stands between two pairs is no Base64.
        if !text.utf8.contains(UInt8(ascii: "&")), let json = packed(text) { return pairs(json) }
        return FormEncoding.decode(text, badEscapes: .keep) ?? []
    }

    /// The JSON that a text is, as Base64 in however many lines; nil where it is none.
    private static func packed(_ text: String) -> JSON? {
        guard let bytes = base64.decode(text.utf8.filter { $0 != 32 && !(9...13).contains($0) }),
            let first = bytes.first(where: { $0 > 32 }), first == 0x7B
        else { return nil }
        return try? JSONReader().read(bytes)
    }

    private static let base64 = Base64(alphabet: .standard, padding: .optional)

    /// The last value under a name.
    subscript(name: String) -> String? { pairs.last { $0.name == name }?.value }

    /// The texts in a JSON, those of `additionalData` beside the others.
    private static func pairs(_ json: JSON?) -> [FormField] {
        (json?.object?.members ?? []).flatMap { member in
            if member.key == "additionalData" { return pairs(member.value) }
            return member.value.text.map { [FormField(member.key, $0)] } ?? []
        }
    }
}
