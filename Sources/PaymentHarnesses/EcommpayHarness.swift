internal import EcommpayProvider
public import PaymentConformance
internal import PaymentLinux
public import PaymentMobileSDKs
internal import PaymentProviderKit
public import PaymentSimulator
public import PaymentTesting

/// The harness of ecommpay's drivers: scripts by card or amount, every fault of the sandbox.
public struct EcommpayHarness: ConformanceHarness {
    public let name: String
    public let declaration: ConformanceProfile

    private let injector: ConnectionKind
    private let tokenizesAtGate: Bool
    /// Where a payment begins.
    private let link: EcommpayConfiguration.Integration
    /// What is between the driver and the kit.
    private var bend: @Sendable (any EcommpayPhoneSDK.SDK) -> any EcommpayPhoneSDK.SDK = { $0 }
    /// The reading of the documents that its provider plays; nil for the usual one.
    private var reading: String?

    /// Makes the harness of the simulated provider's own sessions.
    ///
    /// - Parameter tokenizesAtGate: Whether tokens are made through the Gate and not in sessions.
    public init(_ injector: ConnectionKind = .inProcess, tokenizesAtGate: Bool = false) {
        self.init("ecommpay", .session, injector, tokenizesAtGate)
    }

    /// The harnesses of all ways to begin a payment.
    public static func all(_ injector: ConnectionKind = .inProcess) -> [EcommpayHarness] {
        [
            EcommpayHarness(injector), EcommpayHarness("ecommpay-kit", .mobile, injector, false),
            EcommpayHarness("ecommpay-gate", .gate, injector, false),
            EcommpayHarness("ecommpay-page", .page, injector, false),
        ]
    }

    private init(
        _ name: String, _ link: EcommpayConfiguration.Integration, _ injector: ConnectionKind, _ tokenizesAtGate: Bool
    ) {
        (self.name, self.link, self.injector, self.tokenizesAtGate) = (name, link, injector, tokenizesAtGate)
        var declaration = ConformanceProfile(faults: InjectedFault.sandbox)
        declaration.currencies = [.eur, .usd, .jpy, .krw, .kwd, .bhd, .clf]
        declaration.secrets = ["ecommpay-simulated-secret"]
        // An unanswered question is declined after half an hour.
        declaration.decidedAfterMilliseconds = 35 * 60_000
        declaration.leavesOpen(
            .adjust, 1, under: InjectedFault.traceless + ["status.401", "status.429"],
            "no reference names an increment, and what was never executed leaves no trace")
        declaration.leavesOpen(
            .adjust, 1, under: InjectedFault.repeated,
            "the payment shows two new increments, and a person has to look at that")
        declaration.unrequestedPartialApprovals =
            "no request says whether parts are wanted; with some cards the provider approves one and says so"
        for script in [SimulatedOutcome.pin, .wrongPIN, .noPIN, .noCard, .unreadableCard] {
            declaration.unsupportedOutcomes[script] = "there is no card reader, and no PIN is typed"
        }
        if link == .mobile { Self.declareKit(&declaration) }
        if link == .page { Self.declarePage(&declaration) }
        self.declaration = declaration
    }

    /// What is different where the vendor's kit makes the payment.
    private static func declareKit(_ declaration: inout ConformanceProfile) {
        declaration.kitKnowsNoBusy("server")
        declaration.unsentIsUnknown =
            "no error of the kit says that a payment's request never left, and the Gate's absence proves nothing"
        declaration.challengeResultsElsewhere =
            "the kit learns that the customer came back, and no result: the bank reports to the provider"
    }

    private static let browserPays =
        "the customer's browser pays: the driver sends nothing that could be lost or refused there"

