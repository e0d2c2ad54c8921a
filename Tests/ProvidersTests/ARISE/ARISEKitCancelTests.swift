import ARISEProvider
import PaymentAbstraction
import PaymentBase
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// The link `kit`: a cancelled wait for a card, whichever end the SDK gives its call, and what is kept of a success.
@Suite struct ARISEKitCancelTests {
    @Test(arguments: SimulatedARISESDK.CancelShape.allCases)
    func wait_cancelledByTheMerchant_isCancelledInEveryShape(_ shape: SimulatedARISESDK.CancelShape) throws {
        var till = ARISEKitTill()
        till.inner.change = { $0.isSoleUser = false }
        till.kit.cancels(as: shape)
        till.inner.reader.present(nil)
        let client = try till.client()
        let (answer, result) = try till.scheduler.run { [scheduler = till.scheduler] in
            let sale = Task(executorPreference: scheduler) { try await ARISEKitTill.sale(client) }
            try await scheduler.sleep(until: scheduler.now + 700)
            return (try await client.reader?.cancel(), try? await sale.value)
        }
        var by: Cancellation.Cause?
        if case .cancelled(let cancellation)? = result { by = cancellation.cause }
        #expect(answer == .cancelled && by == .merchant && till.charged.isEmpty)
    }

    /// A failure without a code, and no event of a cancelled read: unknown.
    @Test func failure_withoutACodeAndWithoutACancel_isUnknown() throws {
        var till = ARISEKitTill()
        till.inner.change = { $0.isSoleUser = false }
        till.kit.play(.loses(.ttp(.transactionFailed(.init(rawValue: ""), "-"))))
        #expect(try till.told() == "providerFailed unknown" && till.charged == [1_500])
    }

    /// The result's amount can't be read: the payment is found by the vendor's own name of it, not by its likeness.
    @Test func approval_withAnUnreadableAmount_isFoundByItsTransaction() throws {
        var till = ARISEKitTill()
        till.inner.change = { $0.isSoleUser = false }
        till.kit.play(.echoes("fifteen"))
        #expect(try till.told() == "approved 1500" && till.charged == [1_500])
    }
}
