internal import ARISEProvider
public import PaymentConformance
internal import PaymentLinux
public import PaymentMobileSDKs
internal import PaymentProviderKit
public import PaymentSimulator
public import PaymentTesting

/// The harness of the ARISE drivers.
public struct ARISEHarness: ConformanceHarness {
    public let name: String
    public let declaration: ConformanceProfile

    private let injector: ConnectionKind
    /// Who reads a card that is tapped.
    private let link: ARISEConfiguration.Integration
    /// What is between the driver and the kit.
    private var bend: @Sendable (any ARISEPhoneSDK.TappingSdk) -> any ARISEPhoneSDK.TappingSdk = { $0 }
    /// The reading of the documents that its provider plays; nil for the usual one.
    private var reading: String?

    /// Makes the harness of an own reader.
    public init(_ injector: ConnectionKind = .inProcess) { self.init("arise", .reader, injector) }

    /// The harnesses of both who can read a card.
    public static func all(_ injector: ConnectionKind = .inProcess) -> [ARISEHarness] {
        [ARISEHarness(injector), ARISEHarness("arise-kit", .mobile, injector)]
    }

    private init(_ name: String, _ link: ARISEConfiguration.Integration, _ injector: ConnectionKind) {
        (self.name, self.link, self.injector) = (name, link, injector)
        var declaration = ConformanceProfile(faults: InjectedFault.sandbox)
        declaration.currencies = [.usd]
        declaration.secrets = ["arise-client-secret", "arise-webhook-secret"]
        declaration.expectedDoubleCharges = InjectedFault.executedTwice(
            "ARISE promises no idempotency key, and its control of duplicates is opt-in")
        declaration.unrequestedPartialApprovals = "no member of a request says whether a part is wanted"
        let noQuestion = "ARISE asks the application nothing on the way"
        let atOnce = "ARISE answers with its decision, or it is pending until the processor decides"
        declaration.unsupportedOutcomes = [
            .challenge: noQuestion, .clarification: noQuestion, .decidedSoon: atOnce, .decidedLate: atOnce,
        ]
        // What never arrived leaves nothing behind, and no call of ARISE proves that nothing is there.
        // The same of what a gateway refuses.
        let lost = InjectedFault.traceless + ["status.401", "status.429"]
        let cases: [PaymentOperation: Int] = [
            .sale: 8, .authorize: 1, .capture: 2, .void: 2, .refund: 2, .unlinkedRefund: 1, .tipAdjustment: 1,
        ]
        for (operation, cases) in cases {
            declaration.leavesOpen(
                operation, cases, under: lost,
                "nothing is left behind by what never arrived, and absence proves nothing at ARISE")
        }
        declaration.leavesOpen(
            .refund, 1, under: ["request.duplicated-unread"],
            "the payment shows two new refunds of our amount, and a person has to look at that")
        if link == .mobile { Self.declareKit(&declaration) }
        self.declaration = declaration
    }

    /// What is different where the vendor's kit reads the card.
    private static func declareKit(_ declaration: inout ConformanceProfile) {
        declaration.kitReadsCards()
        // Two of the walk's sales are taps.
        declaration.leavesOpen(
            .sale, 2, under: ["request.duplicated-unread"],
            "two payments could be the tap, which carries no reference, and a person has to look at that")
    }

    /// The same with something between the driver and the kit.
    public func bending(
        _ bend: @escaping @Sendable (any ARISEPhoneSDK.TappingSdk) -> any ARISEPhoneSDK.TappingSdk
    ) -> ARISEHarness { with(\.bend, bend) }

    public func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture {
        var fixture = try ARISEFixture(scheduler, injector, link)
        fixture.bend = bend
        // Under the usual reading the merchant has found out what a failure proves; else the adapter is as it comes.
        if reading == nil { fixture.failed = .final }
        fixture.reading = reading
        try fixture.connection.play(reading, fixture.backend)
        return fixture
    }
}

extension ARISEHarness: VariantHarness {
    public var readings: [BehaviorVariant] { ARISESimulator.readings }

    public func using(variant reading: String) -> ARISEHarness { with(\.reading, reading) }
}

/// One fresh ARISE, behind the front that plays faults.
struct ARISEFixture: ControllableFixture {
    let backend: ARISESimulator
    var connection: SimulatorConnection
    var failed = ARISEConfiguration.Failed.open
    let simulated: SimulatedReader
    let scheduler: TestScheduler
    /// The reading that the SDK plays, too.
    var reading: String?
    /// What the phone keeps over restarts.
    let session = SimulatedARISESDK.Session()
    var bend: @Sendable (any ARISEPhoneSDK.TappingSdk) -> any ARISEPhoneSDK.TappingSdk = { $0 }
    private let link: ARISEConfiguration.Integration

