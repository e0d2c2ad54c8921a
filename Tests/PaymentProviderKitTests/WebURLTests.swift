import PaymentProviderKit
import PaymentTransport
import Testing

@Suite struct WebURLTests {
    @Test func partsAreTold() {
        #expect(WebURL("https://h.example/a/b?c=d") == WebURL(Origin(.https, "h.example"), "/a/b?c=d"))
        #expect(WebURL("http://H:8080") == WebURL(Origin(.http, "h", 8_080), "/"))
        #expect(WebURL("https://h?x=1") == WebURL(Origin(.https, "h"), "/?x=1"))
    }

    @Test(arguments: [
        "", "h", "https://", "https:///a", "https://u:p@h/", "https://h/ a", "https://h/a#b", "ftp://h/",
        "https://h\\@x/",
        "https://h/\u{7}", "https://h:0/", "https://h/ä",
    ])
    func othersAreRefused(_ text: String) { #expect(WebURL(text) == nil) }

    @Test func aLongOneIsRefused() {
        let text = "https://h/" + String(repeating: "a", count: WebURL.charactersMax)
        #expect(WebURL(text) == nil)
        #expect(WebURL(String(text.dropLast(10))) != nil)
    }
}
