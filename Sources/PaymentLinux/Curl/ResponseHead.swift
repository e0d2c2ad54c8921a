internal import PaymentTransport

/// The header fields of a reply, collected line by line; interim replies (1xx) and trailers leave nothing behind.
struct ResponseHead {
    private(set) var headers = HTTPHeaders(capacity: 8)
    private(set) var byteCount = 0
    /// Whether the empty line at its end has come; without it the reply was torn.
    private(set) var isComplete = false

    /// Takes one line as it came, line break included. It is cut as bytes: text is made of the name and the value
    /// alone.
    mutating func take(_ line: UnsafeRawBufferPointer) {
        byteCount += line.count
        let content = unsafe Self.trimmed(line[...]) { $0 == Self.newline || $0 == Self.carriageReturn }
        if unsafe content.starts(with: Self.statusLine) {
            isComplete = false
            if !headers.fields.isEmpty { headers = HTTPHeaders(capacity: 8) }
        } else if unsafe content.isEmpty {
            isComplete = true
        } else if !isComplete, unsafe !Self.isBlank(content[content.startIndex]),
            let colon = unsafe content.firstIndex(of: UInt8(ascii: ":"))
        {
            let value = unsafe Self.trimmed(content[(colon + 1)...].drop(while: Self.isBlank), Self.isBlank)
            unsafe headers.add(
                String(decoding: content[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
        }
    }

    private static let statusLine = Array("HTTP/".utf8)
    private static let (newline, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func trimmed(
        _ bytes: Slice<UnsafeRawBufferPointer>, _ isTrimmed: (UInt8) -> Bool
    ) -> Slice<UnsafeRawBufferPointer> {
        var bytes = unsafe bytes
        while let last = unsafe bytes.last, isTrimmed(last) { unsafe bytes.removeLast() }
        return unsafe bytes
    }

    /// The fields as they fit a body that was unpacked.
    var unpacked: HTTPHeaders {
        var headers = headers
        if headers["Content-Encoding"] != nil {
            headers["Content-Encoding"] = nil
            headers["Content-Length"] = nil
        }
        return headers
    }
}
