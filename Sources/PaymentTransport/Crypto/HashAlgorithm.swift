/// The hash functions that providers ask for.
public enum HashAlgorithm: Sendable, Hashable, CaseIterable {
    /// SHA-1, for key derivation and the WebSocket handshake only; not collision resistant.
    case sha1
    /// SHA-256.
    case sha256
    /// SHA-512.
    case sha512

    /// How many bytes a digest has.
    public var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }
}
