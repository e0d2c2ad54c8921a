import ARISEProvider
import AdyenProvider
import EcommpayProvider
import Foundation
import HaloProvider
import MemoryProvider
import NetworkInternationalProvider
import PaymentBase
import PaymentCore
import PaymentModel
import PaymentProviderKit
import PaymentSimulator
import PaymentTransport
import Testing

@testable import PaymentDriverKit

/// Which way exists at which environment, as each adapter says.
@Suite struct ProviderLinkTests {
    private static let entries: [ProviderDefinition] = [.adyen, .arise, .ecommpay, .halo, .ni]

    @Test func everyValueOfTheSettingLink_isDescribed() {
        for entry in Self.entries {
            let setting = entry.settings.first { $0.key == "link" }
            guard case .choice(let words)? = setting?.kind else {
                Issue.record("\(entry.adapter) has no setting link")
                continue
            }
            #expect(Set(entry.links.map(\.name)) == Set(words), "\(entry.adapter)")
        }
        #expect(ProviderDefinition.memory.links.isEmpty)
    }

    @Test func everyEnvironmentOfALink_isOneOfTheProviders_andEachRealOneHasAWay() {
        for entry in Self.entries {
            let names = Set(entry.environments.map(\.name))
            for link in entry.links {
                #expect(Set(link.environments).isSubset(of: names), "\(entry.adapter) \(link.name)")
                #expect(Set(link.limits.keys).isSubset(of: Set(link.environments)), "\(entry.adapter) \(link.name)")
                let isReal = entry.environments.contains {
                    !$0.allowsPlainHTTP && link.environments.contains($0.name)
                }
                #expect(isReal == (link.kind != .simulated), "\(entry.adapter) \(link.name)")
            }
            for environment in entry.environments where !environment.allowsPlainHTTP {
                #expect(
                    entry.links.contains { $0.kind != .simulated && $0.environments.contains(environment.name) },
                    "\(entry.adapter) \(environment.name)")
            }
        }
    }

    /// A file to start from has the way by which a real provider takes taps.
    @Test(arguments: ["arise", "halo", "ni"]) func startingFile_ofARealEnvironment_expectsTheSDK(_ adapter: String)
        throws
    {
        let entry = try #require(Self.entries.first { $0.adapter == adapter })
        for environment in entry.environments where !environment.allowsPlainHTTP {
            #expect(environment.expected["link"] == "kit")
        }
    }

    private static func arise(_ environment: String, _ link: ARISEConfiguration.Integration) -> ARISEDriver {
        var configuration = ARISEConfiguration(
            environment: environment, endpoint: Origin(.https, "api.example"), oauth: Origin(.https, "oauth.example"),
            clientID: "c", clientSecret: Secret("s"))
        configuration.link = link
        return ARISEDriver(configuration, InProcessTransport([:]), crypto: UnavailableCrypto())
    }

    /// ARISE publishes no path for taps, so that no real payment is ever sent to one.
    @Test func arisesProduction_withAnOwnReader_takesNoTaps() async throws {
        let driver = Self.arise("production", .reader)
        #expect(driver.capabilities.sources == [.card, .external, .saved, .bank])
        #expect(Self.arise("production", .mobile).capabilities.sources.contains(.reader))
        #expect(Self.arise("uat", .reader).capabilities.sources.contains(.reader))
        let client = try PaymentClient(driver, ClientOptions(journal: .memory))
        let table = try client.provider(driver.identity.id).capabilityTable
        #expect(!table["source.reader"] && !table["reader"] && table["source.card"] && table["refund"])
        let error = await #expect(throws: PaymentError.self) {
            try await client.sale(Money("10.00", .usd), from: .reader, reference: "o-1")
        }
        #expect(error?.code == .unsupported && error?.outcome == .notExecuted)
        #expect(client.reader == nil)
    }
}
