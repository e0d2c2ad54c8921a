internal import AdyenProvider
public import PaymentConformance
public import PaymentMobileSDKs
internal import PaymentProviderKit
public import PaymentSimulator
public import PaymentTesting

/// The harness of the Adyen drivers: one provider, reached over one of the ways to a terminal.
public struct AdyenHarness: ConformanceHarness {
    public let name: String
    public let declaration: ConformanceProfile
    let link: AdyenConfiguration.Integration
    let refunds: AdyenConfiguration.Refunds
    private let injector: ConnectionKind
    /// What is between the driver and the kit.
    private var bend: @Sendable (any AdyenPhoneSDK.PaymentService) -> any AdyenPhoneSDK.PaymentService = { $0 }
    /// The reading of the documents that its provider plays; nil for the usual one.
    private var reading: String?

    /// Makes the harness of the usual way: through the cloud, waiting for the answer.
    public init(_ injector: ConnectionKind = .inProcess) { self.init("adyen", .cloudSync, .terminal, injector) }

    /// The harnesses of all ways to a terminal.
    public static func all(_ injector: ConnectionKind = .inProcess) -> [AdyenHarness] {
        [
            AdyenHarness(injector), AdyenHarness("adyen-async", .cloudAsync, .backOffice, injector),
            AdyenHarness("adyen-local", .local, .terminal, injector),
            AdyenHarness("adyen-mobile", .mobile, .terminal, injector),
        ]
    }

    init(
        _ name: String, _ link: AdyenConfiguration.Integration, _ refunds: AdyenConfiguration.Refunds,
        _ injector: ConnectionKind
    ) {
        (self.name, self.link, self.refunds, self.injector) = (name, link, refunds, injector)
        var declaration = ConformanceProfile(faults: InjectedFault.sandbox)
        declaration.currencies = [.eur, .usd, .jpy, .clp, .isk, .idr, .kwd, .iqd, .clf]
        declaration.secrets = AdyenFixture.secrets
        declaration.decidedAfterMilliseconds = 200_000
        // A terminal waits so long for its customer.
        declaration.executesWithinMilliseconds = AdyenSimulator.waitMilliseconds
        declaration.cardAfterMilliseconds = AdyenSimulator.cardMilliseconds + 200
        declaration.asynchronousOperations = [
            .capture: Self.later, .adjust: Self.later, .void: Self.later, .refund: Self.later,
            .unlinkedRefund: "only some schemes answer at once; the webhook says what became of it",
        ]
        if link != .cloudAsync {
            declaration.expectedDoubleCharges = InjectedFault.executedTwice(
                "no document says what a terminal does with a message that it has had before")
        }
        let answers = "a terminal answers with the result; only the back office decides later"
        declaration.unsupportedOutcomes = [
            .wrongSecurityCode: "a terminal asks for no security code",
            .pending: answers, .decidedSoon: answers, .decidedLate: answers,
            .challenge: "no 3-D Secure at a terminal", .clarification: "a terminal asks for no fields",
            .unreadableCard: "the terminal asks for the card again on its own",
        ]
        if link == .cloudAsync {
            declaration.unsupportedOutcomes[.busyOnce] =
                "the cloud has taken the message before the terminal says that it is busy"
        }
        if link == .mobile { Self.declarePhone(&declaration, isInProcess: injector == .inProcess) }
        if link == .local { declaration.secrets.append("adyen-sandbox-passphrase") }
        self.declaration = declaration
    }

    /// A phone's kit can't be asked what became of a payment.
    private static func declarePhone(_ declaration: inout ConformanceProfile, isInProcess: Bool) {
        declaration.unsupportedOutcomes[.noCard] = "only the kit's own screen ends a payment on a phone"
        declaration.unsupportedOutcomes[.busyOnce] =
            "what a kit's screens show is not shown again by a repeat: the kit reports that it is busy, and nothing moved"
        declaration.leaveOut(
            "status.429",
            because: "the kit's document has no word for a busy server: it is unknown until a webhook speaks of it")
        // The key is the server's.
        declaration.secrets.removeAll { $0 == AdyenFixture.apiKey }
        for (operation, cases) in [PaymentOperation.sale: 3, .authorize: 1, .refund: 2, .unlinkedRefund: 1] {
            declaration.leavesOpen(
                operation, cases, under: declaration.faults.filter { $0.executions == 0 }.map(\.id),
                "the kit can't be asked about a payment, and no webhook speaks of what never arrived")
        }
        let another =
            "a card that was refused may have been followed by another one on the kit's screen, and the kit can't be asked"
        var harmless: Set = [
            "member.extra", "member.wrong-amount", "member.wrong-currency", "reply.dripped", "request.duplicated",
        ]
        // Over sockets the caller does not wait for it.
        if isInProcess { harmless.insert("reply.late") }
        let lost = declaration.faults.filter { $0.executions > 0 && !harmless.contains($0.id) }.map(\.id)
        declaration.leavesOpen(.sale, 1, under: lost + ["journal.lost"], another)
        declaration.leavesOpen(.sale, 11, under: ["member.missing"], another)
    }

