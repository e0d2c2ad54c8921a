import EcommpayProvider
import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting

/// A shop in front of the simulated provider.
struct EcommpayTill: ProviderTill {
    let scheduler: TestScheduler
    let backend: EcommpaySimulator
    var configuration: EcommpayConfiguration
    var tools: ProviderDependencies
    var answers = QuestionHandlers()
    let journal = InMemoryJournal()
    /// Where all clients of the till draw from: two clients never draw the same id.
    let random: SeededRandom

    /// Another application on the same project of the provider's, with a journal of its own.
    init(sharing other: EcommpayTill) {
        (scheduler, backend, answers) = (other.scheduler, other.backend, other.answers)
        (configuration, tools, random) = (other.configuration, other.tools, other.random)
    }

    init(rules: EcommpaySimulator.Rules = EcommpaySimulator.Rules()) {
        scheduler = TestScheduler(now: 1_767_225_600_000)
        random = SeededRandom(seed: 1)
        backend = EcommpaySimulator(clock: scheduler, crypto: OpenSSLCrypto(), rules: rules)
        let origin = Origin(.http, "ecommpay.test")
        configuration = EcommpayConfiguration(gate: origin, project: rules.project)
        (configuration.environment, configuration.link) = ("simulated", .session)
        configuration.isSoleUser = true
        configuration.secret = rules.secret
        configuration.customerIPAddress = "198.51.100.47"
        tools = ProviderDependencies(transport: InProcessTransport([origin: JudgedService(backend)]))
        tools.crypto = OpenSSLCrypto()
        answers.handle(ThreeDSecureChallenge.self) { _ in .init(result: Secret("ok")) }
        answers.handle(CascadeConsent.self) { _ in true }
    }

    func client() throws -> PaymentClient { try client(scope: "") }

    func client(scope: String) throws -> PaymentClient {
        var given = ClientOptions(journal: journal)
        (given.clock, given.executor, given.answers) = (scheduler, scheduler, answers)
        (given.random, given.scope) = (random, scope)
        return try PaymentClient(try EcommpayDriver(configuration, tools), given)
    }

    /// A sale of euros from a card, with a way to reach its holder.
    static func request(
        _ units: Int64 = 5_000, _ number: String = "5555555555554444", reference: String = "o"
    ) throws -> SaleRequest {
        let card = try KeyedCard(
            number: number, expiryMonth: 12, expiryYear: 30, securityCode: "737", holder: "John Doe")
        var request = SaleRequest(Money(minorUnits: units, .eur), from: .card(card), reference: reference)
        var contact = CustomerContact()
        contact.email = "john@example.org"
        request.contact = contact
        return request
    }

    /// The same with what the Gate needs to know of a customer who may be authenticated.
    static func gateRequest(_ units: Int64 = 5_000, _ number: String = "5555555555554444") throws -> SaleRequest {
        var request = try request(units, number)
        request.contact?.additional["screen_res"] = "1920x1080"
        return request
    }

    func sell(_ units: Int64 = 5_000, _ number: String = "5555555555554444") throws -> PaymentResult {
        let request = try configuration.link == .gate ? Self.gateRequest(units, number) : Self.request(units, number)
        return try play { try await $0.sale(request) }
    }
}

/// A phone with the vendor's kit in front of the simulated provider, whose merchant's server signs.
struct EcommpayKitTill {
    var inner = EcommpayTill()
    let kit: SimulatedEcommpaySDK
    let server: SigningServer
    /// What stands before the kit.
    var bend: @Sendable (any EcommpayPhoneSDK.SDK) -> any EcommpayPhoneSDK.SDK = { $0 }

    var scheduler: TestScheduler { inner.scheduler }
    var backend: EcommpaySimulator { inner.backend }

    /// - Parameter showsStatus: Whether the Gate reports what became of a payment.
    init(_ way: SigningServer.Way = .signs, showsStatus: Bool = true) {
        server = SigningServer(secret: inner.backend.rules.secret, way: way)
        kit = SimulatedEcommpaySDK(
            clock: inner.scheduler, executor: inner.scheduler, transport: inner.tools.transport,
            origin: Origin(.http, "ecommpay.test"))
        inner.configuration.link = .mobile
        inner.configuration.secret = nil
        inner.tools.delegates["ecommpay"] = server
        if !showsStatus { inner.tools.transport = BlindTransport(inner: inner.tools.transport) }
    }

    func client() throws -> PaymentClient {
        var given = ClientOptions(journal: inner.journal)
        (given.clock, given.executor, given.answers) = (scheduler, scheduler, inner.answers)
        given.random = inner.random
        let driver = try EcommpayDriver(inner.configuration, inner.tools)
        return try PaymentClient(try EcommpayMobileDriver(driver, bend(kit)), given)
    }

    func play<Value: Sendable>(
        _ body: @escaping @Sendable (PaymentClient) async throws -> Value
    ) throws -> Value {
        let client = try client()
        return try scheduler.run { try await body(client) }
    }

    func sell(
        _ units: Int64 = 5_000, _ number: String = "5555555555554444",
        with change: (inout SaleRequest) -> Void = { _ in }
    ) throws -> PaymentResult {
        var request = try EcommpayTill.request(units, number)
        change(&request)
        return try play { [request] in try await $0.sale(request, attempt: AttemptID("a-1")) }
    }

    /// The result of a sale, in a word or two.
    func told(_ units: Int64 = 5_000, _ number: String = "5555555555554444") throws -> String {
        do {
            switch try sell(units, number) {
            case .approved: return "approved"
            case .declined: return "declined"
            case .cancelled: return "cancelled"
            case .pending: return "pending"
            }
        } catch let error as PaymentError { return "\(error.code.rawValue) \(error.outcome.rawValue)" }
    }

