/// A scheme, a host and a port: where credentials may go and where not.
public struct Origin: Sendable, Hashable {
    /// The two schemes that we speak.
    public enum Scheme: String, Sendable, Hashable {
        /// Plain HTTP.
        case http
        /// HTTP over TLS.
        case https
    }

    /// `http` or `https`.
    public let scheme: Scheme
    /// The host's name or address, in lower case.
    public let host: String
    /// The port.
    public let port: Int

    /// Makes an origin from its parts.
    public init(_ scheme: Scheme, _ host: String, _ port: Int? = nil) {
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port ?? (scheme == .https ? 443 : 80)
    }

    /// Reads `https://host:port`, with or without a closing slash; nil when it is anything else.
    public init?(_ text: String) {
        let scheme: Scheme
        var rest: Substring
        if text.hasPrefix("https://") {
            (scheme, rest) = (.https, text.dropFirst(8))
        } else if text.hasPrefix("http://") {
            (scheme, rest) = (.http, text.dropFirst(7))
        } else {
            return nil
        }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        let forbidden: Set<Character> = ["/", "?", "#", "@", " ", "\t", "\r", "\n", "\\"]
        if rest.isEmpty || rest.contains(where: { forbidden.contains($0) }) { return nil }
        guard let (host, port) = Self.split(rest) else { return nil }
        self.init(scheme, host, port)
    }

    private static func split(_ text: Substring) -> (host: String, port: Int?)? {
        let bracket = text.hasPrefix("[") ? text.firstIndex(of: "]") : nil
        if text.hasPrefix("["), bracket == nil { return nil }
        let after = bracket.map { text.index(after: $0) } ?? text.startIndex
        guard let colon = text[after...].firstIndex(of: ":") else {
            return after == text.startIndex || after == text.endIndex ? (String(text), nil) : nil
        }
        let host = text[..<colon]
        if bracket != nil, colon != after { return nil }
        guard let port = Int(text[text.index(after: colon)...]), (1...65_535).contains(port) else { return nil }
        if host.isEmpty { return nil }
        return (String(host), port)
    }
}

extension Origin: CustomStringConvertible {
    public var description: String { "\(scheme.rawValue)://\(host):\(port)" }
}
