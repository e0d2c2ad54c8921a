import PaymentProviderKit
import Testing

@Suite struct NearestNameTests {
    @Test(arguments: [
        ("merchnat", "merchant"), ("MERCHANT", "merchant"), ("end-point", "endpoint"), ("credential", "credentials"),
        ("setings", "settings"), ("curencies", "currencies"),
    ])
    func whatWasMeantIsFound(_ text: String, _ meant: String) {
        let names = ["adapter", "environment", "endpoint", "merchant", "currencies", "settings", "credentials"]
        #expect(NearestName.of(text, in: names) == meant)
    }

    @Test(arguments: ["", "x", "colour", "s3cr3t-value-of-somebody", String(repeating: "merchant", count: 20)])
    func whatIsFarFromEverythingIsNot(_ text: String) {
        #expect(NearestName.of(text, in: ["merchant", "settings"]) == nil)
    }

    @Test func neighboursThatAreSwappedCountOnce() {
        #expect(NearestName.of("eu", in: ["ue"]) == "ue")
        #expect(NearestName.of("abc", in: ["xyz"]) == nil)
        #expect(NearestName.of("a", in: []) == nil)
    }
}
