internal import NetworkInternationalProvider
public import PaymentConformance
public import PaymentMobileSDKs
internal import PaymentProviderKit
public import PaymentSimulator
public import PaymentTesting

/// The harness of Network International's drivers: every script by amount or card, every fault of the sandbox.
public struct NIHarness: ConformanceHarness {
    public let name: String
    public let declaration: ConformanceProfile

    private let injector: ConnectionKind
    /// Who reads the card.
    private let link: NIConfiguration.Integration
    /// What is between the driver and the kit.
    private var bend: @Sendable (any NIPhoneSDK.AppleTapToPayManager) -> any NIPhoneSDK.AppleTapToPayManager = { $0 }
    /// The reading of the documents that its provider plays; nil for the usual one.
    private var reading: String?

    /// Makes the harness of an own reader.
    public init(_ injector: ConnectionKind = .inProcess) { self.init("ni", .reader, injector) }

    /// The harnesses of both who can read the card.
    public static func all(_ injector: ConnectionKind = .inProcess) -> [NIHarness] {
        [NIHarness(injector), NIHarness("ni-kit", .mobile, injector)]
    }

    private init(_ name: String, _ link: NIConfiguration.Integration, _ injector: ConnectionKind) {
        (self.name, self.link, self.injector) = (name, link, injector)
        var declaration = ConformanceProfile(faults: InjectedFault.sandbox)
        declaration.currencies = [.aed, .usd, .jpy, .kwd, .omr]
        declaration.secrets = ["ni-simulated-api-key", "ni-simulated-webhook-value"]
        declaration.expectedDoubleCharges = InjectedFault.executedTwice(
            "no reference travels with a request, so the provider can't recognise a copy")
        Self.declareOpen(&declaration, link)
        declaration.takesTapsAlone(clarification: "this wire has no questions")
        if link == .mobile { Self.declareKit(&declaration) }
        self.declaration = declaration
    }

    /// What stays open; the kit's one call is a purchase, so that nothing is held and nothing captured.
    private static func declareOpen(_ declaration: inout ConformanceProfile, _ link: NIConfiguration.Integration) {
        let cases: [PaymentOperation: Int] =
            link == .mobile
            ? [.sale: 3, .void: 1, .refund: 2] : [.sale: 3, .authorize: 1, .capture: 2, .void: 2, .refund: 2]
        for (operation, cases) in cases {
            declaration.leavesOpen(
                operation, cases, under: InjectedFault.traceless + ["status.429"],
                "what was never executed leaves no trace, and absence proves nothing without our reference")
            guard operation == .sale || operation == .authorize else { continue }
            declaration.leavesOpen(
                operation, cases, under: ["request.duplicated-unread"],
                "two orders could be ours, and a person has to look at that")
        }
        if cases[.capture] != nil {
            declaration.leavesOpen(
                .capture, 1, under: InjectedFault.repeated,
                "the order shows two new captures of our amount, and a person has to look at that")
        }
        declaration.leavesOpen(
            .refund, 1, under: InjectedFault.repeated,
            "the order shows that twice our amount went back, and a person has to look at that")
    }

    /// What is different where the vendor's kit reads the card.
    private static func declareKit(_ declaration: inout ConformanceProfile) {
        // The key stays on the merchant's server.
        declaration.secrets = ["ni-simulated-webhook-value"]
        declaration.kitReadsCards()
        declaration.leavesOpen(
            .sale, 3, under: ["status.401"],
            "the kit has one number for every refused access, before the card and after it")
        declaration.unsupportedOutcomes[.noCard] =
            "no call of the kit ends a payment: its screen waits until the customer presents a card or closes it"
        declaration.kitKnowsNoBusy("platform")
        declaration.declinesCountLater()
    }

    public func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture {
        var fixture = try NIFixture(scheduler, link, injector)
        try fixture.connection.play(reading, fixture.backend)
        (fixture.bend, fixture.reading) = (bend, reading)
        return fixture
    }

    /// The same with something between the driver and the kit.
    public func bending(
        _ bend: @escaping @Sendable (any NIPhoneSDK.AppleTapToPayManager) -> any NIPhoneSDK.AppleTapToPayManager
    ) -> NIHarness { with(\.bend, bend) }
}

extension NIHarness: VariantHarness {
    public var readings: [BehaviorVariant] {
        if link == .reader { return NISimulator.readings }
        // The kit reads numbers; what is in their place as text ends its payment unread.
        return NISimulator.readings.map { $0.id == "ni.amount.number-form/3" ? $0.expecting(.unknown) : $0 }
    }

