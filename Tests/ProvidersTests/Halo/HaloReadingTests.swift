import HaloProvider
import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTesting
import Testing

/// What the documents leave open, and what the adapter makes of it.
@Suite struct HaloReadingTests {
    /// What is said of a sale, long after its request or its answer was lost.
    private func said(_ till: HaloTill, _ units: Int64) -> PaymentError? {
        till.failure { [scheduler = till.scheduler] client in
            do { _ = try await HaloTill.sale(client, units) } catch {}
            try await scheduler.sleep(until: scheduler.now + 80_000)
            _ = try await client.status(try AttemptID("a-1"))
        }
    }

    @Test func anEmptySearchProvesNothingUnlessSomebodySaysThatItDoes() throws {
        let till = HaloTill()
        #expect(till.backend.play("halo.search.silently-empty/4"))
        let doubt = said(till, 1_013)
        #expect(doubt?.outcome == .unknown, "it was charged, and can't be tried again: \(String(describing: doubt))")
        var told = HaloTill()
        told.search = .proven
        #expect(said(told, 1_014) == PaymentError(.notReceived, outcome: .notExecuted))
    }

    @Test func aRefundThatIsReadInAnotherUnitIsNotTold() throws {
        let till = HaloTill()
        #expect(till.backend.play("halo.refund.amount-unit/2"))
        let error = till.failure { client in
            guard let payment = try await HaloTill.sale(client).payment else { return }
            _ = try await client.refund(payment.id, of: Money(minorUnits: 500, .zar))
        }
        #expect(error?.outcome == .unknown && error?.detail.contains("refundAmounts") == true)
        #expect(till.backend.ledger.movements.last?.amount.minorUnits == 5)
    }

    @Test(arguments: ["/2", "/3"]) func theReceiptSaysWhatARecordIsAbout(_ number: String) throws {
        let till = HaloTill()
        #expect(till.backend.play("halo.record.amount-unit" + number))
        let page = try till.play { client in
            _ = try await HaloTill.sale(client)
            return try await client.provider("halo").transactions?.list()
        }
        #expect(page?.items.first?.amount == Money(minorUnits: 1_500, .zar))
    }

    @Test func anAnswerWithoutAnAmountIsAboutWhatWasRead() throws {
        let till = HaloTill()
        #expect(till.backend.play("halo.submit.no-amount/2"))
        let payment = try #require(try till.play { try await HaloTill.sale($0) }.payment)
        #expect(payment.approved == payment.requested)
    }
}
