/// Why a cryptographic operation gave nothing; never says anything about a key or a text.
public enum CryptoFailure: Error, Sendable, Hashable {
    /// The key can't be read, or is of the wrong kind or length.
    case invalidKey
    /// An argument has a length that the operation doesn't take.
    case invalidInput
    /// The text doesn't decrypt: wrong key, wrong padding or a changed text.
    case notDecrypted
    /// The library refused an operation that it should know.
    case unavailable
}
