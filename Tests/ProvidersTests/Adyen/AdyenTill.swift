import Foundation
import PaymentBase
import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentMobileSDKs
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

/// A phone with the vendor's kit in front of the simulated provider, and the merchant's server behind it.
struct AdyenKitTill: Sendable {
    let inner = AdyenTill()
    let kit: SimulatedAdyenSDK
    /// Whether the merchant's server carries requests to the back office.
    var hasServer = true
    /// Whether the phone is asked what became of a payment.
    var phoneStatus = AdyenConfiguration.PhoneStatus.notAsked

    var scheduler: TestScheduler { inner.scheduler }
    var backend: AdyenSimulator { inner.backend }

    /// - Parameter opensSessions: Whether the merchant's server opens sessions.
    init(opensSessions: Bool = true) {
        let sessions = AdyenSessions(
            at: WebURL(AdyenTill.origin, "/checkout/possdk/v68/sessions"), merchant: inner.backend.merchant,
            apiKey: opensSessions ? inner.backend.apiKey : Secret("wrong"), inner.transport)
        kit = SimulatedAdyenSDK(
            clock: inner.scheduler, transport: inner.transport, origin: AdyenTill.origin
        ) { token in try await sessions.data(for: token) }
    }

    var configuration: AdyenConfiguration {
        var configuration = AdyenConfiguration(
            endpoint: AdyenTill.origin, checkout: WebURL(AdyenTill.origin, "/v72"), merchant: backend.merchant,
            apiKey: nil, terminal: "")
        (configuration.link, configuration.phoneStatus) = (.mobile, phoneStatus)
        configuration.webhookKeys = [backend.webhookKey]
        return configuration
    }

    func client() throws -> PaymentClient {
        var given = ClientOptions(journal: inner.journal)
        (given.clock, given.executor) = (scheduler, scheduler)
        given.random = inner.random
        let server = hasServer ? OfficeServer(apiKey: backend.apiKey, inner: inner.transport) : nil
        // Whatever would go past the server has no key.
        let driver = try configuration.driver(inner.transport, OpenSSLCrypto(), kit: kit, server: server)
        return try PaymentClient(driver, given)
    }

    func play<Value: Sendable>(
        _ body: @escaping @Sendable (PaymentClient) async throws -> Value
    ) throws -> Value {
        let client = try client()
        return try scheduler.run { try await body(client) }
    }

    static func sale(_ client: PaymentClient, _ units: Int64 = 1_500, _ name: String = "a-1") async throws
        -> PaymentResult
    {
        try await client.sale(
            Money(minorUnits: units, .eur), from: .reader, reference: "order_\(name)", attempt: try AttemptID(name))
    }

    /// The result of a sale, in a word or two.
    func told(_ units: Int64 = 1_500) throws -> String {
        do {
            switch try play({ try await Self.sale($0, units) }) {
            case .approved: return "approved"
            case .declined: return "declined"
            case .cancelled: return "cancelled"
            case .pending: return "pending"
            }
        } catch let error as PaymentError { return "\(error.code.rawValue) \(error.outcome.rawValue)" }
    }

    var charged: [Int64] { backend.ledger.movements.map(\.amount.minorUnits) }
}

/// The merchant's server, which alone has the key.
struct OfficeServer: AdyenMerchantServer {
    let apiKey: Secret
    let inner: any HTTPTransport
    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        var request = request
        request.headers["X-API-Key"] = apiKey.expose()
        return try await inner.send(request)
    }
}
