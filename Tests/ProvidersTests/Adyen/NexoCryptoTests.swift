import PaymentBase
import PaymentLinux
import PaymentTransport
import Testing

@testable import AdyenProvider

@Suite struct NexoCryptoTests {
    private let crypto = OpenSSLCrypto()

    private func nexo(_ passphrase: String = "p@ssw0rd123456", version: Int64 = 1) throws -> NexoCrypto {
        NexoCrypto(
            keys: try NexoCrypto.Keys(Secret(passphrase), crypto), crypto: crypto, identifier: "till", version: version)
    }

    @Test(arguments: [
        (
            "p@ssw0rd123456", "733636253b5b98f9a483b1a678d73a58dab2accafbc029ecbe12d60eaa909e32",
            "cf2c822761b9f5305bf69970bfa7b659a6724a119db21f8b0e949779f2ea022c", "bb9ba8092e6027c735398dc65977c051"
        ),
        (
            "P@ssw0rd123456", "39826507afde4e47ce21ecec4a9eeb947c74089e522cb3522f03d40a35a5a719",
            "da081da2e541074877fad74cc1dbf2374286f78afa89a123046656ffeb88ff67", "98d57bd39cf5c993b07593cf1125fde8"
        ),
        (
            "testPassphrase123", "44aeebe4e072443499b16428c9f2a75ac68798b5a776cf160a68e8682890f3ae",
            "76d02bd12c37be19bc3658cc337dbd09cd74f64fd4594f1d9382c40e4e01247f", "1d37684ff2ff03be45fcc84d224fa0f5"
        ),
        (
            "Some passpharse", "73accf2c14bdf10951bec61095f65ef912b45eaa505037fffe66521cda0e987c",
            "56fc8f236419d177c61876d1144b757a0314a2ee3f6a73e4a7b391f78548c2f9", "d80a270082f2581e012cb03eac23de3b"
        ),
    ])
    func keysAreThoseOfTheVectors(_ passphrase: String, _ proof: String, _ cipher: String, _ vector: String) throws {
        let keys = try NexoCrypto.Keys(Secret(passphrase), crypto)
        #expect(Hex.encode(keys.authentication.exposeBytes()) == proof)
        #expect(Hex.encode(keys.encryption.exposeBytes()) == cipher)
        #expect(Hex.encode(keys.vector.exposeBytes()) == vector)
    }

    @Test func theShortMessageIsSealedAsInTheVector() throws {
        let nonce = try #require(Base64.standard.decode("AAECAwQFBgcICQoLDA0ODw=="))
        let sealed = try nexo().seal(
            Array("{\"SaleToPOIRequest\":{}}".utf8), ["a": 1], "SaleToPOIRequest", nonce: nonce)
        let root = try #require(sealed["SaleToPOIRequest"])
        #expect(root["NexoBlob"]?.string == "bCSdA/21eXKqHofUI2X2/FK/8pALGaa7jk+iEbOswgU=")
        #expect(root["SecurityTrailer"]?["Hmac"]?.string == "PaoVII1KDWES/Ef3rwPZX3A6K3pCvN6NTyjsp5VKQWc=")
    }

    private var message: JSON {
        NexoMessage.request(
            NexoHeader(.payment, id: "0207111104", saleID: "TILL-7", poiID: "V400m-324688042"),
            ["SaleData": ["SaleTransactionID": ["TransactionID": "order-1001"]]])
    }

    @Test func whatWasSealedIsOpenedAndWithAnotherKeyItIsNot() throws {
        let sealed = try nexo().seal(message)
        #expect(try nexo().open(sealed) == message)
        #expect(throws: (any Error).self) { try nexo("another").open(sealed) }
        #expect(throws: NexoCrypto.Flaw.unknownKey) { try nexo(version: 2).open(sealed) }
    }

