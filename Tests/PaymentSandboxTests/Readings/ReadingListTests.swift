import PaymentBase
import PaymentLinux
import PaymentSandbox
import Testing

/// The lists of what the documents leave open.
@Suite struct ReadingListTests {
    @Test func everyPlaceHasSeveralReadingsAndOneThatIsUsual() {
        for (place, readings) in Dictionary(grouping: AdyenBackend.readings, by: \.place) {
            #expect(readings.count > 1, "\(place)")
            #expect(readings.count(where: \.isUsual) == 1, "\(place)")
        }
        let ids = AdyenBackend.readings.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(Set(AdyenBackend.readings.map(\.place)).count == 61)
        #expect(ids.count == 192)
    }

    @Test func whatIsListedAsPlayedCanBePlayedAndNothingElse() {
        let backend = AdyenBackend(clock: StillClock(), crypto: OpenSSLCrypto())
        for reading in AdyenBackend.readings {
            #expect(backend.play(reading.id) == reading.isPlayed, "\(reading.id)")
        }
        #expect(!backend.play("adyen.tip.nobody"))
        #expect(SandboxRegistry.unplayed.contains("adyen.expire.expires"))
    }
}
