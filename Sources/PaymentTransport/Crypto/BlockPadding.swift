/// What fills the last block of a block cipher.
public enum BlockPadding: Sendable, Hashable, CaseIterable {
    /// PKCS #7; always adds at least one byte.
    case pkcs7
    /// Nothing: the text must be whole blocks already.
    case none
}