    public func using(variant reading: String) -> NIHarness { with(\.reading, reading) }
}

/// One fresh provider with one till in front of it.
struct NIFixture: ControllableFixture {
    let backend: NISimulator
    var connection: SimulatorConnection
    let simulated: SimulatedReader
    let scheduler: TestScheduler
    var bend: @Sendable (any NIPhoneSDK.AppleTapToPayManager) -> any NIPhoneSDK.AppleTapToPayManager = { $0 }
    /// The reading that the SDK plays, too.
    var reading: String?
    private let link: NIConfiguration.Integration

    init(_ scheduler: TestScheduler, _ link: NIConfiguration.Integration, _ injector: ConnectionKind) throws {
        let backend = NISimulator(clock: scheduler)
        (self.backend, self.scheduler, self.link) = (backend, scheduler, link)
        connection = try SimulatorConnection([backend], scheduler, injector)
        simulated = SimulatedReader(clock: scheduler, executor: scheduler)
    }

    /// A kit keeps the reader for itself.
    var reader: (any CardReader)? { link == .mobile ? nil : simulated }

    /// A payment on a kit's screen is not shown again with another token: it ends, and the next one has the other.
    func revoke() -> Bool {
        backend.revokeTokens()
        return link == .reader
    }

    func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
        let transport = connection.transport(interceptor)
        let tools = ProviderDependencies(transport: transport)
        let origin = connection.origin(of: backend.name)
        if link == .reader {
            return NIDriver(
                configured(
                    NIConfiguration(
                        endpoint: origin, outlet: backend.rules.outlet, terminal: backend.rules.terminals[0],
                        deviceCode: "000C69", userCode: "user-1", apiKey: backend.rules.apiKey)), tools)
        }
        let server = NIMerchantServer(backend: backend, origin: origin)
        let configuration = configured(
            NIConfiguration(
                endpoint: origin, outlet: backend.rules.outlet, terminal: backend.rules.terminals[0],
                deviceCode: "000C69", userCode: "user-1",
                deviceToken: SecretSource("the merchant's server") { try await server.deviceToken() }))
        let setup = NIPhoneSDK.Setup(
            serverScheme: origin.scheme.rawValue, serverHost: origin.host, serverPort: Int(origin.port),
            serverBasePath: configuration.basePath)
        let kit = SimulatedNISDK(
            setup, terminal: backend.rules.terminals[0], clock: scheduler, executor: scheduler, reader: simulated,
            transport: transport)
        if let reading { kit.play(reading: reading) }
        return NIMobileDriver(NIDriver(configuration, tools), bend(kit))
    }

    private func configured(_ configuration: NIConfiguration) -> NIConfiguration {
        var configuration = configuration
        (configuration.isSoleUser, configuration.deviceIdentifier) = (true, "till-1")
        (configuration.webhookSecret, configuration.link) = (backend.rules.webhookValue, link)
        return configuration
    }

    func scripted(_ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind)
        -> TestPayment?
    {
        if link == .mobile, [.noCard, .unreadableCard, .busyOnce].contains(script) { return nil }
        return TapTestPayments(reader: simulated, currency: .aed).scripted(script, operation, asksAfterwards: false)
    }

    func settle() -> Bool {
        backend.settleNow()
        return true
    }
}

/// The merchant's server, which has the API key and a line of its own: it gives phones the platform's answer with a device
/// token.
private struct NIMerchantServer {
    let backend: NISimulator
    let origin: Origin

    func deviceToken() async throws -> Secret {
        let service = try await post("/identity/auth/access-token", backend.rules.apiKey, [:])
        let token = try JSONReader().read(Array(service.expose().utf8))["access_token"]?.string ?? ""
        return try await post(
            "/identity/outlets/\(backend.rules.outlet)/devices/auth", Secret(token),
            [
                "deviceCode": "000C69", "userCode": "user-1", "tid": .string(backend.rules.terminals[0]),
                "deviceIdentifier": "till-1",
            ])
    }

    private func post(_ path: String, _ token: Secret, _ body: JSON) async throws -> Secret {
        let type = "application/vnd.ni-identity.v1+json"
        let answer = await backend.answer(
            HTTPRequest(
                "POST", origin, path,
                headers: ["Authorization": "Bearer \(token.expose())", "Content-Type": type, "Accept": type],
                body: body.bytes()))
        guard case .reply(let response) = answer, (200..<300).contains(response.status) else {
            throw PaymentError.notExecuted(.authentication, "the platform gave no token")
        }
        return Secret(String(decoding: response.body, as: UTF8.self))
    }
}
