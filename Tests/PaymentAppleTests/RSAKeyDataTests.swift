import PaymentBase
import PaymentLinux
import PaymentTransport
import Testing

@testable import PaymentApple

/// What Apple's functions would be given, compared with OpenSSL.
@Suite struct RSAKeyDataTests {
    private let crypto = OpenSSLCrypto()

    private func pem(_ label: String, _ der: [UInt8]) -> String {
        let text = Base64.standard.encode(der)
        return "-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n"
    }

    /// One element of DER.
    private func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        let count = contents.count
        let length: [UInt8] =
            count < 0x80
            ? [UInt8(count)] : count < 0x100 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        return [tag] + length + contents
    }

    private var algorithm: [UInt8] {
        element(0x30, element(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]) + [0x05, 0x00])
    }

    @Test func aKeyOfBothFormsIsTheSameKey() throws {
        let plain = try RSAKeyData(privatePEM: Secret(SampleKey.privatePEM))
        #expect(plain.bits == 2_048)
        let wrapped = element(
            0x30, element(0x02, [0]) + algorithm + element(0x04, plain.der.exposeBytes()))
        let eight = Secret(pem("PRIVATE KEY", wrapped))
        #expect(try RSAKeyData(privatePEM: eight).der == plain.der)
        // OpenSSL takes both for one key, so the wrapping is the one of the standard.
        let text = Array("a text".utf8)
        let one = try crypto.sign(.rs256, privateKey: Secret(SampleKey.privatePEM), text)
        let other = try crypto.sign(.rs256, privateKey: eight, text)
        let taken = Secret(pem("RSA PRIVATE KEY", plain.der.exposeBytes()))
        #expect(try one == other && one == crypto.sign(.rs256, privateKey: taken, text))
    }

    @Test func thePublicHalfIsTheModulusOfThePrivateOne() throws {
        let half = try RSAKeyData(publicPEM: SampleKey.publicPEM)
        #expect(half.bits == 2_048)
        var key = DERReader(half.der.exposeBytes()[...])
        var numbers = DERReader(try key.next(DERReader.sequence))
        let (modulus, exponent) = (try numbers.next(DERReader.integer), try numbers.next(DERReader.integer))
        #expect(key.isAtEnd && numbers.isAtEnd)
        var whole = DERReader(try RSAKeyData(privatePEM: Secret(SampleKey.privatePEM)).der.exposeBytes()[...])
        var parts = DERReader(try whole.next(DERReader.sequence))
        _ = try parts.next(DERReader.integer)
        #expect(try parts.next(DERReader.integer) == modulus && parts.next(DERReader.integer) == exponent)
    }

    @Test func whatIsNoSuchKeyIsRefusedAsOpenSSLRefusesIt() {
        let lines = SampleKey.privatePEM.split(separator: "\n").map(String.init)
        let curve = element(
            0x30,
            element(0x02, [0]) + element(0x30, element(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]))
                + element(0x04, [1, 2, 3]))
        let locked = ([lines[0], "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-256-CBC,00", ""] + lines.dropFirst())
        for bad in [
            "", "nothing", SampleKey.publicPEM, pem("RSA PRIVATE KEY", []),
            pem("RSA PRIVATE KEY", [0x30, 0x03, 2, 1, 0]),
            pem("PRIVATE KEY", curve), pem("ENCRYPTED PRIVATE KEY", [0x30, 0x00]), locked.joined(separator: "\n"),
            lines.dropLast(2).joined(separator: "\n"), pem("RSA PRIVATE KEY", Array(repeating: 0x30, count: 300)),
        ] {
            #expect(throws: CryptoFailure.invalidKey) { try RSAKeyData(privatePEM: Secret(bad)) }
            #expect(throws: CryptoFailure.invalidKey) { try crypto.sign(.rs256, privateKey: Secret(bad), []) }
        }
        for bad in ["", SampleKey.privatePEM, pem("PUBLIC KEY", []), pem("PUBLIC KEY", [0x30, 0x84, 0, 0, 0, 1, 0])] {
            #expect(throws: CryptoFailure.invalidKey) { try RSAKeyData(publicPEM: bad) }
            #expect(throws: CryptoFailure.invalidKey) {
                try crypto.verify(.rs256, publicKey: bad, signature: [], [])
            }
        }
        let long = Secret(String(repeating: "x", count: RSAKeyData.pemBytesMax + 1))
        #expect(throws: CryptoFailure.invalidKey) { try RSAKeyData(privatePEM: long) }
    }

    @Test func aShortKeyIsRefused() {
        let number = [0x7F] + [UInt8](repeating: 0x55, count: 127)
        let key = element(0x30, element(0x02, [0]) + element(0x02, number) + element(0x02, [3]))
        #expect(throws: CryptoFailure.invalidKey) {
            try RSAKeyData(privatePEM: Secret(pem("RSA PRIVATE KEY", key)))
        }
    }
}

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

