import ARISEProvider
import Foundation
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentLinux
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// A client over the ARISE driver and the simulated provider, with everything that went over the line.
struct ARISEBench: ProviderTill {
    let scheduler: TestScheduler
    let backend: ARISESimulator
    let reader: SimulatedReader
    let requests = Locked([HTTPRequest]())
    var journal = InMemoryJournal()
    private let clientCount = Locked<UInt64>(0)
    let installations = InMemoryInstallationStore()
    var change: @Sendable (inout ARISEConfiguration) -> Void = { _ in }
    var answers = QuestionHandlers()
    /// Answers in the provider's place where it gives one.
    let overriding = Locked<@Sendable (HTTPRequest) -> HTTPResponse?>({ _ in nil })

    static let origin = Origin(.http, "arise.test", 80)
    static let number = "4111111111111111"

    init(_ account: ARISEAccount = ARISEAccount()) {
        scheduler = TestScheduler(seed: 1)
        backend = ARISESimulator(clock: scheduler, account: account)
        reader = SimulatedReader(clock: scheduler, executor: scheduler)
    }

    init(_ zeroCost: ARISEAccount.ZeroCost) {
        var account = ARISEAccount()
        account.zeroCost = zeroCost
        self.init(account)
    }

    var configuration: ARISEConfiguration {
        var configuration = ARISEConfiguration(
            endpoint: Self.origin, oauth: Self.origin, clientID: ARISESimulator.clientID,
            clientSecret: backend.clientSecret)
        configuration.isSoleUser = true
        configuration.failed = .final
        configuration.webhookSecret = backend.webhookSecret
        configuration.requesterIPAddress = "198.51.100.47"
        change(&configuration)
        return configuration
    }

    var driver: ARISEDriver {
        let inner = InProcessTransport([Self.origin: JudgedService(backend)], clock: scheduler)
        let line = ObservedLine(inner) { [requests, overriding] request in
            requests.withLock { $0.append(request) }
            return overriding.withLock { $0 }(request)
        }
        return ARISEDriver(configuration, line, crypto: OpenSSLCrypto())
    }

    func client() throws -> PaymentClient { try client(reader: true) }

    func client(reader given: Bool) throws -> PaymentClient {
        var dependencies = ClientOptions(journal: journal)
        (dependencies.clock, dependencies.executor) = (scheduler, scheduler)
        let number = clientCount.withLock { count in
            count += 1
            return count
        }
        (dependencies.random, dependencies.answers) = (SeededRandom(seed: number), answers)
        (dependencies.reader, dependencies.installations) = (given ? reader : nil, installations)
        return try PaymentClient(driver, dependencies)
    }

    static func card(_ number: String = number, code: String = "123") throws -> PaymentSource {
        .card(try KeyedCard(number: number, expiryMonth: 12, expiryYear: 27, securityCode: code))
    }

    /// What went to paths that end so.
    func sent(_ ending: String) -> [HTTPRequest] {
        requests.withLock { $0.filter { $0.target.prefix { $0 != "?" }.hasSuffix(ending) } }
    }

    /// The JSON that went to a path.
    func body(_ ending: String) throws -> JSON { try JSONReader().read(try #require(sent(ending).last).body) }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/ARISE")

    /// A file of the fixtures as JSON.
    static func fixture(_ name: String) throws -> JSON {
        try JSONReader().read([UInt8](try Data(contentsOf: folder.appending(path: name))))
    }

    /// The rows of a table of codes, without its head.
    static func table(_ name: String) throws -> [[String]] {
        let text = try String(contentsOf: folder.appending(path: "codes.\(name).tsv"), encoding: .utf8)
        return text.split(separator: "\n").dropFirst().map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }
}

/// A transport that reports every request, and gives the prepared answer.
struct ObservedLine: HTTPTransport {
    private let inner: any HTTPTransport
    private let hear: @Sendable (HTTPRequest) -> HTTPResponse?

    init(_ inner: any HTTPTransport, _ hear: @escaping @Sendable (HTTPRequest) -> HTTPResponse?) {
        (self.inner, self.hear) = (inner, hear)
    }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if let response = hear(request) { return response }
        return try await inner.send(request)
    }
}

extension Money {
    /// So many cents of US dollars.
    static func dollars(_ cents: Int64) -> Money { Money(minorUnits: cents, .usd) }
}

extension PaymentClient {
    var transactions: ProviderClient.Transactions? { (try? provider("arise"))?.transactions }
    var settings: ProviderClient.Settings? { (try? provider("arise"))?.settings }
    var devices: ProviderClient.Devices? { (try? provider("arise"))?.devices }
}

/// A till whose phone runs the kit, in front of the simulated platform; the phone was activated once.
struct ARISEKitTill {
    var inner: ARISEBench
    let kit: SimulatedARISESDK
    let session = SimulatedARISESDK.Session()
    /// Where all clients of the till draw from: two clients never draw the same id.
    let random = SeededRandom(seed: 1)

    var scheduler: TestScheduler { inner.scheduler }
    var backend: ARISESimulator { inner.backend }

    init(_ account: ARISEAccount = ARISEAccount(), isActive: Bool = true) {
        let inner = ARISEBench(account)
        self.inner = inner
        if isActive { inner.backend.activate(SimulatedARISESDK.device) }
        let line = ObservedLine(
            InProcessTransport([ARISEBench.origin: JudgedService(inner.backend)], clock: inner.scheduler)
        ) { [requests = inner.requests, overriding = inner.overriding] request in
            requests.withLock { $0.append(request) }
            return overriding.withLock { $0 }(request)
        }
        kit = SimulatedARISESDK(
            clock: inner.scheduler, executor: inner.scheduler, reader: inner.reader, transport: line,
            origin: ARISEBench.origin, session: session)
    }

    func client() throws -> PaymentClient {
        var given = ClientOptions(journal: inner.journal)
        (given.clock, given.executor) = (scheduler, scheduler)
        given.random = random
        return try PaymentClient(ARISEMobileDriver(inner.driver, kit), given)
    }

    func play<Value: Sendable>(
        _ body: @escaping @Sendable (PaymentClient) async throws -> Value
    ) throws -> Value {
        let client = try client()
        return try scheduler.run { try await body(client) }
    }

    func failure(_ body: @escaping @Sendable (PaymentClient) async throws -> Void) -> PaymentError? {
        do { try play(body) } catch { return error as? PaymentError }
        return nil
    }

    var charged: [Int64] { backend.ledger.movements.map(\.amount.minorUnits) }

    /// A sale of fifteen dollars under an attempt of that name.
    static func sale(
        _ client: PaymentClient, _ cents: Int64 = 1_500, _ name: String = "a-1"
    ) async throws -> PaymentResult {
        try await client.sale(.dollars(cents), from: .reader, reference: "order_\(name)", attempt: try AttemptID(name))
    }

    /// The result of a sale, in a word or two.
    func told(_ cents: Int64 = 1_500) throws -> String {
        do {
            switch try play({ try await Self.sale($0, cents) }) {
            case .approved(let payment): return "approved \(payment.approved.minorUnits)"
            case .declined(let decline): return "declined \(decline.reason)"
            case .cancelled(let cancellation): return "cancelled \(cancellation.cause)"
            case .pending: return "pending"
            }
        } catch let error as PaymentError { return "\(error.code.rawValue) \(error.outcome.rawValue)" }
    }
}
