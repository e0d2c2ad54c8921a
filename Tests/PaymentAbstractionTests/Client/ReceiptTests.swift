import PaymentModel
import Testing

/// What a sale shows once a webhook says less about it than the reply did.
@Suite struct ReceiptTests {
    private static let at = Attempt.Instant(wall: 1_000, uptime: 1_000)

    /// A sale that its reply approved with card, receipt and saved instrument, and then a message with a name alone.
    private static func sale(isMessageFirst: Bool) throws -> Attempt {
        let amount = Money(minorUnits: 2_500, .eur)
        let account = ProviderIdentity("p", adapter: "p", environment: "test", merchant: "m-1")
        var approval = Approval(amount, references: ["payment": "p-1"], card: CardSummary(brand: "visa", last4: "1111"))
        approval.saved = SavedInstrument(.init(rawValue: "saved-1"))
        var receipt = Receipt()
        receipt.authorizationCode = "A12345"
        approval.receipt = receipt
        var sale = Attempt(.init(try AttemptID("sale"), .sale, amount))
        sale.apply(.run(.init(number: 1, account: account, owner: "till", begunAt: at, end: .owner)))
        sale.apply(.request(.init(number: 1, run: 1, key: nil, sendLimit: 0, openedAt: at)))
        sale.apply(.closed(request: 1, .answered, at: at))
        sale.apply(.named(.init(account: account, value: "p-1", request: 1)))
        let said = Approval(amount, references: ["payment": "p-1", "capture": "c-1"])
        let message = Attempt.Evidence.webhook(id: "w-1", providerTime: 2_000)
        let reports: [(Verdict, Attempt.Evidence, request: Int?)] = [
            (.approved(approval), .reply, 1), (.approved(said), message, nil),
        ]
        for (index, report) in (isMessageFirst ? reports.reversed() : reports).enumerated() {
            sale.apply(
                .report(.init(.verdict(report.0), report.1, run: 1, request: report.request, entry: index + 1, at: at)))
        }
        return sale
    }

    @Test(arguments: [false, true]) func webhook_thatSaysLessThanTheReply_takesNothingAway(isFirst: Bool) throws {
        let sale = try Self.sale(isMessageFirst: isFirst)
        #expect(sale.approval?.references == ["payment": "p-1", "capture": "c-1"])
        #expect(sale.approval?.receipt?.authorizationCode == "A12345")
        #expect(sale.approval?.saved?.id.rawValue == "saved-1")
        #expect(PaymentRecord([sale]).card?.last4 == "1111")
    }
}
