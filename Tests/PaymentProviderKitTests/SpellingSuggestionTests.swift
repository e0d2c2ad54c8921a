import PaymentProviderKit
import Testing

@Suite struct SpellingSuggestionTests {
    @Test(arguments: [
        ("merchnat", "merchant"), ("MERCHANT", "merchant"), ("end-point", "endpoint"), ("credential", "credentials"),
        ("setings", "settings"), ("curencies", "currencies"),
    ])
    func whatWasMeantIsFound(_ text: String, _ meant: String) {
        let names = ["adapter", "environment", "endpoint", "merchant", "currencies", "settings", "credentials"]
        #expect(SpellingSuggestion.of(text, in: names) == meant)
    }

    @Test(arguments: ["", "x", "colour", "s3cr3t-value-of-somebody", String(repeating: "merchant", count: 20)])
    func whatIsFarFromEverythingIsNot(_ text: String) {
        #expect(SpellingSuggestion.of(text, in: ["merchant", "settings"]) == nil)
    }

    @Test func neighboursThatAreSwappedCountOnce() {
        #expect(SpellingSuggestion.of("eu", in: ["ue"]) == "ue")
        #expect(SpellingSuggestion.of("abc", in: ["xyz"]) == nil)
        #expect(SpellingSuggestion.of("a", in: []) == nil)
    }
}
