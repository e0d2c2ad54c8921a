public import PaymentProviderKit

/// How messages travel to a terminal on the same network: encrypted, and with a proof that is checked before anything
/// in them is believed.
struct NexoCrypto: Sendable {
    /// What a passphrase becomes; derived once, since it is slow on purpose.
    struct Keys: Sendable {
        let authentication: Secret
        let encryption: Secret
        let vector: Secret

        static let salt = "AdyenNexoV1Salt"
        static let rounds = 4_000
        static let byteCount = 80

        /// Derives the keys of a passphrase.
        init(_ passphrase: Secret, _ crypto: any Crypto) throws(CryptoFailure) {
            let all = try crypto.deriveKey(
                passphrase: passphrase, salt: Array(Self.salt.utf8), rounds: Self.rounds, byteCount: Self.byteCount
            ).exposeBytes()
            guard all.count == Self.byteCount else { throw .unavailable }
            authentication = Secret(bytes: Array(all[0..<32]))
            encryption = Secret(bytes: Array(all[32..<64]))
            vector = Secret(bytes: Array(all[64..<80]))
        }
    }

    /// Why a message is not believed; never told outside, where there is one error for all.
    enum Flaw: Error, Hashable { case shape, unknownKey, notDecrypted, wrongProof, otherHeader }

    let keys: Keys
    let crypto: any Crypto
    let identifier: String
    let version: Int64
    /// The keys that take the first ones' place, and their version: what comes under them is believed, too.
    var next: (keys: Keys, version: Int64)?

    static let nonceBytes = 16
    static let cryptoVersion: Int64 = 1

    /// Encrypts a message byte for byte; its head stays readable beside it.
    func seal(_ message: [UInt8], nonce: [UInt8]? = nil) throws -> JSON {
        guard let (root, header) = try? Self.head(of: message) else { throw Flaw.shape }
        return try seal(message, header, root, nonce: try nonce ?? crypto.randomBytes(Self.nonceBytes))
    }

    /// The only member of a message and its head; all of the message is checked.
    private static func head(of message: [UInt8]) throws -> (root: String, header: JSON) {
        var reader = try JSONPullReader(message)
        let top = try reader.enterObject()
        guard try reader.nextMember(of: top) else { throw Flaw.shape }
        let root = reader.key
        guard root == NexoMessage.requestRoot || root == NexoMessage.responseRoot else { throw Flaw.shape }
        var header: JSON?
        let body = try reader.enterObject()
        while try reader.nextMember(of: body) {
            if reader.isKey("MessageHeader") { header = try reader.value() }
        }
        guard let header, try !reader.nextMember(of: top) else { throw Flaw.shape }
        try reader.end()
        return (root, header)
    }

    func seal(_ plain: [UInt8], _ header: JSON, _ root: String, nonce: [UInt8]) throws -> JSON {
        let blob = try crypto.encrypt(key: keys.encryption, vector: Self.vector(keys, nonce), padding: .pkcs7, plain)
        let proof = try crypto.authenticate(.sha256, key: keys.authentication, plain)
        return .object([
            root: [
                "MessageHeader": header, "NexoBlob": .string(Base64.standard.encode(blob)),
                "SecurityTrailer": [
                    "KeyVersion": .number(JSONNumber(version)), "KeyIdentifier": .string(identifier),
                    "Hmac": .string(Base64.standard.encode(proof)), "Nonce": .string(Base64.standard.encode(nonce)),
                    "AdyenCryptoVersion": .number(JSONNumber(Self.cryptoVersion)),
                ],
            ]
        ])
    }

    /// Decrypts a message and checks everything about it before a word of it is read.
    ///
    /// - Throws: ``Flaw``.
    func open(_ sealed: JSON) throws -> JSON { try opened(sealed).message }

    /// The same, with the message's bytes as they were encrypted.
    func opened(_ sealed: JSON) throws -> (bytes: [UInt8], message: JSON) {
        let roots = [NexoMessage.requestRoot, NexoMessage.responseRoot]
        guard let root = sealed.object?.members.first(where: { roots.contains($0.key) }),
            let header = root.value["MessageHeader"], let trailer = root.value["SecurityTrailer"]?.object,
            let blob = root.value["NexoBlob"]?.string.flatMap({ Base64.standard.decode($0) }),
            let proof = trailer["Hmac"]?.string.flatMap({ Base64.standard.decode($0) }),
            let nonce = trailer["Nonce"]?.string.flatMap({ Base64.standard.decode($0) }),
            nonce.count == Self.nonceBytes, proof.count == HashAlgorithm.sha256.byteCount
        else { throw Flaw.shape }
        guard trailer["AdyenCryptoVersion"] == .number(JSONNumber(Self.cryptoVersion)),
            trailer["KeyIdentifier"]?.string == identifier, let keys = keys(of: trailer["KeyVersion"])
        else { throw Flaw.unknownKey }
        let plain: [UInt8]
        do {
            plain = try crypto.decrypt(key: keys.encryption, vector: Self.vector(keys, nonce), padding: .pkcs7, blob)
        } catch { throw Flaw.notDecrypted }
        let due = try crypto.authenticate(.sha256, key: keys.authentication, plain)
        guard crypto.equal(due, proof) else { throw Flaw.wrongProof }
        guard let message = try? JSONReader().read(plain), message.object?.count == 1,
            Self.holds(header, message[root.key]?["MessageHeader"])
        else { throw Flaw.otherHeader }
        return (plain, message)
    }

