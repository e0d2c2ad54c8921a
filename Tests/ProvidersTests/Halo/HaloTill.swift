import HaloProvider
import PaymentCore
import PaymentJournalKit
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting

/// A till in front of the simulated provider, with the merchant's backend behind it.
struct HaloTill: ProviderTill {
    let scheduler = TestScheduler()
    let backend: HaloSimulator
    let reader: SimulatedReader
    var merchant = HaloMerchant()
    var tools: ProviderDependencies
    var journal = InMemoryJournal()
    /// Where all clients of the till draw from: two clients never draw the same id.
    let random = SeededRandom(seed: 1)
    var algorithm = HaloConfiguration.Algorithm.rs256
    var locationPolicy = HaloConfiguration.LocationPolicy.optional
    var search = HaloConfiguration.AbsenceProof.unproven
    var hasOfficeKey = true
    var passthroughFields: String?
    var merchantReference = HaloConfiguration.MerchantReference.attempt
    /// How many tokens the merchant's backend gave out.
    let given = Locked(0)
    /// What the token provider does instead.
    var fails = false

    init(merchant: HaloMerchant = HaloMerchant()) {
        backend = HaloSimulator(clock: scheduler, merchant: merchant)
        reader = SimulatedReader(clock: scheduler, executor: scheduler)
        self.merchant = merchant
        tools = ProviderDependencies(
            transport: InProcessTransport([Origin(.http, "halo.test"): JudgedService(backend)]))
        tools.random = SeededRandom(seed: 7)
    }

    var driver: HaloDriver {
        let source = SecretSource("the merchant's backend") { [scheduler, merchant, given, fails] in
            if fails { throw CancellationError() }
            let number = given.withLock { number in
                number += 1
                return number
            }
            return merchant.token(now: scheduler.now, number: number)
        }
        var configuration = HaloConfiguration(
            endpoint: Origin(.http, "halo.test"), merchant: merchant.merchant, token: source)
        configuration.audience = "halo.sandbox"
        (configuration.algorithm, configuration.locationPolicy) = (algorithm, locationPolicy)
        (configuration.search, configuration.passthroughFields) = (search, passthroughFields)
        configuration.merchantReference = merchantReference
        if hasOfficeKey { configuration.backOfficeKey = backend.officeKey }
        return HaloDriver(configuration, tools)
    }

    func client() throws -> PaymentClient {
        var given = ClientOptions(journal: journal)
        (given.clock, given.executor, given.reader) = (scheduler, scheduler, reader)
        given.random = random
        return try PaymentClient(driver, given)
    }

    /// A sale of fifteen rand under an attempt of that name.
    static func sale(_ client: PaymentClient, _ units: Int64 = 1_500, _ name: String = "a-1") async throws
        -> PaymentResult
    {
        try await client.sale(
            Money(minorUnits: units, .zar), from: .reader, reference: "order_\(name)", attempt: try AttemptID(name))
    }
}

/// A till whose phone runs the kit, in front of the simulated provider.
struct HaloKitTill: ProviderTill {
    let inner: HaloTill
    let kit: SimulatedHaloSDK
    /// What stands before the kit.
    var bend: @Sendable (any HaloPhoneSDK.SDK) -> any HaloPhoneSDK.SDK = { $0 }

    var scheduler: TestScheduler { inner.scheduler }
    var backend: HaloSimulator { inner.backend }

    init(
        passthroughFields: String? = nil, merchantReference: HaloConfiguration.MerchantReference = .attempt
    ) {
        var till = HaloTill()
        till.merchantReference = merchantReference
        till.passthroughFields = passthroughFields
        inner = till
        kit = SimulatedHaloSDK(
            clock: inner.scheduler, executor: inner.scheduler, reader: inner.reader, transport: inner.tools.transport,
            origin: Origin(.http, "halo.test"))
    }

    func client() throws -> PaymentClient {
        var given = ClientOptions(journal: inner.journal)
        (given.clock, given.executor) = (scheduler, scheduler)
        given.random = inner.random
        return try PaymentClient(HaloMobileDriver(inner.driver, bend(kit)), given)
    }

    var charged: [Int64] { backend.ledger.movements.map(\.amount.minorUnits) }
}
