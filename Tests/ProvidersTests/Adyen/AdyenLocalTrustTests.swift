import PaymentAbstraction
import PaymentBase
import PaymentTestTill
import PaymentTransport
import Testing

@testable import AdyenProvider
@testable import PaymentProviderKit

/// Whom a till believes on the shop's own network.
@Suite struct AdyenLocalTrustTests {
    /// Answers nothing and keeps what it was asked to send.
    private final class Listening: HTTPTransport {
        let heard = Locked([HTTPRequest]())
        var sendLimitMilliseconds: Int64? { 0 }

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            heard.withLock { $0.append(request) }
            throw .notSent(.tlsFailed)
        }
    }

    private func heard(_ change: (inout AdyenConfiguration) -> Void) throws -> [HTTPRequest] {
        let (till, transport) = (AdyenTill(), Listening())
        let client = try till.client(over: transport) { configuration in
            configuration.link = .local
            change(&configuration)
        }
        try till.play {
            let error = await #expect(throws: PaymentError.self) {
                try await client.sale(Money("5.00", .eur), from: .reader, reference: "order-1")
            }
            #expect(error?.outcome == .notExecuted)
        }
        return transport.heard.withLock { $0 }
    }

    @Test func aTerminalIsTrustedByTheProvidersRootsAndTheRuleOfItsNames() throws {
        let requests = try heard { $0.terminalRoots = "-----BEGIN CERTIFICATE-----" }
        #expect(!requests.isEmpty)
        for request in requests {
            let trust = try #require(request.trust)
            #expect(trust.roots == "-----BEGIN CERTIFICATE-----")
            #expect(trust.name == TerminalCertificate.trust(roots: "", environment: "test").name)
        }
        let rule = TerminalCertificate.trust(roots: "", environment: "test").name
        #expect(rule.accepts("V400m-324688042.test.terminal.adyen.com"))
        #expect(rule.accepts("legacy-terminal-certificate.test.terminal.adyen.com"))
        #expect(!rule.accepts("V400m-324688042.live.terminal.adyen.com"))
        #expect(!rule.accepts("V400m-324688042.test.terminal.adyen.com.example"))
    }

    @Test func withoutRootsTheMachinesOwnCount() throws {
        #expect(try heard { _ in }.allSatisfy { $0.trust == nil })
    }

    @Test func aLocalTerminalOverTLSNeedsTheRoots() async throws {
        func refusal(_ more: String) async -> String {
            let text = """
                {"active": "a", "journal": {"kind": "memory"}, "providers": {"a": {"adapter": "adyen",
                  "environment": "test", "merchant": "M", "endpoint": "https://192.0.2.17:8443",
                  "settings": {"terminal": "V400m-324688042", "link": "local"},
                  "credentials": {"apiKey": "env:K", "passphrase": "env:P"\(more)}}}}
                """
            do {
                let read = try ConfigurationReader(ProviderRegistry([.adyen])).read(Array(text.utf8), file: "f")
                _ = try await read.drivers(
                    ProviderDependencies(transport: Listening()),
                    secrets: FixedSecrets(values: ["K": "k".secret, "P": "p".secret]))
                return ""
            } catch { return error.detail }
        }
        #expect(await refusal("").contains("terminalRoots is missing"))
        #expect(await refusal(", \"terminalRoots\": \"env:K\"").contains("terminalRoots") == false)
    }
}