    /// Whether the head outside has every member of the one inside, which is proven and alone believed, with the same
    /// values; what else is outside is not read.
    private static func holds(_ outer: JSON, _ inner: JSON?) -> Bool {
        guard let outer = outer.object, let inner = inner?.object else { return false }
        return inner.members.allSatisfy { outer[$0.key] == $0.value }
    }

    /// The keys of a version; nil if it is no version of this till.
    private func keys(of written: JSON?) -> Keys? {
        if written == .number(JSONNumber(version)) { return keys }
        return next.flatMap { written == .number(JSONNumber($0.version)) ? $0.keys : nil }
    }

    private static func vector(_ keys: Keys, _ nonce: [UInt8]) -> [UInt8] {
        zip(keys.vector.exposeBytes(), nonce).map { $0 ^ $1 }
    }
}

/// Encrypts a Terminal API message for a terminal on the same network, and decrypts one that came from it.
///
/// ```swift
/// let seal = try AdyenNexoEncryption(passphrase: Secret("…"), OpenSSLCrypto(), keyIdentifier: "till", keyVersion: 1)
/// let sealed = try seal.seal(message)
/// ```
public struct AdyenNexoEncryption: Sendable {
    private let nexo: NexoCrypto

    /// Derives the keys of a passphrase, which takes a moment on purpose.
    ///
    /// - Throws: `unsupported`, nothing moved, without cryptography.
    public init(
        passphrase: Secret, _ crypto: any Crypto, keyIdentifier: String = "till", keyVersion: Int64 = 1
    ) throws(PaymentError) {
        guard let keys = try? NexoCrypto.Keys(passphrase, crypto) else {
            throw PaymentError.notExecuted(.unsupported, "there is no cryptography for this")
        }
        nexo = NexoCrypto(keys: keys, crypto: crypto, identifier: keyIdentifier, version: keyVersion)
    }

    /// Encrypts a message, byte for byte as it is given; its head stays readable beside it.
    ///
    /// - Parameter nonce: Sixteen random bytes, never used twice; fresh ones without.
    /// - Throws: `invalidRequest`, nothing moved, where the bytes are no Terminal API message.
    public func encrypt(_ message: [UInt8], nonce: [UInt8]? = nil) throws(PaymentError) -> [UInt8] {
        guard nonce.map({ $0.count == NexoCrypto.nonceBytes }) ?? true else {
            throw Self.failed(.invalidRequest, "a nonce has \(NexoCrypto.nonceBytes) bytes")
        }
        do { return try nexo.seal(message, nonce: nonce).bytes() } catch NexoCrypto.Flaw.shape {
            throw Self.failed(.invalidRequest, "it is no Terminal API message with a MessageHeader")
        } catch { throw Self.failed(.unsupported, "it could not be encrypted") }
    }

    /// Decrypts a message; its proof is checked before a word of it is believed, and gives it as it was encrypted.
    ///
    /// - Throws: `signatureInvalid`, nothing moved, with what was wrong.
    public func decrypt(_ sealed: [UInt8]) throws(PaymentError) -> [UInt8] {
        guard let json = try? JSONReader().read(sealed) else { throw Self.failed(.signatureInvalid, "it is no JSON") }
        do { return try nexo.opened(json).bytes } catch {
            throw Self.failed(.signatureInvalid, Self.words(error as? NexoCrypto.Flaw ?? .notDecrypted))
        }
    }

    private static func words(_ flaw: NexoCrypto.Flaw) -> String {
        switch flaw {
        case .shape: "it is no encrypted message: NexoBlob, SecurityTrailer or a part of it is missing or malformed"
        case .unknownKey: "it names another key: KeyIdentifier, KeyVersion or AdyenCryptoVersion is not ours"
        // Which of the two it was would help an attacker who guesses messages.
        case .notDecrypted, .wrongProof: "its proof is wrong: another passphrase, or it was changed on the way"
        case .otherHeader: "the MessageHeader outside is not the one inside"
        }
    }

    private static func failed(_ code: PaymentError.Code, _ what: String) -> PaymentError {
        PaymentError.notExecuted(code, what)
    }
}

extension AdyenNexoEncryption: CustomStringConvertible, CustomReflectable {
    /// The name of the key; never the key.
    public var description: String { "AdyenNexoSeal(\(nexo.identifier), \(nexo.version))" }
    public var customMirror: Mirror { Mirror(self, children: ["key": description]) }
}
