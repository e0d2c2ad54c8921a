import Foundation
import PaymentAbstraction
import PaymentBase
import PaymentLinux
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport

@testable import AdyenProvider
@testable import PaymentProviderKit

extension NexoCrypto {
    /// Encrypts a message as it would be written.
    func seal(_ message: JSON) throws -> JSON { try seal(message.bytes()) }
}

/// A stage with the Adyen provider, a driver over one way to its terminal, and a client.
struct AdyenTill: Sendable {
    static let origin = Origin(.http, "adyen.test")

    let scheduler: TestScheduler
    let backend: AdyenSimulator
    let plan = FaultPlan()
    let journal = InMemoryJournal()
    /// Where all clients of the till draw from: two clients never draw the same id.
    let random: SeededRandom

    init() {
        scheduler = TestScheduler()
        backend = AdyenSimulator(clock: scheduler, crypto: OpenSSLCrypto())
        random = SeededRandom(seed: 1)
    }

    /// Another shop on the same account and terminal, with a journal of its own.
    init(sharing other: AdyenTill) {
        (scheduler, backend, random) = (other.scheduler, other.backend, other.random)
    }

    var configuration: AdyenConfiguration {
        var configuration = AdyenConfiguration(
            endpoint: Self.origin, checkout: WebURL(Self.origin, "/v72"), merchant: backend.merchant,
            apiKey: backend.apiKey, terminal: AdyenSimulator.terminal)
        configuration.webhookKeys = [backend.webhookKey]
        configuration.passphrase = backend.passphrase
        configuration.treatsNotFoundAsProof = true
        return configuration
    }

    var transport: any HTTPTransport {
        let injector = FaultInjector(backend, plan: plan, clock: scheduler, judge: JudgedService.judge())
        return InProcessTransport([Self.origin: injector], clock: scheduler)
    }

    func driver(
        over transport: (any HTTPTransport)? = nil, _ change: (inout AdyenConfiguration) -> Void = { _ in }
    ) throws -> any AdyenTerminalDriver {
        var configuration = configuration
        change(&configuration)
        return try configuration.driver(transport ?? self.transport, OpenSSLCrypto())
    }

    func client(
        _ answers: QuestionHandlers = QuestionHandlers(), over transport: (any HTTPTransport)? = nil,
        _ change: (inout AdyenConfiguration) -> Void = { _ in }
    ) throws -> PaymentClient {
        var given = ClientOptions(journal: journal)
        (given.clock, given.executor, given.answers) = (scheduler, scheduler, answers)
        given.random = random
        return try PaymentClient(try driver(over: transport, change), given)
    }

    func play<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        try scheduler.run(body)
    }

    /// Delivers everything that the provider has sent out, in an order and as often as the test wants.
    func deliver(_ messages: [OutgoingWebhook], to client: PaymentClient) async throws {
        for message in messages {
            try await client.receiveWebhook(message.body, headers: message.headers, from: "adyen")
        }
    }

    static func fixture(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/Adyen")
        return [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    static func json(_ text: String) throws -> JSON { try JSONReader().read(Array(text.utf8)) }
}
