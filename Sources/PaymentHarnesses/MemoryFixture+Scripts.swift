internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentConformance
internal import PaymentSimulator

extension MemoryFixture {
    func scripted(_ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind)
        -> TestPayment?
    {
        simulated.present(script.card(Self.number(script), asksAfterwards: true))
        let base: Int64 = operation.isOrigin ? 5_000 : 1_000
        guard let from = self.source(script, source) else { return nil }
        var scripted = TestPayment(Money(minorUnits: base + (script.amountScript?.rawValue ?? 0), .eur), from)
        (scripted.reason, scripted.code) = script.declineByISO(securityCode: "82")
        scripted.secrets = Self.secrets(script, source)
        return scripted
    }

    private func source(_ script: SimulatedOutcome, _ kind: PaymentSource.Kind) -> PaymentSource? {
        switch kind {
        case .reader: return .reader
        case .card:
            let card = try? KeyedCard(number: Self.number(script), expiryMonth: 12, expiryYear: 30, securityCode: "737")
            return card.map { .card($0) }
        case .external:
            var read = ExternalCardData(.chip)
            read.track2 = Secret("track-2-data")
            return .external(read)
        case .wallet: return .wallet(WalletToken(.applePay, payload: Secret("wallet-payload")))
        case .saved: return .saved(.init(rawValue: "mi_1"))
        case .token: return .token(Secret("card-token"), last4: "1111")
        case .bank: return .bank(BankAccount(number: Secret("000123456789"), routing: Secret("011000015")))
        case .page: return .hostedPage
        }
    }

    private static func secrets(_ script: SimulatedOutcome, _ kind: PaymentSource.Kind) -> [String] {
        switch kind {
        case .reader: [number(script)]
        case .card: [number(script), "737"]
        case .external: ["track-2-data"]
        case .wallet: ["wallet-payload"]
        case .saved, .page: []
        case .token: ["card-token"]
        case .bank: ["000123456789", "011000015"]
        }
    }

    private static func number(_ script: SimulatedOutcome) -> String {
        let numbers: [SimulatedOutcome: String] = [
            .doNotHonor: "4000000000000002", .wrongSecurityCode: "4000000000000127",
        ]
        return numbers[script] ?? cardNumber
    }
}