    /// What is different where the customer pays on a page.
    private static func declarePage(_ declaration: inout ConformanceProfile) {
        declaration.startsWithoutRequest = browserPays
        for script in [SimulatedOutcome.challenge, .clarification] {
            declaration.unsupportedOutcomes[script] =
                "the page itself asks the customer; nothing comes to the application"
        }
        let unsent: [SimulatedOutcome] = [.replyLost, .requestLost, .failsAfter, .busyOnce, .decidedSoon, .decidedLate]
        for script in unsent { declaration.unsupportedOutcomes[script] = browserPays }
    }

    public func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture {
        var fixture = try EcommpayFixture(scheduler, link, injector, tokenizesAtGate)
        try fixture.connection.play(reading, fixture.backend)
        fixture.bend = bend
        return fixture
    }

    /// The same with something between the driver and the kit.
    public func bending(
        _ bend: @escaping @Sendable (any EcommpayPhoneSDK.SDK) -> any EcommpayPhoneSDK.SDK
    ) -> EcommpayHarness { with(\.bend, bend) }
}

extension EcommpayHarness: VariantHarness {
    public var readings: [BehaviorVariant] { EcommpaySimulator.readings }

    public func using(variant reading: String) -> EcommpayHarness { with(\.reading, reading) }
}

/// One fresh provider with one shop in front of it.
struct EcommpayFixture: SimulatorFixture {
    let backend: EcommpaySimulator
    var connection: SimulatorConnection
    let scheduler: TestScheduler
    let link: EcommpayConfiguration.Integration
    var bend: @Sendable (any EcommpayPhoneSDK.SDK) -> any EcommpayPhoneSDK.SDK = { $0 }
    private let tokenizesAtGate: Bool
    /// Whether others work on the account, too.
    var isShared = false
    /// The card in the hand of the customer who comes to a page.
    let hand = Locked("5555555555554444")
    /// What brings callbacks about steps to the shop's own processes.
    private let steps: EcommpayStepPost

    init(
        _ scheduler: TestScheduler, _ link: EcommpayConfiguration.Integration, _ injector: ConnectionKind,
        _ tokenizesAtGate: Bool
    ) throws {
        let backend = EcommpaySimulator(clock: scheduler, crypto: OpenSSLCrypto())
        (self.scheduler, self.link) = (scheduler, link)
        (self.backend, self.tokenizesAtGate) = (backend, tokenizesAtGate)
        steps = EcommpayStepPost(backend)
        connection = try SimulatorConnection([backend], scheduler, injector)
    }

    func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
        var configuration = EcommpayConfiguration(
            gate: connection.origin(of: backend.name), project: backend.rules.project)
        configuration.environment = "simulated"
        configuration.link = link
        configuration.isSoleUser = !isShared
        // A till and its server in one: with a kit only callbacks are checked with it, and the server signs.
        configuration.secret = backend.rules.secret
        configuration.customerIPAddress = "198.51.100.47"
        configuration.tokenizesAtGate = tokenizesAtGate
        configuration.returnAddress = "https://shop.example/return"
        configuration.notificationAddress = "https://shop.example/loaded"
        let line = connection.transport(interceptor)
        let transport: any HTTPTransport = link == .gate ? StepCarrier(line, steps) : line
        var tools = ProviderDependencies(transport: transport)
        tools.crypto = OpenSSLCrypto()
        if link != .mobile {
            let driver = try EcommpayDriver(configuration, tools)
            if link == .gate { steps.tell(driver) }
            return driver
        }
        tools.delegates[configuration.name] = MerchantServer(secret: backend.rules.secret)
        let kit = SimulatedEcommpaySDK(
            clock: scheduler, executor: scheduler, transport: transport, origin: connection.origin(of: backend.name))
        return try EcommpayMobileDriver(try EcommpayDriver(configuration, tools), bend(kit))
    }

    func settle() -> Bool {
        backend.clear()
        return true
    }

    var notifying: (any WebhookSendingProvider)? { backend }

    var visitor: @Sendable (_ page: PaymentLink) async -> Void {
        { [backend, hand] page in
            _ = backend.visit(page: page.address, card: hand.withLock { $0 })
            // Whose card is declined tries another one, which the page takes under one reading alone.
            _ = backend.visit(page: page.address, card: "5555555555554444")
        }
    }

    func signed(_ answer: JSON) -> JSON { backend.sealed(answer) }

    var ledger: LedgerView { LedgerView(backend.ledger) }

    // The proof is in the message itself.
    func withoutSignature(_ news: ProviderWebhook) -> ProviderWebhook { changed(news) { _ in nil } }

    func withForgedSignature(_ news: ProviderWebhook) -> ProviderWebhook {
        changed(news) { proof in .string(String((proof.string ?? "").reversed())) }
    }

    private func changed(_ news: ProviderWebhook, _ change: (JSON) -> JSON?) -> ProviderWebhook {
        guard var body = (try? JSONReader().read(news.body))?.object else { return news }
        body["signature"] = body["signature"].flatMap(change)
        return ProviderWebhook(headers: news.headers, body: JSON.object(body).bytes())
    }
}

