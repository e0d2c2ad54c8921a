internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentConformance
internal import PaymentSimulator

extension ARISEFixture {
    func scripted(_ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind)
        -> TestPayment?
    {
        let missing: [SimulatedOutcome] = [.challenge, .clarification, .decidedSoon, .decidedLate]
        if missing.contains(script) { return nil }
        if isKit, script == .unreadableCard { return nil }
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