    private static let later = "the back office says that it was received; the webhook says what became of it"

    public func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture {
        var fixture = try AdyenFixture(scheduler, link, refunds, injector, reading: reading)
        fixture.bend = bend
        if let reading, !fixture.backend.play(reading) { throw SimulatorError.reading(reading) }
        return fixture
    }

    /// The same with something between the driver and the kit of a phone.
    public func wrappingSDK(
        _ bend: @escaping @Sendable (any AdyenPhoneSDK.PaymentService) -> any AdyenPhoneSDK.PaymentService
    ) -> AdyenHarness { with(\.bend, bend) }
}

extension AdyenHarness: VariantHarness {
    public var readings: [BehaviorVariant] { AdyenSimulator.readings }

    public func using(variant reading: String) -> AdyenHarness { with(\.reading, reading) }
}

/// One fresh provider with one terminal.
struct AdyenFixture: SimulatorFixture {
    static let apiKey = "adyen-sandbox-api-key"
    static let secrets = [
        apiKey, "DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00",
    ]

    let backend: AdyenSimulator
    let connection: SimulatorConnection
    let link: AdyenConfiguration.Integration
    let refunds: AdyenConfiguration.Refunds
    let scheduler: TestScheduler
    var bend: @Sendable (any AdyenPhoneSDK.PaymentService) -> any AdyenPhoneSDK.PaymentService = { $0 }
    private let crypto = DerivedKeyCache()
    private let isUsual: Bool
    private let mayForget: Bool
    private let asksPhone: Bool

    init(
        _ scheduler: TestScheduler, _ link: AdyenConfiguration.Integration, _ refunds: AdyenConfiguration.Refunds,
        _ injector: ConnectionKind, reading: String? = nil
    ) throws {
        isUsual = reading == nil
        mayForget = reading?.hasPrefix("adyen.status-memory.") ?? false
        asksPhone = reading == "adyen.phone.status.answers"
        self.scheduler = scheduler
        let backend = AdyenSimulator(clock: scheduler, crypto: crypto)
        (self.backend, self.link, self.refunds) = (backend, link, refunds)
        connection = try SimulatorConnection([backend], scheduler, injector)
    }

    /// A reading may contradict what is published.
    var violations: [String] { isUsual ? connection.violations : [] }

    /// What payments go to.
    var terminal: String { link == .mobile ? SimulatedAdyenSDK.installation : AdyenSimulator.terminal }

    func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
        let origin = connection.origin(of: backend.name)
        var configuration = AdyenConfiguration(
            endpoint: origin, checkout: WebURL(origin, "/v72"), merchant: backend.merchant,
            apiKey: link == .mobile ? nil : backend.apiKey, terminal: AdyenSimulator.terminal)
        configuration.webhookKeys = [backend.webhookKey]
        (configuration.link, configuration.refunds) = (link, refunds)
        configuration.passphrase = backend.passphrase
        // The merchant has found out that terminals don't forget, but where this is the very thing that is in question.
        configuration.treatsNotFoundAsProof = !mayForget
        if asksPhone { configuration.phoneStatus = .asked }
        let transport = connection.transport(interceptor)
        if link != .mobile { return try configuration.driver(transport, crypto) }
        let server = MerchantOffice(apiKey: backend.apiKey, inner: transport)
        let sessions = AdyenSessions(
            at: WebURL(origin, "/checkout/possdk/v68/sessions"), merchant: backend.merchant,
            apiKey: backend.apiKey, transport)
        let kit = SimulatedAdyenSDK(clock: scheduler, transport: transport, origin: origin) { token in
            try await sessions.data(for: token)
        }
        return try configuration.driver(transport, crypto, kit: bend(kit), server: server)
    }

    /// A kit renews its own session, unseen.
    func revoke() -> Bool {
        backend.revokeSessions()
        return false
    }

    var notifying: (any WebhookSendingProvider)? { backend }

    func deliveredWebhooks() -> [ProviderWebhook] { backend.takeMessages().map { ProviderWebhook($0) } }

    func withoutSignature(_ news: ProviderWebhook) -> ProviderWebhook { signed(news) { _ in nil } }

    func withForgedSignature(_ news: ProviderWebhook) -> ProviderWebhook {
        signed(news) { _ in "ipnxGCaUZ4l8TUW75a71/ghd2Fe5ffvX0pV4TLTntIc=" }
    }

    /// A message whose items carry another signature.
    private func signed(_ news: ProviderWebhook, _ change: (JSON) -> JSON?) -> ProviderWebhook {
        guard let body = try? JSONReader().read(news.body) else { return news }
        let path: FieldPath = "notificationItems.*.NotificationRequestItem.additionalData.hmacSignature"
        return ProviderWebhook(headers: news.headers, body: path.changing(body, change).bytes())
    }

    /// The provider's books in the standard's minor units.
    var ledger: LedgerView {
        LedgerView(backend.ledger) { units, code in
            guard let standard = Currency.known(code)?.exponent else { return units }
            return Self.moved(units, by: standard - AdyenUnits.decimals(code))
        }
    }

    private static func moved(_ units: Int64, by places: Int) -> Int64 {
        var units = units
        for _ in 0..<abs(places) { units = places > 0 ? units * 10 : units / 10 }
        return units
    }
}

