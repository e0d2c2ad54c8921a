import AdyenProvider
import PaymentAbstraction
import PaymentBase
import PaymentLinux
import PaymentProviderKit
import Testing

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
