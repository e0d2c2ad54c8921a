import PaymentBase
import PaymentCore
import PaymentLinux
import PaymentModel
import PaymentTestTill
import PaymentTransport
import Testing

@testable import AdyenProvider
@testable import PaymentProviderKit

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

@Suite struct AdyenSealTests {
    private static let nonce = Base64.standard.decode("AAECAwQFBgcICQoLDA0ODw==") ?? []
    private static let message =
        #"{"SaleToPOIRequest":{"MessageHeader":{"ServiceID":"1","SaleID":"T"},"X":{"a": 1.00}}}"#

    private func seal(_ passphrase: String = "p@ssw0rd123456", version: Int64 = 1) throws -> AdyenNexoEncryption {
        try AdyenNexoEncryption(
            passphrase: Secret(passphrase), OpenSSLCrypto(), keyIdentifier: "key", keyVersion: version)
    }

    @Test func aMessageComesBackByteForByte() throws {
        let sealed = try seal().encrypt(Array(Self.message.utf8))
        #expect(!String(decoding: sealed, as: UTF8.self).contains("1.00"))
        #expect(try seal().decrypt(sealed) == Array(Self.message.utf8))
        #expect(try seal().encrypt(Array(Self.message.utf8)) != sealed, "the nonce is another one")
    }

    @Test func theVectorOfTheDocumentsIsMade() throws {
        // The vector's text has no head, which is needed here; its cipher text begins with the same block.
        let sealed = try JSONReader().read(
            try seal().encrypt(Array(#"{"SaleToPOIRequest":{"MessageHeader":{}}}"#.utf8), nonce: Self.nonce))
        let blob = sealed["SaleToPOIRequest"]?["NexoBlob"]?.string ?? ""
        #expect(blob.hasPrefix("bCSdA/21eXKqHofUI2X2"))
        #expect(sealed["SaleToPOIRequest"]?["SecurityTrailer"]?["Nonce"] == "AAECAwQFBgcICQoLDA0ODw==")
    }

    @Test func errorsSayWhatWasWrong() throws {
        let sealed = try seal().encrypt(Array(Self.message.utf8))
        let json = try JSONReader().read(sealed)
        func detail(_ bytes: [UInt8], _ seal: AdyenNexoEncryption) -> String {
            do throws(PaymentError) {
                _ = try seal.decrypt(bytes)
                return "opened"
            } catch { return error.code == .signatureInvalid ? error.detail : "\(error)" }
        }
        #expect(try detail(sealed, seal("other")).contains("another passphrase"))
        #expect(try detail(sealed, seal(version: 2)).contains("another key"))
        #expect(try detail(Array("hello".utf8), seal()).contains("no JSON"))
        #expect(try detail(Array(Self.message.utf8), seal()).contains("no encrypted message"))
        var root = try #require(json["SaleToPOIRequest"]?.object)
        root["MessageHeader"] = ["ServiceID": "2", "SaleID": "T"]
        #expect(try detail(JSON.object(["SaleToPOIRequest": .object(root)]).bytes(), seal()).contains("outside"))
        root["MessageHeader"] = ["SaleID": "T", "ServiceID": "1"]
        #expect(try detail(JSON.object(["SaleToPOIRequest": .object(root)]).bytes(), seal()) == "opened")
        root["SecurityTrailer"] = nil
        #expect(
            try detail(JSON.object(["SaleToPOIRequest": .object(root)]).bytes(), seal()).contains("SecurityTrailer"))
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"SaleToPOIRequest":{}}"#, #"{"Other":{"MessageHeader":{}}}"#, #"{"SaleToPOIRequest":[]}"#,
        #"{"SaleToPOIRequest":{"MessageHeader":{}},"x":1}"#, #"{"SaleToPOIRequest":{"MessageHeader":{}}}x"#,
        #"{"SaleToPOIRequest":{"MessageHeader":{}}"#, #"{"SaleToPOIRequest":{"MessageHeader":{},"x":{"a":1,"a":1}}}"#,
        #"{"SaleToPOIRequest":{"MessageHeader":{},"MessageHeader":{}}}"#,
    ])
    func whatIsNoMessageIsNotSealed(_ text: String) throws {
        #expect(throws: PaymentError(.invalidRequest, outcome: .notExecuted)) {
            try seal().encrypt(Array(text.utf8))
        }
    }

    @Test func noKeyIsPrinted() throws {
        var printed = ""
        dump(try seal(), to: &printed)
        #expect(!printed.contains("p@ssw0rd") && !printed.contains("cf2c8227"))
    }

    // MARK: Signatures

    @Test func theEntrySignsAndChecksWebhooks() throws {
        let scheme = try #require(ProviderDefinition.adyen.signatures)
        let (crypto, key) = (
            OpenSSLCrypto(), Secret("44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056")
        )
        let item = """
            {"pspReference":"7914073381342284","merchantAccountCode":"TestMerchant","eventCode":"AUTHORISATION",\
            "merchantReference":"TestPayment-1407325143704","amount":{"value":1130,"currency":"EUR"},"success":"true"
            """
        let due = "coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0="
        let plain = Array(#"{"notificationItems":[{"NotificationRequestItem":\#(item)}}]}"#.utf8)
        #expect(try scheme.sign(plain, secret: key, crypto: crypto) == due)
        #expect(try scheme.verifies(plain, signature: due, secret: key, crypto: crypto))
        #expect(throws: PaymentError.self) { try scheme.verifies(plain, signature: nil, secret: key, crypto: crypto) }
        let signed = #"\#(item),"additionalData":{"hmacSignature":"\#(due)"}}"#
        let whole = Array(#"{"notificationItems":[{"NotificationRequestItem":\#(signed)}]}"#.utf8)
        #expect(try scheme.verifies(whole, signature: nil, secret: key, crypto: crypto))
        #expect(try scheme.verifies(Array(signed.utf8), signature: nil, secret: key, crypto: crypto), "an item alone")
        let changed = Array(String(decoding: whole, as: UTF8.self).replacing("1130", with: "1131").utf8)
        #expect(try !scheme.verifies(changed, signature: nil, secret: key, crypto: crypto))
        #expect(throws: PaymentError.self) { try scheme.sign(whole, secret: Secret("no key"), crypto: crypto) }
        // The same signed text, cut at other colons.
        let cut = signed.replacing("TestMerchant", with: "M:TestMerchant")
        #expect(throws: PaymentError.self) {
            try scheme.verifies(Array(cut.utf8), signature: nil, secret: key, crypto: crypto)
        }
        #expect(ProviderDefinition.adyen.webhookCredential == "webhookKey")
        #expect(ProviderDefinition.adyen.inspector != nil)
    }

    @Test func aWebhookOfThePlatformIsSignedByItsBytes() throws {
        let scheme = try #require(ProviderDefinition.adyen.signatures)
        let key = Secret("9064450A8892A093D9E97EFCC9639DE31B74F3A7803135555A3C96F5A57915D6")
        let due = "YA9/UDjldIO4Gq68X4ATYYoEaPYH4f4k2uzBBzEF1PA="
        #expect(try scheme.sign(Array("TestPayload".utf8), secret: key, crypto: OpenSSLCrypto()) == due)
    }
}

