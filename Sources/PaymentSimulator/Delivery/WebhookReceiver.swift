public import PaymentTransport

/// Where the messages of a simulated provider are posted: a server of the application's, or a test's.
public struct WebhookReceiver: Hashable, Sendable {
    /// The longest address, in characters.
    public static let charactersMax = 2_048

    /// Scheme, host and port.
    public let origin: Origin
    /// Path and query, beginning with a slash.
    public let target: String

    /// Reads `http://host:port/path`; nil when it is anything else.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.charactersMax, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains("#"), let scheme = text.firstRange(of: "://")
        else { return nil }
        let rest = text[scheme.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard let origin = Origin(String(text[..<end])) else { return nil }
        let target = String(rest[end...])
        (self.origin, self.target) = (origin, target.hasPrefix("/") ? target : "/" + target)
    }
}

extension WebhookReceiver: CustomStringConvertible {
    public var description: String { "\(origin)\(target)" }
}
