internal import PaymentLinux

/// The providers that come with the package, by name; a new one adds its line.
public enum SimulatorRegistry {
    /// One provider that can be opened.
    public struct Entry: Sendable {
        /// What it is called.
        public let name: String
        /// Its cards by name.
        public let cards: [TestCard]
        /// Opens it.
        public let open: @Sendable (SimulatorClock) -> any SimulatedProvider

        /// Names a provider and says how it is opened.
        public init(
            name: String, cards: [TestCard] = TestCard.usual,
            open: @escaping @Sendable (SimulatorClock) -> any SimulatedProvider
        ) {
            (self.name, self.cards, self.open) = (name, cards, open)
        }
    }

    /// All providers, in the order of their names.
    public static let entries: [Entry] = [
        Entry(name: "adyen", cards: AdyenSimulator.terminalCards) {
            AdyenSimulator(clock: $0, crypto: OpenSSLCrypto())
        },
        Entry(name: "arise") { ARISESimulator(clock: $0) },
        Entry(name: "ecommpay", cards: TestCard.ecommpay) { EcommpaySimulator(clock: $0, crypto: OpenSSLCrypto()) },
        Entry(name: "halo") { HaloSimulator(clock: $0) },
        Entry(name: "memory") { MemoryBackend(clock: $0) },
        Entry(name: "ni") { NISimulator(clock: $0) },
    ]
}
