internal import PaymentTransport

/// The first line and the header fields of a request, read strictly: what two readers could understand differently is
/// refused.
struct RequestHead {
    /// How the body is framed.
    enum Framing: Hashable {
        case length(Int)
        case chunked
    }

    /// A status with which a request is refused.
    struct Refused: Error, Hashable {
        let status: Int
    }

    private(set) var method = ""
    private(set) var target = ""
    private(set) var headers = HTTPHeaders()
    private(set) var framing = Framing.length(0)
    private(set) var keepsAlive = true
    private(set) var expectsContinue = false
    private var isVersion10 = false

    /// Reads a head without its last empty line; each line ends with CR LF.
    init(_ bytes: ArraySlice<UInt8>, _ limits: SimulatorServer.Limits) throws(Refused) {
        var start = bytes.startIndex
        var isFirst = true
        while start < bytes.endIndex {
            guard let end = bytes[start...].firstIndex(of: 13), end + 1 < bytes.endIndex, bytes[end + 1] == 10 else {
                throw Refused(status: 400)
            }
            if isFirst {
                try readFirstLine(bytes[start..<end], limits)
                isFirst = false
            } else {
                guard headers.fields.count < limits.fieldsMax else { throw Refused(status: 431) }
                try readField(bytes[start..<end])
            }
            start = end + 2
        }
        if isFirst { throw Refused(status: 400) }
        try readMeaning()
    }

    private mutating func readFirstLine(_ line: ArraySlice<UInt8>, _ limits: SimulatorServer.Limits) throws(Refused) {
        let parts = line.split(separator: 32, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(Self.isTokenByte) else {
            throw Refused(status: 400)
        }
        if parts[1].count > limits.targetBytesMax { throw Refused(status: 414) }
        guard parts[1].first == UInt8(ascii: "/"), parts[1].allSatisfy({ $0 > 32 && $0 < 127 }),
            !parts[1].contains(UInt8(ascii: "#"))
        else { throw Refused(status: 400) }
        switch String(decoding: parts[2], as: UTF8.self) {
        case "HTTP/1.1": break
        case "HTTP/1.0": (isVersion10, keepsAlive) = (true, false)
        case let version where version.hasPrefix("HTTP/") && version.utf8.count == 8: throw Refused(status: 505)
        case _: throw Refused(status: 400)
        }
        method = String(decoding: parts[0], as: UTF8.self)
        target = String(decoding: parts[1], as: UTF8.self)
    }

    private mutating func readField(_ line: ArraySlice<UInt8>) throws(Refused) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(Self.isTokenByte)
        else { throw Refused(status: 400) }
        var value = line[(colon + 1)...]
        while let first = value.first, first == 32 || first == 9 { value.removeFirst() }
        while let last = value.last, last == 32 || last == 9 { value.removeLast() }
        guard value.allSatisfy({ $0 == 9 || ($0 >= 32 && $0 != 127) }),
            let text = String(validating: value, as: UTF8.self)
        else { throw Refused(status: 400) }
        headers.add(String(decoding: line[..<colon], as: UTF8.self), text)
    }

    private mutating func readMeaning() throws(Refused) {
        let hosts = headers.values("Host")
        guard hosts.count == 1 || isVersion10 && hosts.isEmpty else { throw Refused(status: 400) }
        let lengths = headers.values("Content-Length")
        let codings = headers.values("Transfer-Encoding")
        if !codings.isEmpty {
            guard lengths.isEmpty, !isVersion10 else { throw Refused(status: 400) }
            guard codings.count == 1, codings[0].lowercased() == "chunked" else { throw Refused(status: 501) }
            framing = .chunked
        } else if let length = lengths.first {
            guard lengths.allSatisfy({ $0 == length }), !length.isEmpty,
                length.utf8.allSatisfy({ (48...57).contains($0) })
            else { throw Refused(status: 400) }
            guard let count = Int(length) else { throw Refused(status: 413) }
            framing = .length(count)
        }
        let words = headers.values("Connection").flatMap { $0.lowercased().split { $0 == "," || $0 == " " } }
        if words.contains("close") { keepsAlive = false }
        if let expectation = headers["Expect"] {
            guard expectation.lowercased() == "100-continue" else { throw Refused(status: 417) }
            expectsContinue = !isVersion10 && framing != .length(0)
        }
    }

    private static let tokenMarks = Set("!#$%&'*+-.^_`|~".utf8)

    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case _: tokenMarks.contains(byte)
        }
    }
}
