public import PaymentTransport

/// A sandbox on sockets.
public struct RunningSandbox: Sendable {
    /// The control address.
    public let control: Origin
    /// The providers' addresses by name.
    public let providers: [String: Origin]
    /// The certificate of the providers' addresses in PEM form, if they speak TLS.
    public let certificatePEM: String?
    private let servers: [SandboxServer]

    init(_ control: Origin, _ providers: [String: Origin], _ certificatePEM: String?, _ servers: [SandboxServer]) {
        (self.control, self.providers) = (control, providers)
        (self.certificatePEM, self.servers) = (certificatePEM, servers)
    }

    /// Accepts nothing more, finishes open requests, and returns when every connection is closed.
    public func stop() async {
        await withTaskGroup(of: Void.self) { group in
            for server in servers { group.addTask { await server.stop() } }
        }
    }
}