    init(
        _ scheduler: TestScheduler, _ injector: ConnectionKind = .inProcess,
        _ link: ARISEConfiguration.Integration = .reader,
        account: ARISEAccount = ARISEAccount()
    ) throws {
        let backend = ARISESimulator(clock: scheduler, account: account)
        (self.backend, self.scheduler, self.link) = (backend, scheduler, link)
        // The phone was activated once; a kit's preparation doesn't do that.
        if link == .mobile { backend.activate(SimulatedARISESDK.device) }
        connection = try SimulatorConnection([backend], scheduler, injector)
        simulated = SimulatedReader(clock: scheduler, executor: scheduler)
    }

    var isKit: Bool { link == .mobile }

    /// A kit keeps the reader for itself.
    var reader: (any CardReader)? { link == .mobile ? nil : simulated }

    func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
        let origin = connection.origin(of: backend.name)
        var configuration = ARISEConfiguration(
            endpoint: origin, oauth: origin, clientID: ARISESimulator.clientID, clientSecret: backend.clientSecret)
        (configuration.isSoleUser, configuration.failed, configuration.link) = (true, failed, link)
        configuration.webhookSecret = backend.webhookSecret
        configuration.requesterIPAddress = "198.51.100.47"
        let transport = connection.transport(interceptor)
        let driver = ARISEDriver(configuration, transport, crypto: OpenSSLCrypto())
        if link == .reader { return driver }
        let kit = SimulatedARISESDK(
            clock: scheduler, executor: scheduler, reader: simulated, transport: transport, origin: origin,
            session: session)
        if let reading { kit.play(reading: reading) }
        return ARISEMobileDriver(driver, bend(kit))
    }

    func settle() -> Bool {
        backend.settle()
        return true
    }
}

extension ARISEFixture {
    func scripted(_ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind)
        -> TestPayment?
    {
        let missing: [SimulatedOutcome] = [.challenge, .clarification, .decidedSoon, .decidedLate]
        if missing.contains(script) { return nil }
        if isKit, script == .unreadableCard { return nil }
        // A card in a reader has the expiry that it has, and no code is typed.
        if script == .expiredCard || script == .wrongSecurityCode, source != .card { return nil }
        simulated.present(script.card(TapTestPayments.number(script), asksAfterwards: false))
        guard let from = self.source(script, source) else { return nil }
        var scripted = TestPayment(Money(minorUnits: Self.cents(script, operation), .usd), from)
        (scripted.reason, scripted.code) = script.declineByISO(securityCode: "N7")
        scripted.secrets = Self.secrets(script, source)
        return scripted
    }

    private func source(_ script: SimulatedOutcome, _ kind: PaymentSource.Kind) -> PaymentSource? {
        switch kind {
        case .reader: return .reader
        case .card:
            let card = try? KeyedCard(
                number: TapTestPayments.number(script), expiryMonth: 12, expiryYear: script == .expiredCard ? 24 : 30,
                securityCode: script == .wrongSecurityCode ? "999" : "123")
            return card.map { .card($0) }
        case .external:
            var read = ExternalCardData(.swipe)
            read.track2 = Secret("4111111111111111=3012")
            (read.pinBlock, read.pinKeySerial) = (Secret("8F3A22C1D4E5B697"), Secret("FFFF9876543210E0"))
            return .external(read)
        case .saved: return .saved(.init(rawValue: ARISESimulator.storedCard))
        case .bank: return .bank(BankAccount(number: Secret("000123456789"), routing: Secret("011000015")))
        case .wallet, .token, .page: return nil
        }
    }

    private static func secrets(_ script: SimulatedOutcome, _ kind: PaymentSource.Kind) -> [String] {
        switch kind {
        case .reader, .card: [TapTestPayments.number(script)]
        case .external: ["4111111111111111", "8F3A22C1D4E5B697", "FFFF9876543210E0"]
        case .bank: ["000123456789", "011000015"]
        case .saved, .wallet, .token, .page: []
        }
    }

    /// The amount that steers the provider.
    private static func cents(_ script: SimulatedOutcome, _ operation: PaymentOperation) -> Int64 {
        if let whole: Int64 = [.insufficientFunds: 21, .lostCard: 7][script] { return whole }
        let steers = script != .expiredCard && script != .wrongPIN
        return (operation.isOrigin ? 5_000 : 1_000) + (steers ? script.amountScript?.rawValue ?? 0 : 0)
    }
}
