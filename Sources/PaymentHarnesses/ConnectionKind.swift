/// What lies between a driver under test and its provider.
public enum ConnectionKind: String, Hashable, Sendable, CaseIterable {
    /// Function calls within this process.
    case inProcess = "in-process"
    /// Real HTTP over sockets of the loopback, by libcurl.
    case sockets
}
