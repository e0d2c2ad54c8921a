internal import CLinux

/// How many descriptors the process may have open, and how many of them are for connections.
package enum DescriptorLimit {
    /// What a process keeps for files, ports, its threads, and messages that go out.
    private static let kept = 96

    /// Asks for what so many ports take at the most. Many systems begin with 1,024, of which one port could take all.
    package static func raise(for ports: Int) {
        _ = pay_descriptors(Int32(clamping: SimulatorServer.Limits().connectionsMax * ports + kept))
    }

    /// How many connections each of so many ports may have, so that together they leave what is kept.
    static func share(of ports: Int) -> Int { max(1, (Int(pay_descriptors(0)) - kept) / max(1, ports)) }
}
