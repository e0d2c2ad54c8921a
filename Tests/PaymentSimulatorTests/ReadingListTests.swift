import PaymentBase
import PaymentLinux
import PaymentSimulator
import Testing

/// The lists of what the documents leave open.
@Suite struct ReadingListTests {
    /// What each list has to have, by the tables that they were made from.
    private static let counts: [(provider: String, places: Int, readings: Int)] = [
        ("adyen", 62, 198), ("arise", 66, 213), ("ecommpay", 59, 169), ("halo", 43, 138), ("ni", 45, 147),
    ]
    private static let providers: [any VariantProvider] = [
        AdyenSimulator(clock: StillClock(), crypto: OpenSSLCrypto()),
        ARISESimulator(clock: StillClock()), EcommpaySimulator(clock: StillClock(), crypto: OpenSSLCrypto()),
        HaloSimulator(clock: StillClock()),
        NISimulator(clock: StillClock()),
    ]

    @Test(arguments: providers.map(\.name))
    func everyPlaceHasSeveralReadingsAndOneThatIsUsual(_ name: String) throws {
        let list = SimulatorRegistry.readings.filter { $0.place.hasPrefix(name + ".") }
        for (place, readings) in Dictionary(grouping: list, by: \.place) {
            #expect(readings.count > 1, "\(place)")
            #expect(readings.count(where: \.isUsual) == 1, "\(place)")
        }
        let counts = try #require(Self.counts.first { $0.provider == name })
        #expect(Set(list.map(\.id)).count == list.count)
        #expect(Set(list.map(\.place)).count == counts.places)
        #expect(list.count == counts.readings)
    }

    @Test(arguments: providers.map(\.name)) func whatIsListedAsPlayedCanBePlayedAndNothingElse(_ name: String) throws {
        let provider = try #require(Self.providers.first { $0.name == name })
        let readings = type(of: provider).readings
        for reading in readings {
            let isPlayed = provider.play(reading.id)
            #expect(isPlayed == reading.isPlayed, "\(reading.id)")
        }
        #expect(readings.count(where: \.isPlayed) > readings.count / 2)
        let isKnown = provider.play("\(name).nowhere/2")
        #expect(!isKnown)
    }

    @Test func whatCannotBePlayedIsKnown() {
        #expect(SimulatorRegistry.unplayed.contains("adyen.expire.expires"))
    }
}
