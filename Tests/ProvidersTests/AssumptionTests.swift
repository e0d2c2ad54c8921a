import ARISEProvider
import AdyenProvider
import EcommpayProvider
import HaloProvider
import NetworkInternationalProvider
import PaymentProviderKit
import PaymentSimulator
import Testing

/// What the adapters take for granted, against what the simulated providers play.
@Suite struct AssumptionTests {
    private static let entries: [ProviderDefinition] = [.adyen, .arise, .ecommpay, .halo, .ni]
    private static let adapters = entries.map(\.adapter)

    private static func entry(_ name: String) throws -> ProviderDefinition {
        try #require(entries.first { $0.adapter == name })
    }

    /// The adapter's list is written beside the adapter, the sandbox's beside the simulated company: the same places,
    /// and the adapter takes for granted what is played when nothing is named.
    @Test(arguments: adapters) func whatTheAdapterTakesForGrantedIsWhatIsPlayed(_ name: String) throws {
        let assumed = try Self.entry(name).assumptions.map(\.id)
        let usual = SimulatorRegistry.readings.filter { $0.isUsual && $0.place.hasPrefix(name + ".") }.map(\.id)
        #expect(Set(assumed) == Set(usual))
        #expect(assumed.count == usual.count)
    }

    @Test(arguments: adapters) func everySettingOfOursThatIsNamedIsThere(_ name: String) throws {
        let entry = try Self.entry(name)
        let keys = Set(entry.settings.map(\.key) + entry.credentials.map(\.key) + ["currencies", "endpoint"])
        for one in entry.assumptions {
            // Settings of the provider's say whose they are.
            guard let setting = one.setting, !setting.contains("(") else { continue }
            #expect(keys.contains(setting), "\(one.id) names \(setting)")
        }
    }
}
