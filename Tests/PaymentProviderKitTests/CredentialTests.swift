import AllProviders
import Foundation
import PaymentProviderKit
import PaymentTestTill
import Testing

@Suite struct CredentialTests {
    private static let good = ["ACME_KEY": Secret("k"), "TILL_TOKEN": Secret("t")]

    /// Makes the drivers of a file with one Acme provider, and gives the settings that it got.
    private func settings(
        _ credentials: String, _ change: (inout ProviderDependencies) -> Void = { _ in },
        values: [String: Secret] = good
    ) async throws -> ProviderSettings {
        let seen = Locked([ProviderSettings]())
        let entry = AcmeEntry.entry { settings, _ throws(PaymentError) in seen.withLock { $0.append(settings) } }
        let text = """
            { "active": "a", "journal": { "kind": "memory" }, "providers": { "a": {
              "adapter": "acme", "environment": "test", "merchant": "42",
              "settings": { "terminal": "T", "region": "eu" }, "credentials": { \(credentials) } } } }
            """
        var tools = ProviderDependencies(transport: FixedTransport.none)
        change(&tools)
        let configuration = try ConfigurationReader(.builtin + [entry]).read(Array(text.utf8), file: "f")
        _ = try await configuration.drivers(tools, secrets: FixedSecrets(values: values))
        return try #require(seen.withLock { $0.first })
    }

    /// The error that asking an address ends with, or the token.
    private func token(
        _ reference: String, _ response: @escaping @Sendable () throws(TransportFailure) -> HTTPResponse
    ) async throws -> Result<String, PaymentError> {
        let transport = FixedTransport { _ throws(TransportFailure) in try response() }
        let settings = try await settings("\"apiKey\": \"env:ACME_KEY\", \"token\": \"\(reference)\"") {
            $0.transport = transport
        }
        #expect(transport.requests.isEmpty, "an address is asked only when its token is needed")
        let result: Result<String, PaymentError>
        let source = try #require(try settings[.token])
        do { result = .success(try await source.secret().expose()) } catch {
            result = .failure(error)
        }
        #expect(transport.requests.map(\.target) == ["/till?x=1"])
        #expect(transport.requests.map(\.origin) == [Origin(.https, "tokens.example")])
        return result
    }

    @Test(arguments: [
        ("", "{\"token\": \"abc\", \"access_token\": \"no\"}", "abc"), ("", "{\"access_token\": \"abc\"}", "abc"),
        ("#jwt", "{\"token\": \"no\", \"jwt\": \"abc\"}", "abc"), ("", "abc\n", "abc"), ("", "abc\r\n", "abc"),
        ("", "\"abc\"", "abc"), ("", "12345", "12345"), ("", "eyJ.x-_.y", "eyJ.x-_.y"),
    ])
    func anAddressGivesATokenAsJSONOrText(_ member: String, _ body: String, _ expected: String) async throws {
        let result = try await token("url:https://tokens.example/till?x=1\(member)") { () throws(TransportFailure) in
            HTTPResponse(200, body: Array(body.utf8))
        }
        #expect(try result.get() == expected)
    }

    @Test(arguments: [
        (200, "", "holds no token"), (200, "{\"jwt\": \"abc\"}", "no text under token or access_token"),
        (200, "two words", "holds no token"), (200, "a\nb", "holds no token"), (200, "{\"token\": 5}", "no text under"),
        (401, "{\"token\": \"PLANTED\"}", "status 401"), (302, "", "status 302"),
        (200, "PLANTED \u{7}", "holds no token"),
    ])
    func anAddressThatGivesNoneSaysSo(_ status: Int, _ body: String, _ words: String) async throws {
        let result = try await token("url:https://tokens.example/till?x=1") { () throws(TransportFailure) in
            HTTPResponse(status, body: Array(body.utf8))
        }
        let error = #expect(throws: PaymentError.self) { try result.get() }
        #expect(error?.code == .authentication && error?.outcome == .notExecuted)
        #expect(error?.detail.contains(words) == true, "\(error?.detail ?? "")")
        #expect(error?.detail.contains("PLANTED") == false && error?.detail.contains("x=1") == false)
    }

    @Test func anAddressOutOfReachIsANetworkError() async throws {
        let result = try await token("url:https://tokens.example/till?x=1") { () throws(TransportFailure) in
            throw .maybeSent(.other)
        }
        let error = #expect(throws: PaymentError.self) { try result.get() }
        #expect(error == PaymentError(.network, outcome: .notExecuted))
    }

