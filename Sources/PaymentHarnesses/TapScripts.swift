internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentConformance
internal import PaymentSandbox

/// By which amount and card a provider that reads cards by tap is brought to do what a script says.
struct TapScripts {
    let reader: SimulatedReader
    let currency: Currency
    /// How the provider's own codes for declines are written.
    var code: @Sendable (String) -> String = { $0 }

    static let cardNumber = "4111111111111111"

    /// Lays the card and gives the cue; nil where the script needs what no card reader has.
    func scripted(_ script: PaymentScript, _ operation: PaymentOperation, asksAfterwards: Bool) -> ScriptedPayment? {
        let missing: [PaymentScript] = [.wrongSecurityCode, .partial, .challenge, .clarification]
        if missing.contains(script) { return nil }
        let digits = script.amountScript?.rawValue ?? 0
        reader.present(script.card(Self.number(script), asksAfterwards: asksAfterwards))
        let base: Int64 = operation.isOrigin ? 5_000 : 1_000
        var scripted = ScriptedPayment(Money(minorUnits: base + digits, currency), .reader)
        let (reason, code) = script.declineByISO()
        (scripted.reason, scripted.code) = (reason, code.map(self.code))
        scripted.secrets = [Self.number(script)]
        return scripted
    }

    private static func number(_ script: PaymentScript) -> String {
        script == .doNotHonor ? "4000000000000002" : cardNumber
    }
}