/// Whom a till believes on the shop's own network.
@Suite struct AdyenLocalTrustTests {
    /// Answers nothing and keeps what it was asked to send.
    private final class Listening: HTTPTransport {
        let heard = Locked([HTTPRequest]())
        var sendLimitMilliseconds: Int64? { 0 }

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            heard.withLock { $0.append(request) }
            throw .notSent(.tlsFailed)
        }
    }

    private func heard(_ change: (inout AdyenConfiguration) -> Void) throws -> [HTTPRequest] {
        let (till, transport) = (AdyenTill(), Listening())
        let client = try till.client(over: transport) { configuration in
            configuration.link = .local
            change(&configuration)
        }
        try till.play {
            let error = await #expect(throws: PaymentError.self) {
                try await client.sale(Money("5.00", .eur), from: .reader, reference: "order-1")
            }
            #expect(error?.outcome == .notExecuted)
        }
        return transport.heard.withLock { $0 }
    }

    @Test func aTerminalIsTrustedByTheProvidersRootsAndTheRuleOfItsNames() throws {
        let requests = try heard { $0.terminalRoots = "-----BEGIN CERTIFICATE-----" }
        #expect(!requests.isEmpty)
        for request in requests {
            let trust = try #require(request.trust)
            #expect(trust.roots == "-----BEGIN CERTIFICATE-----")
            #expect(trust.name == TerminalCertificate.trust(roots: "", environment: "test").name)
        }
        let rule = TerminalCertificate.trust(roots: "", environment: "test").name
        #expect(rule.accepts("V400m-324688042.test.terminal.adyen.com"))
        #expect(rule.accepts("legacy-terminal-certificate.test.terminal.adyen.com"))
        #expect(!rule.accepts("V400m-324688042.live.terminal.adyen.com"))
        #expect(!rule.accepts("V400m-324688042.test.terminal.adyen.com.example"))
    }

    @Test func withoutRootsTheMachinesOwnCount() throws {
        #expect(try heard { _ in }.allSatisfy { $0.trust == nil })
    }

    @Test func aLocalTerminalOverTLSNeedsTheRoots() async throws {
        func refusal(_ more: String) async -> String {
            let text = """
                {"active": "a", "journal": {"kind": "memory"}, "providers": {"a": {"adapter": "adyen",
                  "environment": "test", "merchant": "M", "endpoint": "https://192.0.2.17:8443",
                  "settings": {"terminal": "V400m-324688042", "link": "local"},
                  "credentials": {"apiKey": "env:K", "passphrase": "env:P"\(more)}}}}
                """
            do {
                let read = try ConfigurationReader(ProviderRegistry([.adyen])).read(Array(text.utf8), file: "f")
                _ = try await read.drivers(
                    ProviderDependencies(transport: Listening()),
                    secrets: FixedSecrets(values: ["K": "k".secret, "P": "p".secret]))
                return ""
            } catch { return error.detail }
        }
        #expect(await refusal("").contains("terminalRoots is missing"))
        #expect(await refusal(", \"terminalRoots\": \"env:K\"").contains("terminalRoots") == false)
    }
}
