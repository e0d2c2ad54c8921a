internal import PaymentTransport

extension Origin {
    /// Whether the host is this machine.
    var isThisMachine: Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isLoopback = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        return host == "localhost" || host == "[::1]" || isLoopback
    }

    /// Whether what is sent there could be read on the way.
    var isPlainBeyondThisMachine: Bool { scheme == .http && !isThisMachine }
}
