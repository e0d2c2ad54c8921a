/// RSA signatures with PKCS #1 v1.5 padding, named as in JSON Web Signature.
public enum RSASignature: Sendable, Hashable, CaseIterable {
    /// Over SHA-256.
    case rs256
    /// Over SHA-512.
    case rs512
}
