import PaymentBase
import PaymentLinux
import PaymentTransport
import Testing

@testable import PaymentApple

/// What Apple's functions would be given, held against OpenSSL.
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
