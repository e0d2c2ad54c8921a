import EcommpayProvider
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentProviderKit
import Testing

/// What `payctl doctor` says of a configuration that is allowed and surprises.
@Suite struct CautionTests {
    private static func cautions(_ provider: String, of entry: ProviderDefinition) throws -> [String] {
        let text = "{\"active\":\"p\",\"journal\":{\"kind\":\"memory\"},\"providers\":{\"p\":\(provider)}}"
        let read = try ConfigurationReader(ProviderRegistry([entry])).read(Array(text.utf8), file: "providers.json")
        return read.providers.flatMap { $0.entry.cautions($0) }
    }

    private static func ecommpay(_ environment: String, _ settings: String) -> String {
        """
        {"adapter":"ecommpay","environment":"\(environment)","merchant":"1234","settings":{\(settings)},\
        "credentials":{"secret":"env:SECRET"}}
        """
    }

    @Test func oneAddressForAllCustomers_isCautionedAgainst() throws {
        let settings = #""customerIpAddress":"198.51.100.47""#
        let found = try Self.cautions(Self.ecommpay("production", settings), of: .ecommpay)
        #expect(found.count == 1 && found.first?.contains("customerIpAddress") == true, "\(found)")
        #expect(try Self.cautions(Self.ecommpay("production", ""), of: .ecommpay).isEmpty)
        #expect(try Self.cautions(Self.ecommpay("simulated", settings), of: .ecommpay).isEmpty)
    }
}
