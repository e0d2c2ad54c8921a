extension HTTPRequest {
    /// Whether the request can go on a wire as it is; a transport answers `notSent(.invalidRequest)` where it can't.
    ///
    /// Nothing may smuggle a second header or request (line breaks, blanks, control characters), and the fields that
    /// frame a message are the transport's own: `Host`, `Content-Length`, `Transfer-Encoding`, `Connection`, `Expect`,
    /// `Upgrade`, `TE`, `Trailer`.
    public var isWellFormed: Bool {
        guard Self.isToken(method), method != "CONNECT", method != "HEAD" || body.isEmpty else { return false }
        guard target.utf8.first == UInt8(ascii: "/"), Self.all(target, Self.isTargetByte) else { return false }
        guard Self.isHost(origin), connectTo.map(Self.isHost) ?? true else { return false }
        // Nobody shows a certificate on a plain connection, so a trust there would be one that nothing checks.
        guard trust == nil || origin.scheme == .https else { return false }
        return responseBodyBytesMax >= 0 && headers.fields.allSatisfy(Self.isAllowed)
    }

    private static let framingNames = [
        "host", "content-length", "transfer-encoding", "connection", "expect", "upgrade", "te", "trailer",
    ]

    private static func isAllowed(_ field: HTTPHeaders.Field) -> Bool {
        isToken(field.name) && isValue(field.value) && !framingNames.contains { HTTPHeaders.same($0, field.name) }
    }

    /// Whether all bytes of a text are allowed; they are looked at in one piece where the text has them so.
    private static func all(_ text: String, _ isAllowed: (UInt8) -> Bool) -> Bool {
        unsafe text.utf8.withContiguousStorageIfAvailable { unsafe $0.allSatisfy(isAllowed) }
            ?? text.utf8.allSatisfy(isAllowed)
    }

    /// Visible characters and blanks in between; text beyond ASCII passes as its UTF-8 bytes.
    private static func isValue(_ value: String) -> Bool {
        let bytes = value.utf8
        if let first = bytes.first, let last = bytes.last, isBlank(first) || isBlank(last) { return false }
        return all(value) { $0 == 9 || ($0 >= 32 && $0 != 127) }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && all(text) { isLetterOrDigit($0) || isTokenMark($0) }
    }

    private static func isTokenMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"),
            UInt8(ascii: "~"):
            true
        case _: false
        }
    }

    private static func isTargetByte(_ byte: UInt8) -> Bool {
        byte > 32 && byte < 127 && byte != UInt8(ascii: "#") && byte != UInt8(ascii: "\\")
    }

    /// A name in ASCII (international ones in their `xn--` form) or an address; IPv6 in brackets.
    private static func isHost(_ origin: Origin) -> Bool {
        guard (1...65_535).contains(origin.port) else { return false }
        let bytes = origin.host.utf8
        if bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") {
            let inside = bytes.dropFirst().dropLast()
            return !inside.isEmpty && inside.allSatisfy { isLetterOrDigit($0) || isAddressMark($0) }
        }
        return !bytes.isEmpty && bytes.count <= 253 && bytes.allSatisfy { isLetterOrDigit($0) || isNameMark($0) }
    }

    private static func isAddressMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%")
    }

    private static func isNameMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case _: false
        }
    }
}