    /// A head outside may say more than the one inside, which alone is believed; it may not say anything else, or less.
    @Test func aHeadOutsideMaySayMoreAndNothingElse() throws {
        let sealed = try nexo().seal(message)
        func opened(_ change: (inout JSONObject) -> Void) throws -> JSON {
            var root = try #require(sealed["SaleToPOIRequest"]?.object)
            var head = try #require(root["MessageHeader"]?.object)
            change(&head)
            root["MessageHeader"] = .object(head)
            return try nexo().open(.object(["SaleToPOIRequest": .object(root)]))
        }
        #expect(try opened { $0["TimeStamp"] = "2026-01-05T09:15:00Z" } == message)
        #expect(throws: NexoCrypto.Flaw.otherHeader) { try opened { $0["SaleID"] = nil } }
        #expect(throws: NexoCrypto.Flaw.otherHeader) {
            try opened { ($0["SaleID"], $0["TimeStamp"]) = ("TILL-8", "2026-01-05T09:15:00Z") }
        }
    }

    /// Every single bit of the whole message, one after the other: head, blob, proof, nonce, trailer and all between.
    @Test func everyBitThatIsChangedIsRefused() throws {
        let nexo = try nexo()
        let bytes = try nexo.seal(message).bytes()
        var (count, believed) = (0, [Int]())
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << bit
                count += 1
                guard let json = try? JSONReader().read(changed) else { continue }
                if (try? nexo.open(json)) != nil { believed.append(index * 8 + bit) }
            }
        }
        print("changed bits: \(count), believed: \(believed.count)")
        #expect(count == bytes.count * 8)
        #expect(count > 5_000)
        #expect(believed == [])
    }

    /// The last characters of a Base64 text carry bits that decode to nothing; another spelling is refused.
    @Test func otherSpellingsOfTheSameBytesAreRefused() throws {
        let nexo = try nexo()
        let sealed = try nexo.seal(message)
        var count = 0
        for (name, isInTrailer) in [("NexoBlob", false), ("Hmac", true), ("Nonce", true)] {
            let root = try #require(sealed["SaleToPOIRequest"]?.object)
            let given = try #require(
                (isInTrailer ? root["SecurityTrailer"]?[name] : root[name])?.string)
            var spellings = [given + "=", given.replacing("=", with: ""), given + "\n", " " + given, given + "A"]
            if let last = given.last(where: { $0 != "=" }), given.hasSuffix("=") {
                let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
                let stem = given.prefix(given.count - given.suffix(while: "=") - 1)
                let padding = String(repeating: "=", count: given.suffix(while: "="))
                spellings += alphabet.filter { $0 != last }.map { stem + String($0) + padding }
            }
            for spelling in spellings where spelling != given {
                var changed = root
                if isInTrailer {
                    var trailer = try #require(changed["SecurityTrailer"]?.object)
                    trailer[name] = .string(spelling)
                    changed["SecurityTrailer"] = .object(trailer)
                } else {
                    changed[name] = .string(spelling)
                }
                count += 1
                #expect(throws: (any Error).self) {
                    try nexo.open(.object(["SaleToPOIRequest": .object(changed)]))
                }
            }
        }
        print("other spellings: \(count)")
        #expect(count > 100)
    }

    @Test(arguments: [
        ("V400m-324688042.test.terminal.adyen.com", true),
        ("legacy-terminal-certificate.test.terminal.adyen.com", true),
        ("V400m-324688042.live.terminal.adyen.com", false), ("V4-324688042.test.terminal.adyen.com", false),
        ("V400m-12345678.test.terminal.adyen.com", false), ("V400m-324688042.test.terminal.adyen.com.evil", false),
        ("V400m-324688042-1.test.terminal.adyen.com", false), ("test.terminal.adyen.com", false),
    ])
    func onlyTerminalsOfTheEnvironmentHaveAGoodName(_ name: String, _ isGood: Bool) {
        #expect(TerminalCertificate.isTerminal(name, environment: "test") == isGood)
    }
}

extension String {
    fileprivate func suffix(while character: Character) -> Int { reversed().prefix { $0 == character }.count }
}