/// The merchant's server, which alone has the secret. It signs a phone's requests, and no answer or callback.
private struct MerchantServer: EcommpaySigner {
    let secret: Secret

    func sign(_ request: EcommpaySigningRequest) async throws -> EcommpaySignedParameters {
        try request.signed(with: secret, OpenSSLCrypto())
    }

    func isGenuine(_ message: JSON) async throws -> Bool {
        EcommpaySignedParameters.isGenuine(message, secret, OpenSSLCrypto())
    }
}

extension EcommpayFixture {
    func scripted(_ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind)
        -> TestPayment?
    {
        if link == .mobile, script == .busyOnce { return nil }
        guard let units = Self.units(script, operation), let from = Self.source(script, source) else { return nil }
        if source == .page {
            if declaredMissing.contains(script) { return nil }
            hand.withLock { $0 = Self.number(script) }
        }
        let pay = link == .gate ? beginning(operation) : "/msdk/v1/pay"
        let status = link == .gate || link == .page ? "/v2/payment/status" : "/msdk/v1/status"
        if [.replyLost, .failsAfter, .busyOnce].contains(script) { _ = connection.play(script, at: pay) }
        if [.unknownWord, .wrongEcho].contains(script) { _ = connection.play(script, at: status) }
        var scripted = TestPayment(Money(minorUnits: units, .eur), from)
        if link == .gate, source == .saved { scripted.customer = "12" }
        if link == .gate { scripted.contact = Self.contact }
        (scripted.reason, scripted.code) = Self.declines[script] ?? (nil, nil)
        scripted.secrets = Self.secrets(script, source)
        // The kit says only that it is declined; the reason is read at the Gate, by whose code it is not recognised.
        if link == .mobile { scripted.code = nil }
        return scripted
    }

    /// What the Gate needs to know of a customer who may have to be authenticated.
    private static let contact: CustomerContact = {
        var contact = CustomerContact()
        contact.email = "shopper@example.com"
        contact.additional = ["screen_res": "1920x1080"]
        return contact
    }()

    /// What a page can't play.
    private var declaredMissing: Set<SimulatedOutcome> {
        [.challenge, .clarification, .replyLost, .requestLost, .failsAfter, .busyOnce, .decidedSoon, .decidedLate]
    }

    /// Where a payment from a card begins at the Gate.
    private func beginning(_ operation: PaymentOperation) -> String {
        switch operation {
        case .authorize: "/v2/payment/card/auth"
        case .verify: "/v2/payment/card/account_verification"
        default: "/v2/payment/card/sale"
        }
    }