/// The merchant's server, which alone has the key and carries what a phone asks of the back office.
private struct MerchantOffice: AdyenMerchantServer {
    let apiKey: Secret
    let inner: any HTTPTransport
    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        var request = request
        request.headers["X-API-Key"] = apiKey.expose()
        return try await inner.send(request)
    }
}

extension AdyenFixture {
    func scripted(_ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind)
        -> TestPayment?
    {
        if source == .saved { return saved(script, operation) }
        guard source == .reader, !(script == .busyOnce && (link == .cloudAsync || link == .mobile)),
            !(script == .noCard && link == .mobile)
        else { return nil }
        var digits: Int64 = 0
        // The scheme decides later whether a card gets its refund.
        let isLater = operation == .unlinkedRefund && script == .pending
        if operation.isOrigin, !isLater {
            guard let steered = Self.digits(script) else { return nil }
            digits = steered
        } else if script != .approved, script != .pending {
            return nil
        }
        lay(script)
        var scripted = TestPayment(Money(minorUnits: (operation.isOrigin ? 5_000 : 1_000) + digits, .eur), .reader)
        (scripted.reason, scripted.code) = Self.declines[script] ?? (nil, nil)
        // The check that changes this code on the line finds it only in an answer to the payment itself, in the clear.
        if script == .insufficientFunds, link == .local || link == .cloudAsync { scripted.code = nil }
        return scripted
    }

    /// What the back office does with an instrument that it keeps.
    private func saved(_ script: SimulatedOutcome, _ operation: PaymentOperation) -> TestPayment? {
        let refusals: [SimulatedOutcome: (AdyenTestAmount, Decline.Reason, String)] = [
            .insufficientFunds: (.notEnoughBalance, .insufficientFunds, "12"),
            .lostCard: (.blockedCard, .blockedCard, "5"), .expiredCard: (.expiredCard, .expiredCard, "6"),
            .doNotHonor: (.declined, .doNotHonor, "2"),
        ]
        guard operation == .sale, script == .approved || refusals[script] != nil else { return nil }
        let digits = refusals[script]?.0.rawValue ?? 0
        let id = "\(AdyenSimulator.savedInstrument)/\(AdyenSimulator.savedCustomer)"
        var scripted = TestPayment(Money(minorUnits: 5_000 + digits, .eur), .saved(.init(rawValue: id)))
        (scripted.reason, scripted.code) = (refusals[script]?.1, refusals[script]?.2)
        return scripted
    }

    /// Lays the card that the script needs in the terminal.
    private func lay(_ script: SimulatedOutcome) {
        if script == .noCard { return backend.present(nil, at: terminal) }
        var card = AdyenSimulator.Card()
        if script == .slowCustomer { card.comesAfterMilliseconds = Self.slowMilliseconds }
        card.pin = [.pin: .right, .wrongPIN: .wrong, .noPIN: .cancelled][script] ?? card.pin
        backend.present(card, at: terminal)
    }

    /// How long a customer takes who is hardly in time for the terminal, which waits for two minutes.
    private static let slowMilliseconds = AdyenSimulator.waitMilliseconds - 5_000

    /// The last three digits of the amount, which steer the provider; nil for what it can't play.
    private static func digits(_ script: SimulatedOutcome) -> Int64? {
        switch script {
        case .approved, .slowCustomer, .noCard, .pin, .wrongPIN, .noPIN: 0
        case .insufficientFunds: AdyenTestAmount.notEnoughBalance.rawValue
        case .lostCard: AdyenTestAmount.blockedCard.rawValue
        case .expiredCard: AdyenTestAmount.expiredCard.rawValue
        case .doNotHonor: AdyenTestAmount.declined.rawValue
        case .partial: AdyenTestAmount.partial.rawValue
        case .replyLost: AdyenTestAmount.losesReply.rawValue
        case .requestLost: AdyenTestAmount.losesRequest.rawValue
        case .unknownWord: AdyenTestAmount.saysUnknownWord.rawValue
        case .failsAfter: AdyenTestAmount.failsAfter.rawValue
        case .busyOnce: AdyenTestAmount.busyOnce.rawValue
        case .wrongEcho: AdyenTestAmount.echoesOther.rawValue
        case .wrongSecurityCode, .pending, .decidedSoon, .decidedLate, .challenge, .clarification, .unreadableCard: nil
        }
    }

    private static let declines: [SimulatedOutcome: (Decline.Reason?, String?)] = [
        .insufficientFunds: (.insufficientFunds, "210"), .lostCard: (.blockedCard, "199"),
        .expiredCard: (.expiredCard, "228"), .doNotHonor: (.invalidAmount, "214"), .wrongPIN: (.incorrectPIN, "129"),
    ]
}

extension AdyenFixture: TerminalTipFixture {
    /// A terminal asks if it is set up to, which is one of the readings of the documents.
    func askForTipAtTerminal() -> Bool {
        link != .mobile && isUsual && backend.play("adyen.tip.asked-on-terminal")
    }
}
