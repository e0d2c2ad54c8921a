/// Which common names a server's certificate may have.
///
/// Two rules are equal when their ids are, so an id must always stand for the same rule.
public struct CertificateNameRule: Sendable {
    /// What the rule is called.
    public let id: String
    private let isAccepted: @Sendable (String) -> Bool

    /// Makes a rule; `isAccepted` is asked before each request, on a thread of the transport, and must not wait.
    public init(_ id: String, _ isAccepted: @escaping @Sendable (String) -> Bool) {
        (self.id, self.isAccepted) = (id, isAccepted)
    }

    /// Whether a certificate with this one common name is the right one.
    public func accepts(_ name: String) -> Bool { isAccepted(name) }
}

extension CertificateNameRule: Hashable {
    public static func == (left: CertificateNameRule, right: CertificateNameRule) -> Bool { left.id == right.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
