internal import PaymentBase
internal import PaymentTransport

/// An RSA key as Apple's functions take it: PKCS #1 in DER, taken out of PEM, and out of PKCS #8 or SubjectPublicKeyInfo.
struct RSAKeyData: Sendable {
    /// The longest PEM that is read.
    static let pemBytesMax = 64 * 1_024
    /// rsaEncryption, 1.2.840.113549.1.1.1 (RFC 8017).
    private static let rsa: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]

    /// The key itself.
    let der: Secret
    /// How many bits its modulus has.
    let bits: Int

    /// Reads an unencrypted private key (PKCS #8 or PKCS #1).
    init(privatePEM: Secret) throws(CryptoFailure) {
        let bytes = privatePEM.exposeBytes()
        if let der = try Self.contents(bytes, "RSA PRIVATE KEY") {
            try self.init(privateDER: der[...])
        } else if let der = try Self.contents(bytes, "PRIVATE KEY") {
            var outer = DERReader(der[...])
            var key = DERReader(try outer.next(DERReader.sequence))
            _ = try key.next(DERReader.integer)
            try Self.requireRSA(key.next(DERReader.sequence))
            try self.init(privateDER: key.next(DERReader.octetString))
        } else {
            throw .invalidKey
        }
    }

    /// Reads a public key (SubjectPublicKeyInfo).
    init(publicPEM: String) throws(CryptoFailure) {
        guard let der = try Self.contents(Array(publicPEM.utf8), "PUBLIC KEY") else { throw .invalidKey }
        var outer = DERReader(der[...])
        var key = DERReader(try outer.next(DERReader.sequence))
        try Self.requireRSA(key.next(DERReader.sequence))
        let bits = try key.next(DERReader.bitString)
        // The string of bits has whole bytes.
        guard bits.first == 0, key.isAtEnd, outer.isAtEnd else { throw .invalidKey }
        let inner = bits.dropFirst()
        var sequence = DERReader(inner)
        var numbers = DERReader(try sequence.next(DERReader.sequence))
        try self.init(inner, modulus: numbers.next(DERReader.integer))
    }

    private init(privateDER: ArraySlice<UInt8>) throws(CryptoFailure) {
        var sequence = DERReader(privateDER)
        var numbers = DERReader(try sequence.next(DERReader.sequence))
        // Two primes; a key of more has version 1.
        guard try numbers.next(DERReader.integer).elementsEqual([0]), sequence.isAtEnd else { throw .invalidKey }
        try self.init(privateDER, modulus: numbers.next(DERReader.integer))
    }

    private init(_ der: ArraySlice<UInt8>, modulus: ArraySlice<UInt8>) throws(CryptoFailure) {
        let digits = modulus.drop { $0 == 0 }
        bits = digits.count * 8 - (digits.first?.leadingZeroBitCount ?? 0)
        guard bits >= CipherBounds.rsaKeyBitsMin else { throw .invalidKey }
        self.der = Secret(bytes: Array(der))
    }

    private static func requireRSA(_ algorithm: ArraySlice<UInt8>) throws(CryptoFailure) {
        var reader = DERReader(algorithm)
        guard try reader.next(DERReader.identifier).elementsEqual(rsa) else { throw .invalidKey }
    }

    /// What is between the lines of a PEM of that label; nil when there is none.
    private static func contents(_ pem: [UInt8], _ label: String) throws(CryptoFailure) -> [UInt8]? {
        guard pem.count <= pemBytesMax else { throw .invalidKey }
        let lines = pem.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        guard let begin = lines.firstIndex(where: { $0.elementsEqual("-----BEGIN \(label)-----".utf8) }),
            let end = lines[begin...].firstIndex(where: { $0.elementsEqual("-----END \(label)-----".utf8) })
        else { return nil }
        // A line of an encrypted key's head is no Base64.
        guard let der = Base64.standard.decode(Array(lines[(begin + 1)..<end].joined())) else { throw .invalidKey }
        return der
    }
}

/// Reads elements of DER one after another, strictly: definite lengths in their shortest form.
struct DERReader {
    /// An integer.
    static let integer: UInt8 = 0x02
    /// A string of bits.
    static let bitString: UInt8 = 0x03
    /// A string of bytes.
    static let octetString: UInt8 = 0x04
    /// An object's identifier.
    static let identifier: UInt8 = 0x06
    /// A sequence.
    static let sequence: UInt8 = 0x30

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Whether everything was read.
    var isAtEnd: Bool { rest.isEmpty }

    /// The contents of the next element, which has to be of that kind.
    mutating func next(_ tag: UInt8) throws(CryptoFailure) -> ArraySlice<UInt8> {
        guard rest.popFirst() == tag, let first = rest.popFirst() else { throw .invalidKey }
        var count = Int(first)
        if first >= 0x80 {
            let digits = Int(first) - 0x80
            guard (1...3).contains(digits), rest.count >= digits else { throw .invalidKey }
            let length = rest.prefix(digits)
            rest = rest.dropFirst(digits)
            count = length.reduce(0) { $0 << 8 | Int($1) }
            guard length.first != 0, count >= 0x80 else { throw .invalidKey }
        }
        guard rest.count >= count else { throw .invalidKey }
        let contents = rest.prefix(count)
        rest = rest.dropFirst(count)
        return contents
    }
}

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
