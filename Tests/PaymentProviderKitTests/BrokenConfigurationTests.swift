import AllProviders
import Foundation
import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentTestTill
import PaymentTransport
import Testing

@Suite struct BrokenConfigurationTests {
    /// What reading a file and making its drivers ends with.
    private func failure(_ bytes: [UInt8], file: String) async -> PaymentError? {
        do {
            let configuration = try ConfigurationReader(AcmeEntry.registry).read(bytes, file: file)
            _ = try await configuration.drivers(
                ProviderDependencies(transport: FixedTransport.none),
                secrets: FixedSecrets(values: ["ACME_KEY": "k".secret]))
            return nil
        } catch {
            return error
        }
    }

    @Test func thereAreManyOfThem() { #expect(ConfigurationFixture.broken.count >= 40) }

    @Test(arguments: ConfigurationFixture.broken)
    func aBrokenFileSaysWhatIsWrong(_ fixture: ConfigurationFixture) async throws {
        let error = try #require(await failure(try fixture.bytes(), file: fixture.name + ".json"))
        #expect(error.code == .configuration)
        #expect(error.outcome == .notExecuted)
        #expect(try fixture.expected(error.detail) == error.detail + "\n")
        #expect(!error.message.contains(ConfigurationFixture.planted))
        let lines = error.detail.split(separator: "\n")
        #expect(lines.count >= 2 && lines.count <= 22)
        let place = try Regex("^\(fixture.name)[.]json:[0-9]+(:[0-9]+: .{10,}| more problems)")
        for line in lines.dropFirst() { #expect(line.contains(place) || line.contains("more problems"), "\(line)") }
        for line in lines { #expect(!line.contains { $0.isNewline || $0.asciiValue.map { $0 < 32 } ?? false }) }
    }

    @Test func twentyProblemsAreListedAndTheRestCounted() async throws {
        let fixture = ConfigurationFixture(name: "33-too-many")
        let error = try #require(await failure(try fixture.bytes(), file: "f"))
        #expect(error.detail.split(separator: "\n").count == 22)
        #expect(error.detail.hasPrefix("f has 33 problems"))
        #expect(error.detail.hasSuffix("f: 13 more problems are not listed; mend these first."))
    }

    @Test func aSecretInThePlaceOfAnyValueOfCredentialsIsNeverShown() async throws {
        let values = [
            "\"PLANTED\"", "\"env:PLANTED value\"", "\"env:planted_PLANTED\"", "\"file:\\nPLANTED\"", "7777PLANTED",
            "[\"PLANTED\"]", "{\"PLANTED\": 1}", "\"command:'PLANTED'\"", "\"url:PLANTED\"",
            "\"url:https://PLANTED@x/\"",
            "\"ENV:PLANTED\"", "\"command:nothing PLANTED\"", "\"url:https://x/?k=PLANTED#a b\"", "\"PLANTED",
            "PLANTED\"",
            "\"\\xPLANTED\"", "\"PLANTED\" \"PLANTED\"", "-PLANTED", "\"PLANTED\"}",
        ]
        for value in values {
            let text = """
                { "active": "a", "journal": { "kind": "memory" }, "providers": { "a": {
                  "adapter": "acme", "environment": "test", "merchant": "42",
                  "settings": { "terminal": "T", "region": "eu" }, "credentials": { "apiKey": \(value) } } } }
                """
            let error = try #require(await failure(Array(text.utf8), file: "f"), "\(value)")
            #expect(!error.message.contains("PLANTED"), "\(value): \(error.message)")
        }
    }

    @Test func aSecretUnderAnUnknownOrDelicateNameIsNeverShown() async throws {
        for member in ["\"pasword\": \"PLANTED\"", "\"apikey\": \"PLANTED\"", "\"merchantKey\": {\"PLANTED\": 1}"] {
            let text = """
                { "active": "a", \(member), "providers": { "a": { \(member),
                  "adapter": "acme", "environment": "test", "merchant": "42",
                  "settings": { \(member), "terminal": "T", "region": "eu" }, "credentials": { \(member) } } } }
                """
            let error = try #require(await failure(Array(text.utf8), file: "f"))
            #expect(!error.message.contains("PLANTED"), "\(error.message)")
        }
    }

    @Test func everyByteThatIsChangedGivesAnErrorOrAConfiguration() async throws {
        let bytes = [UInt8](try Data(contentsOf: ConfigurationFixture.folder.appending(path: "valid.json")))
        for index in stride(from: 0, to: bytes.count, by: 3) {
            for byte in [UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "0"), 0xFF] {
                var changed = bytes
                changed[index] = byte
                if let error = await failure(changed, file: "f") { #expect(error.code == .configuration) }
            }
        }
    }

    @Test func aFileFullOfProblemsIsReadOnce() async throws {
        let members = (0..<2_000).map { "\"wrong\($0)\": 1" }.joined(separator: ",\n")
        let error = try #require(await failure(Array("{\n\(members)\n}".utf8), file: "f"))
        #expect(error.detail.hasPrefix("f has 2003 problems"))
        #expect(error.detail.split(separator: "\n").count == 22)
    }

    @Test func anAdapterThatShowsItsCredentialIsScrubbed() async throws {
        let entry = AcmeEntry.entry { settings, _ throws(PaymentError) in
            let key = try settings[.apiKey].expose()
            throw PaymentError(.configuration, outcome: .notExecuted, detail: "the key \(key) is\nno good")
        }
        let bytes = [UInt8](try Data(contentsOf: ConfigurationFixture.folder.appending(path: "valid.json")))
        let configuration = try ConfigurationReader(.builtin + [entry]).read(bytes, file: "f")
        let error = await #expect(throws: PaymentError.self) {
            try await configuration.drivers(
                ProviderDependencies(transport: FixedTransport.none),
                secrets: FixedSecrets(values: ["ACME_KEY": "PLANTED".secret]))
        }
        #expect(error?.detail.hasSuffix("the adapter acme refused it: the key <secret> is no good") == true)
    }

    @Test func aFileThatIsTooLargeIsRefused() async throws {
        let bytes = [UInt8](repeating: UInt8(ascii: " "), count: 1_024 * 1_024 + 1)
        let error = try #require(await failure(bytes, file: "f"))
        #expect(error.detail.contains("more than 1048576 bytes"))
    }
}
