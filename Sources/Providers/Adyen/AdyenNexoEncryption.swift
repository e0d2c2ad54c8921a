public import PaymentAbstraction
public import PaymentBase
public import PaymentTransport

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
        // Which of the two it was would help whoever guesses at messages.
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
