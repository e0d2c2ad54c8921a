internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentConformance
internal import PaymentSandbox

extension MemoryFixture {
    func scripted(_ script: PaymentScript, _ operation: PaymentOperation, _ source: SourceKind) -> ScriptedPayment? {
        simulated.present(script.card(Self.number(script), asksAfterwards: true))
        let base: Int64 = operation.isOrigin ? 5_000 : 1_000
        guard let from = self.source(script, source) else { return nil }
        var scripted = ScriptedPayment(Money(minorUnits: base + (script.amountScript?.rawValue ?? 0), .eur), from)
        (scripted.reason, scripted.code) = script.declineByISO(securityCode: "82")
        scripted.secrets = Self.secrets(script, source)
        return scripted
    }

    private func source(_ script: PaymentScript, _ kind: SourceKind) -> PaymentSource? {
        switch kind {
        case .reader: return .reader
        case .card:
            let card = try? KeyedCard(number: Self.number(script), expiryMonth: 12, expiryYear: 30, securityCode: "737")
            return card.map { .card($0) }
        case .external:
            var read = ExternalRead(.chip)
            read.track2 = Secret("track-2-data")
            return .external(read)
        case .wallet: return .wallet(WalletToken(.applePay, payload: Secret("wallet-payload")))
        case .saved: return .saved(.init(rawValue: "mi_1"))
        case .token: return .token(Secret("card-token"), last4: "1111")
        case .bank: return .bank(BankAccount(number: Secret("000123456789"), routing: Secret("011000015")))
        case .page: return .page
        }
    }

    private static func secrets(_ script: PaymentScript, _ kind: SourceKind) -> [String] {
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

    private static func number(_ script: PaymentScript) -> String {
        let numbers: [PaymentScript: String] = [
            .doNotHonor: "4000000000000002", .wrongSecurityCode: "4000000000000127",
        ]
        return numbers[script] ?? cardNumber
    }
}
