/// What lies between a driver under test and its provider.
public enum Carrier: String, Hashable, Sendable, CaseIterable {
    /// Function calls within this process.
    case inProcess = "in-process"
    /// Real HTTP over sockets of the loopback, by libcurl.
    case sockets
}