    @Test func theApplicationsTokenProviderGoesBeforeTheFile() async throws {
        let count = Locked(0)
        let settings = try await settings("\"apiKey\": \"env:ACME_KEY\", \"token\": \"env:NOT_SET\"") {
            $0.tokenProviders["a"] = {
                Secret("token \(count.withLock { count in count += 1; return count })")
            }
        }
        let source = try #require(try settings[.token])
        #expect(try await source.secret().expose() == "token 1")
        #expect(try await source.secret().expose() == "token 2")
    }

    @Test func aTokenProviderThatThrowsShowsNothing() async throws {
        struct PlantedError: Error { let secret = "PLANTED" }
        let settings = try await settings("\"apiKey\": \"env:ACME_KEY\"") {
            $0.tokenProviders["a"] = { throw PlantedError() }
        }
        let source = try #require(try settings[.token])
        let error = await #expect(throws: PaymentError.self) { try await source.secret() }
        #expect(error?.code == .authentication)
        #expect(error?.detail == "no token came from the application's token provider for a: PlantedError")
    }

    @Test func signerForAnUnknownCredential_isAnError() async throws {
        let error = await #expect(throws: PaymentError.self) {
            try await settings("\"apiKey\": \"env:ACME_KEY\"") { $0.signers["A1"] = { _ in Secret("s") } }
        }
        #expect(error?.detail.contains("gives a signer to \"A1\", expected \"a\"") == true, "\(error?.detail ?? "")")
    }

    @Test func aFreshTokenIsCheckedAtOpenAndFollowedAgain() async throws {
        let credentials = "\"apiKey\": \"env:ACME_KEY\", \"token\": \"env:TILL_TOKEN\""
        let source = try #require(try await settings(credentials)[.token])
        #expect(try await source.secret().expose() == "t")
        let error = await #expect(throws: PaymentError.self) {
            try await settings(credentials, values: ["ACME_KEY": Secret("k")])
        }
        #expect(error?.detail.contains("env:TILL_TOKEN led to nothing: the variable is not set") == true)
    }

    @Test func anEmptyCredentialIsNone() async throws {
        let error = await #expect(throws: PaymentError.self) {
            try await settings("\"apiKey\": \"env:ACME_KEY\"", values: ["ACME_KEY": Secret("")])
        }
        #expect(error?.detail.contains("f:3") == true)
        #expect(error?.detail.contains("env:ACME_KEY is empty") == true)
    }

    @Test func referencesShowNoArgumentsAndNoQuery() throws {
        let command = SecretReference.command(["vault", "-key", "PLANTED"])
        let address = try #require(WebURL("https://x.example/a?key=PLANTED"))
        for reference in [command, .address(address, member: "jwt")] {
            var text = ""
            dump(reference, to: &text)
            #expect(!"\(reference) \(String(reflecting: reference)) \(text)".contains("PLANTED"))
        }
        #expect("\(command)" == "command:vault …")
        #expect("\(SecretReference.address(address, member: "jwt"))" == "url:https://x.example:443/a#jwt")
    }

    @Test(arguments: ["http://127.0.0.1:8080/t", "http://localhost/t", "http://[::1]:1/t", "https://h.example/t"])
    func plainAddressesOfThisMachineAreAllowed(_ address: String) async throws {
        _ = try await settings("\"apiKey\": \"env:ACME_KEY\", \"token\": \"url:\(address)\"")
    }

    @Test(arguments: [
        "http://127.0.0.1.example/t", "http://10.0.0.1/t", "http://127.1/t", "http://127.0.0.1.5/t",
        "http://127.0.0.256/t",
        "http://h.example/t", "http://localhost.example/t", "ftp://h/t", "h",
    ])
    func otherPlainAddressesAreRefused(_ address: String) async throws {
        await #expect(throws: PaymentError.self) {
            try await settings("\"apiKey\": \"env:ACME_KEY\", \"token\": \"url:\(address)\"")
        }
    }
}

@Suite struct WebURLTests {
    @Test func partsAreRead() {
        #expect(WebURL("https://h.example/a/b?c=d") == WebURL(Origin(.https, "h.example"), "/a/b?c=d"))
        #expect(WebURL("http://H:8080") == WebURL(Origin(.http, "h", 8_080), "/"))
        #expect(WebURL("https://h?x=1") == WebURL(Origin(.https, "h"), "/?x=1"))
    }

    @Test(arguments: [
        "", "h", "https://", "https:///a", "https://u:p@h/", "https://h/ a", "https://h/a#b", "ftp://h/",
        "https://h\\@x/",
        "https://h/\u{7}", "https://h:0/", "https://h/ä",
    ])
    func othersAreRefused(_ text: String) { #expect(WebURL(text) == nil) }

    @Test func aLongOneIsRefused() {
        let text = "https://h/" + String(repeating: "a", count: WebURL.charactersMax)
        #expect(WebURL(text) == nil)
        #expect(WebURL(String(text.dropLast(10))) != nil)
    }
}
