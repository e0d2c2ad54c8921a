import AllProviders
import Foundation
import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentTestTill
import PaymentTransport
import Testing

@Suite struct SchemaTests {
    private static let root = ConfigurationFixture.repository

    private func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Self.root.appending(path: name)))
    }

    private func problems(_ json: JSON, _ registry: ProviderRegistry) throws -> [String] {
        try SchemaValidator(JSONReader().read(registry.schema())).problems(json)
    }

    @Test func theFileAtTheRootIsWhatTheRegistrySays() throws {
        let schema = ProviderRegistry.builtin.schema()
        let file = Self.root.appending(path: "providers.schema.json")
        if ConfigurationFixture.isRecording { try Data(schema).write(to: file) }
        #expect(try bytes("providers.schema.json") == schema)
    }

    @Test func theConfigurationAtTheRootFitsReaderAndSchemaAndNeedsNothing() async throws {
        let bytes = try bytes("providers.json")
        #expect(try problems(JSONReader().read(bytes), .builtin) == [])
        let configuration = try ConfigurationReader(.builtin).read(bytes, file: "providers.json")
        let drivers = try await configuration.drivers(
            ProviderDependencies(transport: FixedTransport.none), secrets: FixedSecrets())
        #expect(drivers.map(\.identity.adapter).sorted() == ProviderRegistry.builtin.adapters)
    }

    @Test func theValidFixtureFitsTheSchema() throws {
        #expect(
            try problems(JSONReader().read(try bytes("Tests/Fixtures/Configuration/valid.json")), AcmeEntry.registry)
                == [])
    }

    /// What the schema can't say: it spans members, needs the list of currencies, or is known only when opening.
    private static let beyond: Set<String> = [
        "09-unknown-active", "13-address-for-a-key", "21-endpoint-missing",
        "25-journal-without-path", "26-journal-with-path", "30-credentials-missing",
        "31-references-to-nothing", "32-adapter-refuses", "37-plain-token-address", "42-journal-postgres-nowhere",
    ]

    @Test(arguments: ConfigurationFixture.broken)
    func theSchemaRefusesWhatTheReaderRefuses(_ fixture: ConfigurationFixture) throws {
        guard let json = try? JSONReader().read(try fixture.bytes()) else { return }
        #expect(try problems(json, AcmeEntry.registry).isEmpty == Self.beyond.contains(fixture.name), "\(fixture)")
    }

    @Test func everyKeywordOfTheSchemaIsKnownToTheValidator() throws {
        let schema = try JSONReader().read(AcmeEntry.registry.schema())
        #expect(SchemaValidator(schema).unknownKeywords(schema) == [])
    }

    @Test func theValidatorItselfRefuses() throws {
        let schema: JSON = [
            "type": "object", "required": ["a"], "additionalProperties": false,
            "properties": ["a": ["type": "integer", "minimum": 1, "maximum": 3], "b": ["enum": ["x"]]],
        ]
        let validator = SchemaValidator(schema)
        #expect(validator.problems(["a": 2, "b": "x"]) == [])
        for broken: JSON in [["a": 0], ["a": 4], ["a": "2"], ["b": "x"], ["a": 2, "b": "y"], ["a": 2, "c": 1], 5] {
            #expect(validator.problems(broken) != [])
        }
    }
}
