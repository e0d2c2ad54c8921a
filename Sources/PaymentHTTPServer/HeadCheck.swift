/// Reads the head of a request and refuses one that two programs could read differently. The library is lenient: what a
/// proxy takes for one request, the library may take for two.
enum HeadCheck {
    /// A head that may be answered, with the length of its body.
    struct Checked: Sendable {
        let head: RequestHead
        /// The length that the head states; nil if it states none.
        let length: Int?
        /// Whether a body follows.
        var hasBody: Bool { length.map { $0 > 0 } ?? head.fields.contains { $0.name == "transfer-encoding" } }
    }

    private static let tokenSymbols = Set("!#$%&'*+-.^_`|~".utf8)

    /// Checks a head: one `Host`, a length or chunks but never both, names that are tokens, values without control
    /// characters, a target of visible characters.
    static func check(method: String, target: String, version: String, _ fields: [HTTPField]) -> Checked? {
        guard version == "HTTP/1.1" || version == "HTTP/1.0", isToken(method), method == method.uppercased(),
            target.utf8.first == UInt8(ascii: "/"), target.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            fields.allSatisfy({ isToken($0.name) && isText($0.value) })
        else { return nil }
        let head = RequestHead(method: method, target: target, fields: fields)
        let (lengths, codings) = (head.values("content-length"), head.values("transfer-encoding"))
        guard head.values("host").count == 1, lengths.count + codings.count <= 1,
            codings.isEmpty || version == "HTTP/1.1" && codings[0].lowercased() == "chunked"
        else { return nil }
        guard let text = lengths.first else { return Checked(head: head, length: nil) }
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        // A number that does not fit is too long as well.
        return Checked(head: head, length: Int(text) ?? .max)
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
                    || tokenSymbols.contains(byte)
            }
    }

    private static func isText(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 } }
}
