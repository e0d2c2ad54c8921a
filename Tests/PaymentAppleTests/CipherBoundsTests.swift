import PaymentBase
import PaymentLinux
import PaymentTransport
import Testing

@testable import PaymentApple

/// What is refused beforehand is what OpenSSL's side refuses, for the same reason.
@Suite struct CipherBoundsTests {
    private let crypto = OpenSSLCrypto()

    private func failure(_ work: () throws(CryptoFailure) -> Void) -> CryptoFailure? {
        do { try work() } catch { return error }
        return nil
    }

    @Test(arguments: BlockPadding.allCases) func ciphersHaveTheSameBounds(_ padding: BlockPadding) {
        for keyCount in [0, 16, 31, 32, 33] {
            for vectorCount in [0, 15, 16, 17] {
                for count in [0, 1, 15, 16, 17, 32] {
                    let key = Secret(bytes: [UInt8](repeating: 1, count: keyCount))
                    let vector = [UInt8](repeating: 2, count: vectorCount)
                    let text = [UInt8](repeating: 3, count: count)
                    let forth = failure { () throws(CryptoFailure) in
                        _ = try crypto.encrypt(key: key, vector: vector, padding: padding, text)
                    }
                    #expect(
                        failure { () throws(CryptoFailure) in
                            try CipherBounds.encryption(key: key, vector: vector, padding: padding, text)
                        } == forth)
                    // A text that no key ever made doesn't decrypt; that is for the library to say.
                    let back = failure { () throws(CryptoFailure) in
                        _ = try crypto.decrypt(key: key, vector: vector, padding: padding, text)
                    }
                    #expect(
                        failure { () throws(CryptoFailure) in
                            try CipherBounds.decryption(key: key, vector: vector, padding: padding, text)
                        } == (back == .notDecrypted ? nil : back))
                }
            }
        }
    }

    @Test func derivationAndRandomBytesHaveTheSameBounds() {
        for (rounds, count) in [(0, 1), (1, 0), (1, 1), (1, 1_024), (1, 1_025), (-1, 8), (10_000_001, 8)] {
            let real = failure { () throws(CryptoFailure) in
                _ = try crypto.deriveKey(passphrase: Secret("p"), salt: [1], rounds: rounds, byteCount: count)
            }
            #expect(
                failure { () throws(CryptoFailure) in
                    try CipherBounds.derivation([1], rounds: rounds, byteCount: count)
                } == real)
        }
        for count in [-1, 0, 1, 1_024 * 1_024, 1_024 * 1_024 + 1] {
            let real = failure { () throws(CryptoFailure) in _ = try crypto.randomBytes(count) }
            #expect(failure { () throws(CryptoFailure) in try CipherBounds.random(count) } == real)
        }
        #expect(CipherBounds.dataBytesMax == OpenSSLCrypto.dataBytesMax)
        #expect(CipherBounds.rsaKeyBitsMin == OpenSSLCrypto.rsaKeyBitsMin)
    }
}
