/// Why a server could not be started.
public enum SimulatorServerError: Error, Hashable, Sendable {
    /// The system gave no thread or no descriptor for the loop.
    case noLoop
    /// The system gave no socket; its error number.
    case noSocket(code: Int32)
    /// Somebody listens at the port already.
    case portTaken(Int)
    /// OpenSSL made no key or certificate.
    case noIdentity
    /// The server has been stopped.
    case stopped
}
