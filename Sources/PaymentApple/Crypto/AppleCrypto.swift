#if canImport(CryptoKit) && canImport(CommonCrypto) && canImport(Security)
internal import CommonCrypto
internal import CryptoKit
internal import Foundation
public import PaymentBase
public import PaymentTransport
internal import Security

/// Cryptography by Apple's libraries: hashes by CryptoKit, RSA by Security, and by CommonCrypto what CryptoKit doesn't have,
/// CBC and PBKDF2. It has no state: one value serves every task.
public struct AppleCrypto: Crypto {
    /// Makes the operations available.
    public init() {}

    public func digest(_ algorithm: HashAlgorithm, _ data: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        switch algorithm {
        case .sha1: Array(Insecure.SHA1.hash(data: data))
        case .sha256: Array(SHA256.hash(data: data))
        case .sha512: Array(SHA512.hash(data: data))
        }
    }

    public func authenticate(
        _ algorithm: HashAlgorithm, key: Secret, _ data: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] {
        let key = SymmetricKey(data: key.exposeBytes())
        return switch algorithm {
        case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: data, using: key))
        case .sha256: Array(HMAC<SHA256>.authenticationCode(for: data, using: key))
        case .sha512: Array(HMAC<SHA512>.authenticationCode(for: data, using: key))
        }
    }

    public func deriveKey(
        passphrase: Secret, salt: [UInt8], rounds: Int, byteCount: Int
    ) throws(CryptoFailure) -> Secret {
        try CipherBounds.derivation(salt, rounds: rounds, byteCount: byteCount)
        let text = passphrase.exposeBytes()
        var derived = [UInt8](repeating: 0, count: byteCount)
        let status = unsafe text.withUnsafeBytes { text in
            unsafe CCKeyDerivationPBKDF(
                CCPBKDFAlgorithm(kCCPBKDF2), text.baseAddress?.assumingMemoryBound(to: CChar.self), text.count, salt,
                salt.count, CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA1), UInt32(rounds), &derived, byteCount)
        }
        guard status == Int32(kCCSuccess) else { throw .unavailable }
        return Secret(bytes: derived)
    }

    public func encrypt(
        key: Secret, vector: [UInt8], padding: BlockPadding, _ plain: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] {
        try CipherBounds.encryption(key: key, vector: vector, padding: padding, plain)
        return try cipher(CCOperation(kCCEncrypt), key, vector, padding, plain, or: .unavailable)
    }

    public func decrypt(
        key: Secret, vector: [UInt8], padding: BlockPadding, _ cipher: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] {
        try CipherBounds.decryption(key: key, vector: vector, padding: padding, cipher)
        return try self.cipher(CCOperation(kCCDecrypt), key, vector, padding, cipher, or: .notDecrypted)
    }

    public func sign(
        _ algorithm: RSASignature, privateKey: Secret, _ data: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] {
        let key = try Self.key(RSAKeyData(privatePEM: privateKey), kSecAttrKeyClassPrivate)
        guard let text = SystemDictionary.data(data) else { throw .unavailable }
        guard let signature = SecKeyCreateSignature(key, algorithm.algorithm, text, nil) else {
            throw .invalidKey
        }
        return SystemDictionary.bytes(signature)
    }

    public func verify(
        _ algorithm: RSASignature, publicKey: String, signature: [UInt8], _ data: [UInt8]
    ) throws(CryptoFailure) -> Bool {
        let key = try Self.key(RSAKeyData(publicPEM: publicKey), kSecAttrKeyClassPublic)
        guard let text = SystemDictionary.data(data), let signature = SystemDictionary.data(signature) else {
            throw .unavailable
        }
        return SecKeyVerifySignature(key, algorithm.algorithm, text, signature, nil)
    }

    public func randomBytes(_ count: Int) throws(CryptoFailure) -> [UInt8] {
        try CipherBounds.random(count)
        var bytes = [UInt8](repeating: 0, count: count)
        guard unsafe SecRandomCopyBytes(kSecRandomDefault, count, &bytes) == errSecSuccess else { throw .unavailable }
        return bytes
    }

    public func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool { Secret(bytes: one) == Secret(bytes: other) }

    private static func key(_ key: RSAKeyData, _ kind: CFString) throws(CryptoFailure) -> SecKey {
        let attributes = SystemDictionary.make([
            (kSecAttrKeyType, kSecAttrKeyTypeRSA), (kSecAttrKeyClass, kind),
        ])
        guard let data = SystemDictionary.data(key.der.exposeBytes()),
            let made = SecKeyCreateWithData(data, attributes, nil)
        else { throw .invalidKey }
        return made
    }

    private func cipher(
        _ operation: CCOperation, _ key: Secret, _ vector: [UInt8], _ padding: BlockPadding, _ input: [UInt8],
        or failure: CryptoFailure
    ) throws(CryptoFailure) -> [UInt8] {
        let keyBytes = key.exposeBytes()
        let options = padding == .pkcs7 ? CCOptions(kCCOptionPKCS7Padding) : 0
        var output = [UInt8](repeating: 0, count: input.count + CipherBounds.blockByteCount)
        let room = output.count
        var written = 0
        let status = unsafe CCCrypt(
            operation, CCAlgorithm(kCCAlgorithmAES), options, keyBytes, keyBytes.count, vector, input, input.count,
            &output, room, &written)
        guard status == CCCryptorStatus(kCCSuccess), written >= 0, written <= room else { throw failure }
        return Array(output.prefix(written))
    }
}

extension RSASignature {
    /// Security's name of the signature, over the whole text.
    fileprivate var algorithm: SecKeyAlgorithm {
        switch self {
        case .rs256: .rsaSignatureMessagePKCS1v15SHA256
        case .rs512: .rsaSignatureMessagePKCS1v15SHA512
        }
    }
}
#endif
