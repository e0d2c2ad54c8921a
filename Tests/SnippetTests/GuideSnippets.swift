import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import Testing

@Suite struct GuideSnippets {
    @Test func takingAPayment() throws {
        let till = Till()
        let payments = try till.client()
        try till.play {
            switch try await payments.sale(Money("49.99", .eur), from: .reader, reference: "order-1001") {
            case .approved(let payment): print(payment.id, payment.card?.last4 ?? "", payment.amounts.captured)
            case .declined(let decline): print(decline.reason, decline.provider.code)
            case .cancelled, .pending: break
            }
        }
        try till.play {
            let room = try await payments.authorize(Money("300.00", .eur), from: .reader, reference: "room-7")
            if let id = room.payment?.id {
                try await payments.capture(id, of: Money("180.00", .eur))
                try await payments.refund(id, of: Money("20.00", .eur))
            }
        }
        #expect(till.backend.ledger.balance(.merchant) == ["EUR": 4_999 + 16_000])
        try till.play {
            let sale = try await payments.sale(Money("5.00", .eur), from: .reader, reference: "order-1002")
            let sold = try #require(sale.payment)
            if let receipt = sold.receipt {
                print(receipt.merchant?.name ?? "", receipt.authorizationCode ?? "")
                for line in receipt.lines where line.copy == .customer { print(line.label, line.value ?? "") }
            }
        }
    }

    @Test func unknownOutcomes() throws {
        let till = Till()
        let payments = try till.client()
        try till.play {
            let attempt = try await payments.newAttempt()
            do {
                let result = try await payments.sale(
                    Money("49.99", .usd), from: .reader, reference: "order-1002", attempt: attempt)
                print(result.payment?.amounts.captured ?? "")
            } catch let error as PaymentError where error.outcome == .unknown {
                print("ask again later:", try await payments.status(attempt))
            }
        }
        #expect(till.backend.ledger.movements.count == 1)
    }
}
