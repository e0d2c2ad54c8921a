/// Whom one request trusts, where the transport's own roots and a certificate for the host's name don't fit.
///
/// A card terminal on the shop's network has an address that nobody issues certificates for: its maker signs them with
/// a root of their own, for names that follow a rule of theirs.
///
/// ```swift
/// var request = HTTPRequest("POST", Origin(.https, "192.0.2.17", 8443), "/status")
/// request.trust = ServerTrust(roots: pem, CertificateNameRule("acme-terminal") { $0.hasSuffix(".terminals.example") })
/// ```
public struct ServerTrust: Sendable, Hashable {
    /// The certificates, as PEM text, that the server's must lead to; none else counts, the machine's own neither.
    public let roots: String
    /// Which common name the server's certificate must have, whatever the host is called.
    public let name: CertificateNameRule

    /// Makes a trust that replaces both the transport's roots and the comparison with the host's name.
    public init(roots: String, _ name: CertificateNameRule) {
        (self.roots, self.name) = (roots, name)
    }
}

extension ServerTrust: CustomStringConvertible {
    public var description: String { "ServerTrust(\(name.id))" }
}
