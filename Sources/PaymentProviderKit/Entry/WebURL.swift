public import PaymentBase
public import PaymentTransport

/// An address with a path, such as where a token is fetched.
public struct WebURL: Hashable, Sendable {
    /// The longest address.
    public static let charactersMax = 2_048

    /// Scheme, host and port.
    public let origin: Origin
    /// Path and query, beginning with a slash.
    public let target: String

    /// Makes an address of its parts.
    public init(_ origin: Origin, _ target: String) { (self.origin, self.target) = (origin, target) }

    /// An origin with what goes before every path there; nothing is nothing.
    init(_ origin: Origin, path: String) { (self.origin, target) = (origin, path) }

    /// Reads `https://host:port/path?query`; nil when it is anything else, or has a user, a fragment or a space.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.charactersMax, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains("#"), !text.contains("\\"), let colon = text.firstRange(of: "://")
        else { return nil }
        let rest = text[colon.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard let origin = Origin(String(text[..<end])) else { return nil }
        let target = String(rest[end...])
        self.init(origin, target.hasPrefix("/") ? target : "/" + target)
    }
}

extension WebURL: RedactedDescription {
    /// Without the query, which may hold a key.
    public var description: String { "\(origin)\(target.prefix { $0 != "?" })" }
}
