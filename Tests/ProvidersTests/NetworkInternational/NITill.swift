import NetworkInternationalProvider
import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import PaymentTransport

/// A till in front of the simulated provider.
struct NITill: ProviderTill {
    let scheduler: TestScheduler
    let backend: NISimulator
    let reader: SimulatedReader
    var configuration: NIConfiguration
    var tools: ProviderDependencies
    let journal = InMemoryJournal()
    /// Where all clients of the till draw from: two clients never draw the same id.
    let random = SeededRandom(seed: 1)

    init(now: Int64 = 1_767_225_600_000, rules: NISimulator.Rules = NISimulator.Rules()) {
        scheduler = TestScheduler(now: now)
        backend = NISimulator(clock: scheduler, rules: rules)
        reader = SimulatedReader(clock: scheduler, executor: scheduler)
        let origin = Origin(.http, "ni.test")
        configuration = NIConfiguration(
            endpoint: origin, outlet: rules.outlet, terminal: rules.terminals[0], deviceCode: "000C69",
            userCode: "user-1", apiKey: rules.apiKey)
        configuration.isSoleUser = true
        configuration.deviceIdentifier = "till-1"
        configuration.webhookSecret = rules.webhookValue
        tools = ProviderDependencies(transport: InProcessTransport([origin: JudgedService(backend)]))
    }

    func client() throws -> PaymentClient {
        var given = ClientOptions(journal: journal)
        (given.clock, given.executor, given.reader) = (scheduler, scheduler, reader)
        given.random = random
        return try PaymentClient(NIDriver(configuration, tools), given)
    }

    func advance(hours: Int64) { scheduler.advance(by: hours * 3_600_000) }
}

extension Money {
    static func aed(_ units: Int64) -> Money { Money(minorUnits: units, .aed) }
}
