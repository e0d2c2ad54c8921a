internal import PaymentBase
internal import PaymentTransport

/// The terminal's side of the encryption on the same network, from the documents.
struct SandboxNexo: Sendable {
    private let hmacKey: Secret
    private let aesKey: Secret
    private let initial: [UInt8]
    private let crypto: any Crypto

    /// What the till's passphrase is known by.
    static let keyIdentifier = "till"

    /// Derives the 80 bytes: 32 for the proof, 32 for the cipher, 16 for its beginning.
    init?(_ passphrase: Secret, _ crypto: any Crypto) {
        guard
            let material = try? crypto.deriveKey(
                passphrase: passphrase, salt: Array("AdyenNexoV1Salt".utf8), rounds: 4_000, byteCount: 80)
        else { return nil }
        let bytes = material.exposeBytes()
        (hmacKey, aesKey) = (Secret(bytes: Array(bytes.prefix(32))), Secret(bytes: Array(bytes[32..<64])))
        (initial, self.crypto) = (Array(bytes.suffix(16)), crypto)
    }

    /// What a till sent; nil unless everything about it is right.
    func open(_ sealed: JSON) -> JSON? {
        let root = sealed["SaleToPOIRequest"]
        let trailer = root?["SecurityTrailer"]
        guard trailer?["AdyenCryptoVersion"]?.int64 == 1, trailer?["KeyIdentifier"]?.string == Self.keyIdentifier,
            trailer?["KeyVersion"]?.int64 == 1, let nonce = bytes(trailer?["Nonce"]), nonce.count == 16,
            let proof = bytes(trailer?["Hmac"]), let blob = bytes(root?["NexoBlob"]),
            let plain = try? crypto.decrypt(key: aesKey, vector: vector(nonce), padding: .pkcs7, blob),
            let due = try? crypto.authenticate(.sha256, key: hmacKey, plain), crypto.equal(due, proof),
            let message = try? JSONReader().read(plain),
            message["SaleToPOIRequest"]?["MessageHeader"] == root?["MessageHeader"]
        else { return nil }
        return message
    }

    /// What the terminal answers, encrypted.
    func seal(_ message: JSON) -> JSON? {
        guard let member = message.object?.members.first, let header = member.value["MessageHeader"],
            let nonce = try? crypto.randomBytes(16),
            let blob = try? crypto.encrypt(key: aesKey, vector: vector(nonce), padding: .pkcs7, message.bytes()),
            let proof = try? crypto.authenticate(.sha256, key: hmacKey, message.bytes())
        else { return nil }
        let trailer: JSON = [
            "AdyenCryptoVersion": 1, "Hmac": .string(Base64.standard.encode(proof)), "KeyIdentifier": "till",
            "KeyVersion": 1, "Nonce": .string(Base64.standard.encode(nonce)),
        ]
        return .object([
            member.key: [
                "MessageHeader": header, "NexoBlob": .string(Base64.standard.encode(blob)), "SecurityTrailer": trailer,
            ]
        ])
    }

    private func bytes(_ json: JSON?) -> [UInt8]? { json?.string.flatMap { Base64.standard.decode($0) } }

    private func vector(_ nonce: [UInt8]) -> [UInt8] { zip(initial, nonce).map { $0 ^ $1 } }
}
