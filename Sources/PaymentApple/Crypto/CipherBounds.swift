internal import PaymentBase
internal import PaymentTransport

/// What cryptography refuses before any library is asked, the same on every system.
enum CipherBounds {
    static let dataBytesMax = 64 * 1_024 * 1_024
    static let rsaKeyBitsMin = 2_048
    static let deriveRoundsMax = 10_000_000
    static let derivedKeyBytesMax = 1_024
    static let randomBytesMax = 1_024 * 1_024
    static let keyByteCount = 32
    static let blockByteCount = 16

    static func derivation(_ salt: [UInt8], rounds: Int, byteCount: Int) throws(CryptoFailure) {
        guard (1...deriveRoundsMax).contains(rounds), (1...derivedKeyBytesMax).contains(byteCount),
            salt.count <= dataBytesMax
        else { throw .invalidInput }
    }

    static func encryption(
        key: Secret, vector: [UInt8], padding: BlockPadding, _ plain: [UInt8]
    ) throws(CryptoFailure) {
        if padding == .none, plain.count % blockByteCount != 0 { throw .invalidInput }
        try cipher(key, vector, plain)
    }

    static func decryption(
        key: Secret, vector: [UInt8], padding: BlockPadding, _ cipher: [UInt8]
    ) throws(CryptoFailure) {
        if cipher.count % blockByteCount != 0 || (padding == .pkcs7 && cipher.isEmpty) { throw .invalidInput }
        try self.cipher(key, vector, cipher)
    }

    static func random(_ count: Int) throws(CryptoFailure) {
        guard (0...randomBytesMax).contains(count) else { throw .invalidInput }
    }

    private static func cipher(_ key: Secret, _ vector: [UInt8], _ text: [UInt8]) throws(CryptoFailure) {
        guard key.exposeBytes().count == keyByteCount else { throw .invalidKey }
        guard vector.count == blockByteCount, text.count <= dataBytesMax else { throw .invalidInput }
    }
}
