import PaymentAbstraction
import PaymentBase
import PaymentLinux
import PaymentTransport
import Testing

@testable import AdyenProvider
@testable import PaymentProviderKit

@Suite struct AdyenSigningTests {
    private static let first = "DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00"
    private static let second = "9064450A8892A093D9E97EFCC9639DE31B74F3A7803135555A3C96F5A57915D6"

    @Test(arguments: [
        (
            first, "pspReference:originalReference:merchantAccount:reference:1000:EUR:EVENT:true",
            "ipnxGCaUZ4l8TUW75a71/ghd2Fe5ffvX0pV4TLTntIc="
        ),
        (
            first, "pspReference:originalReference:merchantAccount:reference:1000:EUR:REPORT_AVAILABLE:true",
            "ZNBPtI+oDyyRrLyD1XirkKnQgIAlFc07Vj27TeHsDRE="
        ),
        (
            second, "test_REPORT_AVAILABLE::Magento2Rik:testMerchantRef1:0:EUR:REPORT_AVAILABLE:true",
            "NuEkADFmlCC6VgX+wcoPAegIWxVPNBPCuKlM4Hzo5qc="
        ),
        (second, "TestPayload", "YA9/UDjldIO4Gq68X4ATYYoEaPYH4f4k2uzBBzEF1PA="),
        (
            "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056",
            "7914073381342284::TestMerchant:TestPayment-1407325143704:1130:EUR:AUTHORISATION:true",
            "coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0="
        ),
        (
            "74F490DD33F7327BAECC88B2947C011FC02D014A473AAA33A8EC93E4DC069174",
            "ZVWN7D3WSMK2WN82::AntoniStroinski:\\:/\\/slashes are fun:1000:EUR:AUTHORISATION:true",
            "CZErGCNQaSsxbaQfZaJlakqo7KPP+mIa8a+wx3yNs9A="
        ),
    ])
    func signaturesAreThoseOfTheVectors(_ key: String, _ text: String, _ due: String) throws {
        let crypto = OpenSSLCrypto()
        let signature = try #require(AdyenSigning.signature(Array(text.utf8), Secret(key), crypto))
        #expect(Base64.standard.encode(signature) == due)
        #expect(AdyenSigning.isGenuine(Array(text.utf8), due, [Secret("00"), Secret(key)], crypto))
        #expect(!AdyenSigning.isGenuine(Array((text + " ").utf8), due, [Secret(key)], crypto))
        #expect(!AdyenSigning.isGenuine(Array(text.utf8), due, [], crypto))
        #expect(!AdyenSigning.isGenuine(Array(text.utf8), due, [Secret(key)], UnavailableCrypto()))
    }

    @Test func whatIsSignedIsTheSameForTextsAndTruthValues() throws {
        let texts = [
            #"{"NotificationRequestItem":{"eventCode":"CAPTURE","pspReference":"P","success":"true","amount":{"value":1}}}"#,
            #"{"NotificationRequestItem":{"eventCode":"CAPTURE","pspReference":"P","success":true,"amount":{"value":"1"},"originalReference":null}}"#,
        ]
        for text in texts {
            let item = try #require(NotificationItem(AdyenTill.json(text)))
            #expect(item.signedText == "P::::1::CAPTURE:true")
        }
    }
}
