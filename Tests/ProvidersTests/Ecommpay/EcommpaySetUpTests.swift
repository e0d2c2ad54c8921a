import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentLinux
import PaymentModel
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import EcommpayProvider

/// The provider's test project, and what one payment says beside the configuration.
@Suite struct EcommpaySetUpTests {
    private static func configured(_ environment: String) throws -> EcommpayConfiguration {
        let text = """
            {"active":"p","journal":{"kind":"memory"},"providers":{"p":{"adapter":"ecommpay",\
            "environment":"\(environment)","merchant":"1234","credentials":{"secret":"env:SECRET"}}}}
            """
        let read = try ConfigurationReader(ProviderRegistry([.ecommpay])).read(Array(text.utf8), file: "providers.json")
        let provider = try #require(read.providers.first)
        #expect(provider.environment == environment && !provider.identity.environment.isEmpty)
        var configuration = EcommpayConfiguration(gate: provider.endpoint, project: 1_234)
        configuration.environment = provider.environment
        return configuration
    }

    /// Test and live are two projects on one host: what the journal calls them is all that distinguishes them.
    @Test func testProject_isAWorldOfItsOwnOnTheSameHosts() throws {
        let (test, live) = (try Self.configured("test"), try Self.configured("production"))
        #expect(test.gate == live.gate && test.environment != live.environment)
        let worlds = ProviderDefinition.ecommpay.environments.filter { $0.name != "simulated" }
        #expect(worlds.map(\.name).sorted() == ["production", "test"])
        #expect(Set(worlds.map(\.endpoint)).count == 1 && worlds.allSatisfy { !$0.allowsPlainHTTP })
    }

    /// One customer's region, beside a configured one for all.
    @Test(arguments: [EcommpayConfiguration.Integration.session, .page])
    func regionOfOnePayment_comesBeforeTheConfiguredOne(_ link: EcommpayConfiguration.Integration) throws {
        var configuration = EcommpayConfiguration(gate: Origin(.https, "gate.example"), project: 1)
        configuration.region = "GB"
        var order = EcommpayMapping.Order(try EcommpayTill.request())
        func region() throws -> String? {
            let id = try AttemptID("a-1")
            let body =
                link == .page
                ? try EcommpayMapping.page(.sale, order, id, until: 1_767_225_600_000, configuration)
                : EcommpayMapping.session(order, id, configuration)
            return body["region_code"]?.string
        }
        #expect(try region() == "GB")
        order.extras.region = "DE"
        #expect(try region() == "DE")
    }
}
