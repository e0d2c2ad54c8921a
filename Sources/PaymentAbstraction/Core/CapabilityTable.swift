internal import PaymentDriverKit

extension ProviderClient {
    /// What a provider has, as names and yes or no: the row of a comparison.
    public struct CapabilityTable: Hashable, Sendable {
        /// One name with its answer.
        public struct Entry: Hashable, Sendable {
            /// The name, the same for every provider.
            public let name: String
            /// Whether the provider has it.
            public let isSupported: Bool
        }

        /// All entries, always the same names in the same order.
        public let entries: [Entry]

        /// Whether a name is there.
        public subscript(name: String) -> Bool { entries.contains { $0.name == name && $0.isSupported } }

        init(_ provider: ProviderRuntime) {
            let capabilities = provider.driver.capabilities
            var entries: [Entry] = []
            func add(_ name: String, _ isThere: Bool) { entries.append(Entry(name: name, isSupported: isThere)) }
            for kind in PaymentSource.Kind.allCases {
                add("source.\(kind.rawValue)", provider.sale != nil && capabilities.sources.contains(kind))
            }
            add("sale", provider.sale != nil)
            add("authorize", provider.authorization != nil)
            add("capture.partial", provider.authorization != nil && capabilities.partialCapture)
            add("capture.several", provider.authorization != nil && capabilities.captureRule == .multiple)
            add("adjust", provider.adjustment != nil)
            add("void", provider.void != nil)
            add("refund", provider.refund != nil)
            add("refund.partial", provider.refund != nil && capabilities.partialRefund)
            add("refund.unlinked", provider.unlinkedRefund != nil)
            add("tip.adjust", provider.tipAdjustment != nil)
            for feature in RequestFeature.allCases {
                add("request.\(feature.rawValue)", capabilities.features.contains(feature))
            }
            let checks = !capabilities.verificationSources.isEmpty
            add("verify", checks && provider.verification != nil)
            add("tokenize", checks && provider.tokenization != nil)
            add("debit", provider.cardOnFile != nil)
            add("details", provider.details != nil)
            add("list", provider.list != nil)
            add("pricing", provider.pricing != nil)
            add("settings", provider.settings != nil)
            add("devices", provider.devices != nil)
            add("saved", provider.saved != nil)
            add("offline", provider.capabilities.approvesOffline)
            add("reader", provider.readerQueue != nil)
            add("session", provider.access != nil)
            add("webhooks", provider.webhooks != nil)
            self.entries = entries
        }
    }
}
