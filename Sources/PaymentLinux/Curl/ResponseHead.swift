internal import PaymentTransport

/// The header fields of a reply, collected line by line; interim replies (1xx) and trailers leave nothing behind.
struct ResponseHead {
    private(set) var headers = HTTPHeaders()
    private(set) var byteCount = 0
    /// Whether the empty line at its end has come; without it the reply was torn.
    private(set) var isComplete = false

    /// Takes one line as it came, line break included.
    mutating func take(_ line: UnsafeRawBufferPointer) {
        byteCount += line.count
        let text = unsafe String(decoding: line, as: UTF8.self)
        let content = text.trimmingSuffix { $0 == "\r\n" || $0 == "\n" || $0 == "\r" }
        if content.hasPrefix("HTTP/") {
            (headers, isComplete) = (HTTPHeaders(), false)
        } else if content.isEmpty {
            isComplete = true
        } else if !isComplete, let colon = content.firstIndex(of: ":"), content.first != " ", content.first != "\t" {
            let value = content[content.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.add(String(content[..<colon]), String(value.trimmingSuffix { $0 == " " || $0 == "\t" }))
        }
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

extension Substring {
    fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> Substring {
        var text = self
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return text
    }
}

extension String {
    fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> Substring {
        self[...].trimmingSuffix(isTrimmed)
    }
}
