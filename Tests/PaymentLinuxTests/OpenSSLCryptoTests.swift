import Foundation
import PaymentBase
import PaymentLinux
import PaymentTestServers
import PaymentTransport
import Testing

/// Answers that published standards give.
@Suite struct OpenSSLCryptoTests {
    private let crypto = OpenSSLCrypto()

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func bytes(_ hex: String) throws -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        try #require(digits.count.isMultiple(of: 2))
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }

    // MARK: Hashes (FIPS 180-4)

    @Test func hashesOfTheStandard() throws {
        let abc = Array("abc".utf8)
        #expect(try hex(crypto.digest(.sha1, abc)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(
            try hex(crypto.digest(.sha256, abc)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            try hex(crypto.digest(.sha512, abc))
                == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
        #expect(
            try hex(crypto.digest(.sha256, [])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            try hex(crypto.digest(.sha256, [UInt8](repeating: 97, count: 1_000_000)))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    // MARK: HMAC (RFC 2202, RFC 4231)

    /// Key, text, and the codes by the three algorithms; both standards use the same keys and texts here.
    private static let codes: [(key: [UInt8], text: [UInt8], algorithm: HashAlgorithm, code: String)] = [
        (
            [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8), .sha1,
            "b617318655057264e28bc0b6fb378c8ef146be00"
        ),
        (
            [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8), .sha256,
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8), .sha512,
            "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
                + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8), .sha1,
            "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8), .sha256,
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8), .sha512,
            "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            .sha256, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ]

    @Test(arguments: codes.indices) func authenticationCodesOfTheStandard(_ index: Int) throws {
        let vector = Self.codes[index]
        let code = try crypto.authenticate(vector.algorithm, key: Secret(bytes: vector.key), vector.text)
        #expect(hex(code) == vector.code)
        var other = vector.text
        other[0] ^= 1
        #expect(try crypto.authenticate(vector.algorithm, key: Secret(bytes: vector.key), other) != code)
    }

    @Test func anEmptyKeyAndAnEmptyTextHaveACode() throws {
        let code = try crypto.authenticate(.sha256, key: Secret(""), [])
        #expect(hex(code) == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    // MARK: PBKDF2 (RFC 6070)

    @Test(arguments: [
        ("password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
        ("password", "salt", 2, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
        ("password", "salt", 4_096, "4b007901b765489abead49d926f721d065a429c1"),
        (
            "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4_096,
            "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"
        ),
        ("pass\0word", "sa\0lt", 4_096, "56fa6aa75548099dcc37d7f03425e0c3"),
    ])
    func derivedKeysOfTheStandard(_ passphrase: String, _ salt: String, _ rounds: Int, _ key: String) throws {
        let derived = try crypto.deriveKey(
            passphrase: Secret(passphrase), salt: Array(salt.utf8), rounds: rounds, byteCount: key.utf8.count / 2)
        #expect(hex(derived.exposeBytes()) == key)
    }

    @Test(arguments: [(0, 20), (-1, 20), (10_000_001, 20), (1, 0), (1, 1_025)])
    func aDerivationOutOfItsLimitsIsRefused(_ rounds: Int, _ byteCount: Int) {
        #expect(throws: CryptoFailure.invalidInput) {
            try crypto.deriveKey(passphrase: Secret("p"), salt: [1], rounds: rounds, byteCount: byteCount)
        }
    }

    // MARK: AES-256-CBC (FIPS 197, SP 800-38A F.2.5 and F.2.6)

    private let key = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"
    private let vector = "000102030405060708090a0b0c0d0e0f"
    private let plain =
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
        + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
    private let cipher =
        "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
        + "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b"

    @Test func blocksOfTheStandard() throws {
        let (key, vector) = (Secret(bytes: try bytes(key)), try bytes(vector))
        #expect(try hex(crypto.encrypt(key: key, vector: vector, padding: .none, bytes(plain))) == cipher)
        #expect(try hex(crypto.decrypt(key: key, vector: vector, padding: .none, bytes(cipher))) == plain)
        let padded = try crypto.encrypt(key: key, vector: vector, padding: .pkcs7, bytes(plain))
        #expect(padded.count == 80)
        #expect(hex(Array(padded.prefix(64))) == cipher)
        #expect(try hex(crypto.decrypt(key: key, vector: vector, padding: .pkcs7, padded)) == plain)
        let block = try crypto.encrypt(
            key: Secret(bytes: bytes("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")),
            vector: [UInt8](repeating: 0, count: 16), padding: .none, bytes("00112233445566778899aabbccddeeff"))
        #expect(hex(block) == "8ea2b7ca516745bfeafc49904b496089")
    }

    @Test(arguments: 0..<50) func whatWasPaddedComesBack(_ count: Int) throws {
        let (key, vector) = (Secret(bytes: try bytes(key)), try bytes(vector))
        let text = (0..<count).map { UInt8($0) }
        let cipher = try crypto.encrypt(key: key, vector: vector, padding: .pkcs7, text)
        #expect(cipher.count == (count / 16 + 1) * 16)
        #expect(try crypto.decrypt(key: key, vector: vector, padding: .pkcs7, cipher) == text)
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let (key, vector) = (Secret(bytes: try bytes(key)), try bytes(vector))
        let short = Secret(bytes: [UInt8](repeating: 1, count: 16))
        #expect(throws: CryptoFailure.invalidKey) {
            try crypto.encrypt(key: short, vector: vector, padding: .pkcs7, [1])
        }
        #expect(throws: CryptoFailure.invalidInput) {
            try crypto.encrypt(key: key, vector: [1], padding: .pkcs7, [1])
        }
        #expect(throws: CryptoFailure.invalidInput) {
            try crypto.encrypt(key: key, vector: vector, padding: .none, [1])
        }
        #expect(throws: CryptoFailure.invalidInput) {
            try crypto.decrypt(key: key, vector: vector, padding: .pkcs7, [])
        }
        #expect(throws: CryptoFailure.invalidInput) {
            try crypto.decrypt(key: key, vector: vector, padding: .pkcs7, [1])
        }
        // The last block of the standard's text ends in 0x10, yet not sixteen times.
        #expect(throws: CryptoFailure.notDecrypted) {
            try crypto.decrypt(key: key, vector: vector, padding: .pkcs7, bytes(cipher))
        }
        #expect(try crypto.decrypt(key: key, vector: vector, padding: .none, []) == [])
    }

    // MARK: RSA (RFC 7515 A.2, and a key of our own)

    @Test func theSignatureOfTheStandard() throws {
        let text = JOSEVector.signature.replacing("-", with: "+").replacing("_", with: "/") + "=="
        let signature = try [UInt8](#require(Data(base64Encoded: text)))
        let input = Array(JOSEVector.input.utf8)
        #expect(try crypto.sign(.rs256, privateKey: Secret(JOSEVector.privatePEM), input) == signature)
        #expect(try crypto.verify(.rs256, publicKey: JOSEVector.publicPEM, signature: signature, input))
        #expect(try !crypto.verify(.rs512, publicKey: JOSEVector.publicPEM, signature: signature, input))
    }

    @Test(arguments: RSASignature.allCases) func aChangedTextOrSignatureDoesNotFit(_ algorithm: RSASignature) throws {
        let (key, other) = (try TestRSAKey(), try TestRSAKey())
        let text = Array("amount=100".utf8)
        let signature = try crypto.sign(algorithm, privateKey: Secret(key.privatePEM), text)
        func fits(_ signature: [UInt8], _ text: [UInt8], _ key: String) throws -> Bool {
            try crypto.verify(algorithm, publicKey: key, signature: signature, text)
        }
        #expect(signature.count == 256)
        #expect(try fits(signature, text, key.publicPEM))
        #expect(try !fits(signature, Array("amount=900".utf8), key.publicPEM))
        #expect(try !fits(signature, text, other.publicPEM))
        #expect(try !fits([], text, key.publicPEM))
        #expect(try !fits(Array(signature.dropLast()), text, key.publicPEM))
        #expect(try !fits(signature + [0], text, key.publicPEM))
        for index in [0, 17, 128, 255] {
            var changed = signature
            changed[index] ^= 1
            #expect(try !fits(changed, text, key.publicPEM))
        }
    }

    @Test func aKeyThatIsNoneIsRefused() throws {
        let (key, small) = (try TestRSAKey(), try TestRSAKey(bits: 1_024))
        for pem in ["", "nonsense", key.publicPEM, small.privatePEM, String(key.privatePEM.dropLast(200))] {
            #expect(throws: CryptoFailure.invalidKey) { try crypto.sign(.rs256, privateKey: Secret(pem), [1]) }
        }
        for pem in ["", "nonsense", key.privatePEM, small.publicPEM] {
            #expect(throws: CryptoFailure.invalidKey) {
                try crypto.verify(.rs256, publicKey: pem, signature: [1], [1])
            }
        }
    }

    // MARK: The rest

    @Test func randomBytesDiffer() throws {
        #expect(try crypto.randomBytes(0) == [])
        #expect(try crypto.randomBytes(32).count == 32)
        #expect(try crypto.randomBytes(32) != crypto.randomBytes(32))
        #expect(throws: CryptoFailure.invalidInput) { try crypto.randomBytes(-1) }
        #expect(throws: CryptoFailure.invalidInput) { try crypto.randomBytes(1_024 * 1_024 + 1) }
    }

    @Test func equalityLooksAtEverything() {
        #expect(crypto.equal([], []))
        #expect(crypto.equal([1, 2, 3], [1, 2, 3]))
        #expect(!crypto.equal([1, 2, 3], [1, 2, 4]))
        #expect(!crypto.equal([0, 2, 3], [1, 2, 3]))
        #expect(!crypto.equal([1, 2], [1, 2, 3]))
        #expect(!crypto.equal([], [0]))
    }
}

/// The example of RFC 7515, appendix A.2: a key that the whole world knows, and what it signed.
enum JOSEVector {
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

    static let input =
        "eyJhbGciOiJSUzI1NiJ9"
        + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    /// In Base64URL, without padding.
    static let signature =
        "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CU"
        + "Ar7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_d"
        + "O--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0ig"
        + "cN_IoypGlUPQGe77Rw"
}
