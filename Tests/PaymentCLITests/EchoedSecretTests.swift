import Foundation
import MemoryProvider
import PaymentAbstraction
import PaymentBase
import PaymentCLI
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTransport
import Testing

/// A provider that says back what it was sent, in words that are longer than what is kept of them.
@Suite struct EchoedSecretTests {
    private static let configuration = """
        { "active": "echo", "deadlineMilliseconds": 180000,
          "providers": { "echo": { "adapter": "echo", "environment": "sandbox", "merchant": "m-1" } },
          "journal": { "kind": "sqlite", "path": "state:simulation.sqlite" } }
        """

    /// Declines every sale with words made of the card's number and the client's secret.
    private static func registry(
        _ words: @escaping @Sendable (_ number: String, _ secret: String) -> String
    ) -> CommandRegistry {
        let entry = ProviderDefinition(
            adapter: "echo", name: "Echo", environments: [.simulated("echo", as: "sandbox", merchant: "m-1")],
            merchant: "Any name.", errors: ErrorTable([])
        ) { settings, tools throws(PaymentError) in
            let secret = "memory-client-secret"
            let configuration = MemoryConfiguration(name: "echo", endpoint: settings.endpoint, secret: Secret(secret))
            let line = HookTransport(tools.transport) { (request, next) async throws(TransportFailure) in
                var response = try await next(request)
                guard request.target == "/payments", let sent = try? JSONReader().read(request.body),
                    let body = try? JSONReader().read(response.body)
                else { return response }
                let said = words(sent["source"]?["number"]?.string ?? "", secret)
                response.body = body.adding("state", "declined").adding("code", "05")
                    .adding("message", .string(said)).bytes()
                return response
            }
            return MemoryDriver(configuration, line)
        }
        let sandbox = SimulatorRegistry.Entry(name: "echo") { MemoryBackend(clock: $0, name: "echo") }
        return .builtin + [CommandRegistry.AddedProvider(entry, sandbox: sandbox)]
    }

    /// Everything that a sale leaves on the terminal, and what of it stands in the journal's files.
    private func traces(
        _ words: @escaping @Sendable (_ number: String, _ secret: String) -> String
    ) async throws -> (terminal: String, journal: String) {
        let shop = try CommandShop(Self.registry(words), configuration: Self.configuration)
        let card = #"{"number": "4539 5787 6362 1486", "month": 12, "year": 30, "code": "737"}"#
        let sale = await shop.run(
            "sale", "--unreferenced", "20.00", "EUR", "--card", "-", "--attempt", "echo-1", input: card)
        let show = await shop.run("show", "echo-1")
        let json = await shop.run("show", "echo-1", "--format", "json")
        #expect(sale.status == 1 && show.text.contains("declined"), "\(sale.errors) \(show.errors)")
        let terminal = [sale, show, json].flatMap { $0.out + $0.errors }.joined(separator: "\n")
        let files = try FileManager.default.contentsOfDirectory(atPath: shop.state).filter {
            $0.hasSuffix(".sqlite") || $0.hasSuffix("-wal")
        }
        let journal = try files.map { name in
            String(decoding: try Data(contentsOf: URL(filePath: "\(shop.state)/\(name)")), as: UTF8.self)
        }
        .joined()
        #expect(journal.contains("echo-1"))
        return (terminal, journal)
    }

    @Test func sale_cardNumberAcrossTheEndOfTheMessage_reachesNeitherTerminalNorJournal() async throws {
        let (terminal, journal) = try await traces { number, _ in
            String(repeating: "x", count: 1_009) + number + " was refused"
        }
        for count in [8, 12, 15, 16] {
            let part = "4539578763621486".prefix(count)
            #expect(!terminal.contains(part), "the terminal has \(count) digits")
            #expect(!journal.contains(part), "the journal has \(count) digits")
        }
    }

    @Test func sale_secretAcrossTheEndOfTheMessage_reachesNeitherTerminalNorJournal() async throws {
        let (terminal, journal) = try await traces { _, secret in
            String(repeating: "x", count: 1_024 - secret.count + 1) + secret
        }
        for count in [10, 19, 20] {
            let part = "memory-client-secret".prefix(count)
            #expect(!terminal.contains(part), "the terminal has \(count) letters")
            #expect(!journal.contains(part), "the journal has \(count) letters")
        }
    }
}