/// The key of RFC 7515, appendix A.2, which the whole world knows.
enum SampleKey {
    static let privatePEM = """
        -----BEGIN RSA PRIVATE KEY-----
        MIIEowIBAAKCAQEAofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd/wWJcyQoTbji9k0
        l8W26mPddxHmfHQp+Vaw+4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL+yRT+SFd2lZS+pC
        gNMsD1W/YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb/7OMg0LOL+bSf63kpaSHSX
        ndS5z5rexMdbBYUsLA9e+KXBdQOS+UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uD
        Zlxvb3qCo5ZwKh9kG4LT6/I5IhlJH7aGhyxXFvUK+DWNmoudF8NAco9/h9iaGNj8
        q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQIDAQABAoIBABKucaRpzQorw35S
        bEUAVx8dYXUdZOlJcHtiWQ+dC6V8ljxAHj/PLyzTveyI5QO/xkObCyjIL303l2cf
        UhPu2MFaJdjVzqACXuOrLot/eSFvxjvqVidTtAZExqFRJ9mylUVAoLvhowVWmC1O
        n95fZCXxTUtxNEG1Xcc7m0rtzJKs45J+N/V9DP1edYH6USyPSWGp6wuA+KgHRnKK
        Vf9GRx80JQY7nVNkL17eHoTWEwga+lwi0FEoW9Y7lDtWXYmKBWhUE+U8PGxlJf8f
        40493HDw1WRQ/aSLoS4QTp3rn7gYgeHEvfJdkkf0UMhlknlo53M09EFPdadQ4TlU
        bjqKc50CgYEA4BzEEOtIpmVdVEZNCqS7baC4crd0pqnRH/5IB3jw3bcxGn6QLvnE
        tfdUdiYrqBdss1l58BQ3KhooKeQTa9AB0Hw/Py5PJdTJNPY8cQn7ouZ2KKDcmnPG
        BY5t7yLc1QlQ5xHdwW1VhvKn+nXqhJTBgIPgtldC+KDV5z+y2XDwGUcCgYEAuQPE
        fgmVtjL0Uyyx88GZFF1fOunH3+7cepKmtH4pxhtCoHqpWmT8YAmZxaewHgHAjLYs
        p1ZSe7zFYHj7C6ul7TjeLQeZD/YwD66t62wDmpe/HlB+TnBA+njbglfIsRLtXlnD
        zQkv5dTltRJ11BKBBypeeF6689rjcJIDEz9RWdcCgYAHAp9XcCSrn8wVkMVkKdb7
        DOX4IKjzdahm+ctDAJN4O/y7OW5FKebvUjdAIt2GuoTZ71iTG+7F0F+lP88jtjP4
        U4qe7VHoewl4MKOfXZKTe+YCS1XbNvfgwJ3Ltyl1OH9hWvu2yza7q+d5PCsDzqtm
        27kxuvULVeya+TEdAB1ijQKBgQCH/3r6YrVH/uCWGy6bzV1nGNOdjKc9tmkfOJmN
        54dxdixdpozCQ6U4OxZrsj3FcOhHBsqAHvX2uuYjagqvo3cOj1TRqNocX40omfCC
        Mx3bD1yPPf/6TI2XECva/ggqEY2mYzmIiA5LVVmc5nrybr+lssFKneeyxN2Wq93S
        0iJMdQKBgCGHewxzoa1r8ZMD0LETNrToK423K377UCYqXfg5XMclbrjPbEC3YI1Z
        NqMtuhdBJqUnBi6tjKMF+34Xf0CUN8ncuXGO2CAYvO8PdyCixHX52ybaDjy1FtCE
        6yUXjoKNXKvUm7MWGsAYH6f4IegOetN5NvmUMFStCSkh7ixZLkN1
        -----END RSA PRIVATE KEY-----
        """

    static let publicPEM = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAofgWCuLjybRlzo0tZWJj
        NiuSfb4p4fAkd/wWJcyQoTbji9k0l8W26mPddxHmfHQp+Vaw+4qPCJrcS2mJPMEz
        P1Pt0Bm4d4QlL+yRT+SFd2lZS+pCgNMsD1W/YpRPEwOWvG6b32690r2jZ47soMZo
        9wGzjb/7OMg0LOL+bSf63kpaSHSXndS5z5rexMdbBYUsLA9e+KXBdQOS+UTo7WTB
        EMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6/I5IhlJH7aGhyxX
        FvUK+DWNmoudF8NAco9/h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXp
        oQIDAQAB
        -----END PUBLIC KEY-----
        """
}