    var charged: [Int64] { backend.ledger.movements.map(\.amount.minorUnits) }
}

/// The merchant's server, which alone has the secret. It signs a phone's requests, and no answer or callback.
struct SigningServer: EcommpaySigner {
    /// What it does with what it is to sign.
    enum Way {
        case signs, changesTheAmount, addsADescription, addsALanguage, addsWhatNoKitHas, refuses
    }

    struct Refusal: Error {}

    let secret: Secret
    let way: Way
    /// The texts that it was to sign.
    let texts = Locked([String]())

    func sign(_ request: EcommpaySigningRequest) async throws -> EcommpaySignedParameters {
        texts.withLock { $0.append(request.text) }
        var parameters = request.parameters
        guard parameters["payment_amount"] != nil else { return try request.signed(with: secret, OpenSSLCrypto()) }
        switch way {
        case .signs: break
        case .refuses: throw Refusal()
        case .changesTheAmount: parameters = parameters.adding("payment_amount", 1)
        case .addsADescription: parameters = parameters.adding("payment_description", "Order 7")
        case .addsALanguage: parameters = parameters.adding("language_code", "de")
        case .addsWhatNoKitHas: parameters = parameters.adding("best_before", "2027-01-01T00:00:00+00:00")
        }
        let whole = try way == .signs ? request : EcommpaySigningRequest(parameters)
        return try whole.signed(with: secret, OpenSSLCrypto())
    }

    func isGenuine(_ message: JSON) async throws -> Bool {
        EcommpaySignedParameters.isGenuine(message, secret, OpenSSLCrypto())
    }
}

/// A line that loses what became of a payment.
private struct BlindTransport: HTTPTransport {
    let inner: any HTTPTransport
    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if request.path.hasPrefix("/v2/payment/status") { throw .notSent(.init(rawValue: "blind")) }
        return try await inner.send(request)
    }
}

/// Lines to the simulated provider within this process; each is cut after so many messages.
struct EcommpaySockets: WebSocketTransport {
    let scheduler: TestScheduler
    let provider: EcommpaySimulator
    /// After how many messages a line is cut; nil never cuts.
    var cutAfter: Int?
    /// What all lines carried.
    let heard = Locked([String]())

    init(_ scheduler: TestScheduler, _ provider: EcommpaySimulator, cutAfter: Int? = nil) {
        (self.scheduler, self.provider, self.cutAfter) = (scheduler, provider, cutAfter)
    }

    func connect(_ request: HTTPRequest) async throws(TransportFailure) -> any WebSocketConnection {
        guard case .upgrade(let serve) = await provider.answer(request) else { throw .maybeSent(.malformed) }
        let (near, far) = (Pipe(), Pipe())
        let theirs = End(inbox: near, outbox: far, cutAfter: nil, heard: Locked([]))
        Task(executorPreference: scheduler) { await serve(theirs) }
        return End(inbox: far, outbox: near, cutAfter: cutAfter, heard: heard)
    }

    /// One direction.
    private final class Pipe: Sendable {
        private struct State {
            var texts: [String] = []
            var isClosed = false
            var waiting: Promise<Void>?
        }
        private let state = Locked(State())

        func put(_ text: String) -> Bool {
            change { state in
                if !state.isClosed { state.texts.append(text) }
                return !state.isClosed
            }
        }

        func close() {
            _ = change { state in
                state.isClosed = true
                return true
            }
        }

        private func change(_ body: (inout State) -> Bool) -> Bool {
            let (result, waiting) = state.withLock { state in
                let result = body(&state)
                defer { state.waiting = nil }
                return (result, state.waiting)
            }
            waiting?.fulfill(())
            return result
        }

        /// The next text; nil when the pipe is closed or the task cancelled.
        func take() async -> String? {
            while !Task.isCancelled {
                let promise = Promise<Void>()
                let (text, isClosed) = state.withLock { state -> (String?, Bool) in
                    if !state.texts.isEmpty { return (state.texts.removeFirst(), false) }
                    state.waiting = promise
                    return (nil, state.isClosed)
                }
                if let text { return text }
                if isClosed { return nil }
                await withTaskCancellationHandler {
                    await promise.value()
                } onCancel: {
                    promise.fulfill(())
                }
            }
            return nil
        }
    }

    private final class End: WebSocketConnection {
        let inbox: Pipe
        let outbox: Pipe
        let cutAfter: Int?
        let heard: Locked<[String]>
        private let count = Locked(0)

        init(inbox: Pipe, outbox: Pipe, cutAfter: Int?, heard: Locked<[String]>) {
            (self.inbox, self.outbox, self.cutAfter, self.heard) = (inbox, outbox, cutAfter, heard)
        }

        deinit {
            inbox.close()
            outbox.close()
        }

        func send(_ text: String) async throws(TransportFailure) {
            if !outbox.put(text) { throw .notSent(.connectionReset) }
        }

        func receive() async throws(TransportFailure) -> WebSocketMessage? {
            if let cutAfter, count.withLock({ $0 }) >= cutAfter {
                await close()
                throw .maybeSent(.connectionReset)
            }
            guard let text = await inbox.take() else {
                if Task.isCancelled { throw .notSent(.cancelled) }
                return nil
            }
            count.withLock { $0 += 1 }
            heard.withLock { $0.append(text) }
            return .text(text)
        }

        func close() async {
            inbox.close()
            outbox.close()
        }
    }
}