    /// The amount, whose last three digits steer the provider; nil for what it can't play.
    private static func units(_ script: SimulatedOutcome, _ operation: PaymentOperation) -> Int64? {
        let missing: [SimulatedOutcome] = [.pin, .wrongPIN, .noPIN, .noCard, .unreadableCard]
        if missing.contains(script) { return nil }
        if script == .partial { return 20_000 }
        let steering: [SimulatedOutcome] = [
            .insufficientFunds, .lostCard, .expiredCard, .pending, .decidedSoon, .decidedLate, .requestLost,
            .clarification,
        ]
        let digits = steering.contains(script) ? script.amountScript?.rawValue ?? 0 : 0
        return (operation.isOrigin ? 5_000 : 1_000) + digits
    }

    private static func source(_ script: SimulatedOutcome, _ kind: PaymentSource.Kind) -> PaymentSource? {
        switch kind {
        case .card:
            let card = try? KeyedCard(
                number: number(script), expiryMonth: 12, expiryYear: 30, securityCode: "737", holder: "John Doe")
            return card.map { .card($0) }
        case .wallet: return .wallet(WalletToken(.applePay, payload: Secret("wallet-payload")))
        case .saved: return .saved(.init(rawValue: "12353661"), securityCode: Secret("737"))
        case .token: return .token(Secret("card-token"), last4: "4444", securityCode: Secret("737"))
        case .page: return .hostedPage
        case .reader, .external, .bank: return nil
        }
    }

    private static func secrets(_ script: SimulatedOutcome, _ kind: PaymentSource.Kind) -> [String] {
        switch kind {
        case .card: [number(script), "737"]
        case .wallet: ["wallet-payload"]
        case .token: ["card-token", "737"]
        case .saved: ["737"]
        case .reader, .external, .bank, .page: []
        }
    }

    private static func number(_ script: SimulatedOutcome) -> String {
        let numbers: [SimulatedOutcome: String] = [
            .doNotHonor: "5200000000000015", .wrongSecurityCode: "5200000000000007", .challenge: "5413330000000019",
            .partial: "5126160000356675",
        ]
        return numbers[script] ?? "5555555555554444"
    }

    private static let declines: [SimulatedOutcome: (Decline.Reason?, String?)] = [
        .insufficientFunds: (.insufficientFunds, "10105"), .lostCard: (.pickUpCard, "10203"),
        .expiredCard: (.expiredCard, "10106"), .doNotHonor: (.doNotHonor, "10100"),
        .wrongSecurityCode: (.incorrectSecurityCode, "10103"),
    ]
}

/// The shop's own front: it hands each callback about a step to the processes that wait for one, at once.
///
/// The callbacks stay in the outbox: the suite delivers them once more, as the provider may.
final class EcommpayStepPost: Sendable {
    private let backend: EcommpaySimulator
    private let state = Locked((seen: 0, drivers: [EcommpayDriver]()))

    init(_ backend: EcommpaySimulator) { self.backend = backend }

    /// Hands callbacks to one more process.
    func tell(_ driver: EcommpayDriver) { state.withLock { $0.drivers.append(driver) } }

    /// Hands over what is new.
    func deliver() {
        let seen = state.withLock { $0.seen }
        let new = backend.withOutbox { outbox in
            outbox.entries.suffix(max(0, (outbox.entries.last?.number ?? 0) - seen))
        }
        guard let last = new.last else { return }
        let drivers = state.withLock { state in
            state.seen = max(state.seen, last.number)
            return state.drivers
        }
        for entry in new {
            guard let body = try? JSONReader().read(entry.message.body), body["operation"] == nil else { continue }
            for driver in drivers {
                _ = try? driver.notices(in: WebhookMessage(body: entry.message.body, at: entry.message.at))
            }
        }
    }
}

/// A transport that lets the front deliver after each exchange, however it ended.
struct StepCarrier: HTTPTransport {
    private let inner: any HTTPTransport
    /// The front belongs to the fixture; it knows the drivers that have this transport.
    private weak let post: EcommpayStepPost?

    init(_ inner: any HTTPTransport, _ post: EcommpayStepPost) { (self.inner, self.post) = (inner, post) }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        defer { post?.deliver() }
        return try await inner.send(request)
    }
}
