public import PaymentTransport

/// A sandbox on sockets.
public struct RunningSimulator: Sendable {
    /// The control address.
    public let control: Origin
    /// The providers' addresses by name.
    public let providers: [String: Origin]
    /// The certificate of the providers' addresses in PEM form, if they speak TLS.
    public let certificatePEM: String?
    private let servers: [SimulatorServer]
    private let posting: Posting

    init(
        _ control: Origin, _ providers: [String: Origin], _ certificatePEM: String?, _ servers: [SimulatorServer],
        _ posting: Posting
    ) {
        (self.control, self.providers) = (control, providers)
        (self.certificatePEM, self.servers, self.posting) = (certificatePEM, servers, posting)
    }

    /// Accepts nothing more, finishes open requests, and returns when every connection is closed.
    public func stop() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [posting] in await posting.stop() }
            for server in servers { group.addTask { await server.stop() } }
        }
    }
}

/// The task that posts messages, until it is stopped.
struct Posting: Sendable {
    let delivery: MessageDelivery
    let task: Task<Void, Never>

    /// Gives up what is on its way, and returns when nothing is sent any more.
    func stop() async {
        task.cancel()
        delivery.ring()
        await task.value
    }
}
