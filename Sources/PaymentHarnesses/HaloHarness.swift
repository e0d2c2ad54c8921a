internal import HaloProvider
public import PaymentConformance
public import PaymentMobileSDKs
internal import PaymentProviderKit
public import PaymentSimulator
public import PaymentTesting

/// The harness of Halo's drivers: every script by amount or card, every fault of the sandbox.
public struct HaloHarness: ConformanceHarness {
    public let name: String
    public let declaration: ConformanceProfile

    private let injector: ConnectionKind
    /// Who reads the card.
    private let link: HaloConfiguration.Integration
    /// What is between the driver and the kit.
    private var bend: @Sendable (any HaloPhoneSDK.SDK) -> any HaloPhoneSDK.SDK = { $0 }
    /// The reading of the documents that its provider plays; nil for the usual one.
    private var reading: String?

    /// Makes the harness of an own reader.
    public init(_ injector: ConnectionKind = .inProcess) { self.init("halo", .reader, injector) }

    /// The harnesses of both who can read the card.
    public static func all(_ injector: ConnectionKind = .inProcess) -> [HaloHarness] {
        [HaloHarness(injector), HaloHarness("halo-kit", .mobile, injector)]
    }

    private init(_ name: String, _ link: HaloConfiguration.Integration, _ injector: ConnectionKind) {
        (self.name, self.link, self.injector) = (name, link, injector)
        var declaration = ConformanceProfile(faults: InjectedFault.sandbox)
        declaration.currencies = [.zar, .usd, .jpy, .kwd, .clf]
        declaration.secrets = ["halo-simulated-office-key"]
        declaration.decidedAfterMilliseconds = 150_000
        // Older card data is refused.
        declaration.executesWithinMilliseconds = 60_000
        declaration.leavesOpen(
            .refund, 2, under: InjectedFault.traceless + ["status.429"],
            "a refund of the back office has no limit in time, so that absence proves nothing")
        declaration.takesTapsAlone(clarification: "this wire asks for nothing but a PIN")
        if link == .mobile { Self.declareKit(&declaration) }
        self.declaration = declaration
    }

    /// What is different where the vendor's kit reads the card.
    private static func declareKit(_ declaration: inout ConformanceProfile) {
        declaration.kitReadsCards()
        // A call may wait for its card before it submits, and what it submits is taken for a minute.
        declaration.decidedAfterMilliseconds = 400_000
        declaration.kitKnowsNoBusy("server")
        declaration.declinesCountLater()
    }

    public func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture {
        // Under the usual reading the merchant has found out that searches show everything; else the adapter is as it
        // comes.
        var fixture = try HaloFixture(
            scheduler, link, injector, search: reading == nil ? .proven : .unproven)
        try fixture.connection.play(reading, fixture.backend)
        fixture.bend = bend
        return fixture
    }

    /// The same with something between the driver and the kit.
    public func bending(
        _ bend: @escaping @Sendable (any HaloPhoneSDK.SDK) -> any HaloPhoneSDK.SDK
    ) -> HaloHarness { with(\.bend, bend) }
}

extension HaloHarness: VariantHarness {
    public var readings: [BehaviorVariant] {
        if link == .reader { return HaloSimulator.readings }
        // The kit has no word of its own for a currency that is refused, so that nothing is proven.
        return HaloSimulator.readings.map { $0.id == "halo.currency.one/2" ? $0.expecting(.unknown) : $0 }
    }

    public func using(variant reading: String) -> HaloHarness { with(\.reading, reading) }
}

/// One fresh provider with one till in front of it, and the merchant's backend that signs tokens.
struct HaloFixture: ControllableFixture {
    let backend: HaloSimulator
    var connection: SimulatorConnection
    let simulated: SimulatedReader
    let scheduler: TestScheduler
    let tokens = Locked(0)
    var bend: @Sendable (any HaloPhoneSDK.SDK) -> any HaloPhoneSDK.SDK = { $0 }
    private let link: HaloConfiguration.Integration
    private let search: HaloConfiguration.AbsenceProof

    init(
        _ scheduler: TestScheduler, _ link: HaloConfiguration.Integration, _ injector: ConnectionKind,
        search: HaloConfiguration.AbsenceProof
    ) throws {
        (self.link, self.search) = (link, search)
        let backend = HaloSimulator(clock: scheduler)
        (self.scheduler, self.backend) = (scheduler, backend)
        connection = try SimulatorConnection([backend], scheduler, injector)
        simulated = SimulatedReader(clock: scheduler, executor: scheduler)
    }

    /// A kit keeps the reader for itself.
    var reader: (any CardReader)? { link == .mobile ? nil : simulated }

    /// A kit renews its own token, unseen.
    func revoke() -> Bool {
        backend.revokeTokens()
        return link == .reader
    }

    func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
        let source = SecretSource("the merchant's backend") { [scheduler, backend, tokens] in
            let number = tokens.withLock { number in
                number += 1
                return number
            }
            return backend.merchant.token(now: scheduler.now, number: number)
        }
        var configuration = HaloConfiguration(
            endpoint: connection.origin(of: backend.name), merchant: backend.merchant.merchant, token: source)
        configuration.audience = backend.merchant.audience
        configuration.backOfficeKey = backend.officeKey
        configuration.search = search
        configuration.link = link
        let transport = connection.transport(interceptor)
        let driver = HaloDriver(configuration, ProviderDependencies(transport: transport))
        if link == .reader { return driver }
        let kit = SimulatedHaloSDK(
            clock: scheduler, executor: scheduler, reader: simulated, transport: transport,
            origin: connection.origin(of: backend.name))
        return HaloMobileDriver(driver, bend(kit))
    }

    func scripted(_ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind)
        -> TestPayment?
    {
        if link == .mobile, script == .unreadableCard || script == .busyOnce { return nil }
        let scripts = TapTestPayments(reader: simulated, currency: .zar)
        guard var scripted = scripts.scripted(script, operation, asksAfterwards: true) else { return nil }
        // The kit says only that it is declined; the reason is read in the record, by whose code it is not recognised.
        if link == .mobile { scripted.code = nil }
        return scripted
    }
}
