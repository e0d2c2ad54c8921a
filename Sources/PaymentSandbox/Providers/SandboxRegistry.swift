internal import PaymentLinux

/// The providers that come with the package, by name; a new one adds its line.
public enum SandboxRegistry {
    /// One provider that can be opened.
    public struct Entry: Sendable {
        /// What it is called.
        public let name: String
        /// Its cards by name.
        public let cards: [TestCard]
        /// Opens it.
        public let open: @Sendable (SandboxClock) -> any SimulatedProvider

        /// Names a provider and says how it is opened.
        public init(
            name: String, cards: [TestCard] = TestCard.usual,
            open: @escaping @Sendable (SandboxClock) -> any SimulatedProvider
        ) {
            (self.name, self.cards, self.open) = (name, cards, open)
        }
    }

    /// All providers, in the order of their names.
    public static let entries: [Entry] = [
        Entry(name: "adyen", cards: AdyenBackend.terminalCards) { AdyenBackend(clock: $0, crypto: OpenSSLCrypto()) },
        Entry(name: "arise") { ARISEBackend(clock: $0) },
        Entry(name: "ecommpay", cards: TestCard.ecommpay) { EcommpayBackend(clock: $0, crypto: OpenSSLCrypto()) },
        Entry(name: "halo") { HaloBackend(clock: $0) },
        Entry(name: "memory") { MemoryBackend(clock: $0) },
        Entry(name: "ni") { NIBackend(clock: $0) },
    ]
}
