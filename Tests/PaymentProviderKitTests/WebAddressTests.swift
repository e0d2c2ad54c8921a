import PaymentProviderKit
import PaymentTransport
import Testing

@Suite struct WebAddressTests {
    @Test func partsAreTold() {
        #expect(WebAddress("https://h.example/a/b?c=d") == WebAddress(Origin(.https, "h.example"), "/a/b?c=d"))
        #expect(WebAddress("http://H:8080") == WebAddress(Origin(.http, "h", 8_080), "/"))
        #expect(WebAddress("https://h?x=1") == WebAddress(Origin(.https, "h"), "/?x=1"))
    }

    @Test(arguments: [
        "", "h", "https://", "https:///a", "https://u:p@h/", "https://h/ a", "https://h/a#b", "ftp://h/",
        "https://h\\@x/",
        "https://h/\u{7}", "https://h:0/", "https://h/ä",
    ])
    func othersAreRefused(_ text: String) { #expect(WebAddress(text) == nil) }

    @Test func aLongOneIsRefused() {
        let text = "https://h/" + String(repeating: "a", count: WebAddress.charactersMax)
        #expect(WebAddress(text) == nil)
        #expect(WebAddress(String(text.dropLast(10))) != nil)
    }
}
