import PaymentAbstraction
import PaymentBase
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

@testable import HaloProvider

/// A gateway in front of the provider's server refuses what the kit submits, after the server has carried it out.
@Suite struct HaloKitGatewayTests {
    @Test(arguments: [WireFault.status401After, .status403After, .status404After, .status429After])
    func tap_refusedByAGatewayAfterItWasCarriedOut_isNeverToldAsNothing(_ fault: WireFault) throws {
        let till = HaloKitTill()
        let plan = FaultPlan()
        let injector = FaultInjector(till.backend, plan: plan, clock: till.scheduler)
        let kit = SimulatedHaloSDK(
            clock: till.scheduler, executor: till.scheduler, reader: till.inner.reader,
            transport: InProcessTransport([Origin(.http, "halo.test"): injector], clock: till.scheduler),
            origin: Origin(.http, "halo.test"))
        var bent = till
        bent.bend = { _ in kit }
        var rule = FaultRule(fault, times: 2)
        rule.path = "/transactions/apple"
        plan.arm(rule)
        let told: String
        do {
            let result = try bent.play { try await HaloTill.sale($0) }
            told = result.payment.map { "approved \($0.approved.minorUnits)" } ?? "\(result)"
        } catch let error as PaymentError { told = "\(error.code.rawValue) \(error.outcome)" }
        #expect(!plan.played.isEmpty && till.charged == [1_500])
        #expect(told == "approved 1500" || told.hasSuffix(" unknown"), "\(told)")
    }
}
