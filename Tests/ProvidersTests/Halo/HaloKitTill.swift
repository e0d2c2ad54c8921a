import HaloProvider
import PaymentAbstraction
import PaymentBase
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import PaymentTransport

/// A till whose phone runs the kit, in front of the simulated provider.
struct HaloKitTill: ProviderTill {
    let inner: HaloTill
    let kit: SimulatedHaloSDK
    /// What stands before the kit.
    var bend: @Sendable (any HaloPhoneSDK.SDK) -> any HaloPhoneSDK.SDK = { $0 }

    var scheduler: TestScheduler { inner.scheduler }
    var backend: HaloSimulator { inner.backend }

    init(passthroughFields: String? = nil) {
        var till = HaloTill()
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
