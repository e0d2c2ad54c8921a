public import PaymentBase

/// One request, complete: where it goes, what it says, and how large an answer may be.
public struct HTTPRequest: Sendable, Hashable {
    /// The method, in capitals.
    public var method: String
    /// Scheme, host and port.
    public var origin: Origin
    /// The path and the query, percent-encoded, beginning with a slash.
    public var target: String
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body; empty where there is none.
    public var body: [UInt8]
    /// Where to connect instead of the origin's host and port (a terminal's certificate name is not its address).
    public var connectTo: Origin?
    /// Whom to trust instead of the transport's roots and the host's name; a plain request can't have it.
    public var trust: ServerTrust?
    /// How long nothing may come before it is given up, in milliseconds; nil for as long as the transport has it. A
    /// terminal answers only when its customer is done.
    public var idleTimeoutMilliseconds: Int64?
    /// The largest body that is accepted as an answer.
    public var responseBodyBytesMax: Int
    /// Whether the rest of a larger body is left unread, and the answer counts with what was read; libcurl's transport alone does so.
    package var leavesRestUnread = false

    /// What a response may weigh when a request doesn't say otherwise.
    public static let responseBodyBytesMaxDefault = 4 * 1_024 * 1_024

    /// Makes a request.
    public init(
        _ method: String, _ origin: Origin, _ target: String, headers: HTTPHeaders = [:], body: [UInt8] = []
    ) {
        (self.method, self.origin, self.target) = (method, origin, target)
        (self.headers, self.body) = (headers, body)
        responseBodyBytesMax = Self.responseBodyBytesMaxDefault
    }

    /// The path without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }
}

extension HTTPRequest: RedactedDescription {
    /// Method, place and size; never a header's value, a query or the body.
    public var description: String {
        "HTTPRequest(\(method) \(origin)\(path), \(body.count) bytes)"
    }
}

extension HTTPRequest {
    /// Whether the request can be sent as it is; a transport answers `notSent(.invalidRequest)` where it can't.
    ///
    /// Nothing may smuggle a second header or request (line breaks, blanks, control characters), and the fields that
    /// frame a message are the transport's own: `Host`, `Content-Length`, `Transfer-Encoding`, `Connection`, `Expect`,
    /// `Upgrade`, `TE`, `Trailer`.
    public var isWellFormed: Bool {
        guard Self.isToken(method), method != "CONNECT", method != "HEAD" || body.isEmpty else { return false }
        guard target.utf8.first == UInt8(ascii: "/"), Self.all(target, Self.isTargetByte) else { return false }
        guard Self.isHost(origin), connectTo.map(Self.isHost) ?? true else { return false }
        // No certificate is shown on a plain connection, so a trust there would be one that nothing checks.
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

/// One reply, complete.
public struct HTTPResponse: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body; empty where there was none.
    public var body: [UInt8]

    /// Makes a reply.
    public init(_ status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}

extension HTTPResponse: RedactedDescription {
    /// Status and size; never the body.
    public var description: String { "HTTPResponse(\(status), \(body.count) bytes)" }
}

/// Header fields in the order in which they were added; names are compared without regard to case.
public struct HTTPHeaders: Sendable, Hashable {
    /// One name with its value.
    public struct Field: Sendable, Hashable {
        /// The name as written.
        public let name: String
        /// The value as written.
        public let value: String
    }

    /// All fields, in order.
    public private(set) var fields: [Field] = []

    /// Makes an empty list.
    public init() {}

    /// Makes an empty list with room for so many fields.
    package init(capacity: Int) { fields.reserveCapacity(capacity) }

    /// The first value under a name; setting replaces all of them, nil removes them.
    public subscript(name: String) -> String? {
        get {
            for index in fields.indices where Self.same(fields[index].name, name) { return fields[index].value }
            return nil
        }
        set {
            fields.removeAll { Self.same($0.name, name) }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// Adds a field beside those of the same name.
    public mutating func add(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

    /// All values under a name, in order.
    public func values(_ name: String) -> [String] { fields.filter { Self.same($0.name, name) }.map(\.value) }

    /// A byte of a name without its case; names are ASCII.
    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// Whether two names are the same field's.
    static func same(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        // Mostly they are written alike.
        return one == other || one.utf8.elementsEqual(other.utf8) { lower($0) == lower($1) }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names only: a value may be a credential.
    public var description: String { "HTTPHeaders(\(fields.map(\.name).joined(separator: ", ")))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["names": fields.map(\.name)]) }
}
