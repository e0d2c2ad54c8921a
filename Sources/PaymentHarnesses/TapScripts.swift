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
        guard let digits = Self.digits(script) else { return nil }
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

    /// The last three digits of the amount, which steer the provider.
    private static func digits(_ script: PaymentScript) -> Int64? {
        switch script {
        case .approved, .doNotHonor, .noCard, .unreadableCard: 0
        case .insufficientFunds: AmountScript.insufficientFunds.rawValue
        case .lostCard: AmountScript.lostCard.rawValue
        case .expiredCard: AmountScript.expired.rawValue
        case .pending: AmountScript.pends.rawValue
        case .pin, .wrongPIN, .noPIN: AmountScript.asksPIN.rawValue
        case .replyLost: AmountScript.losesReply.rawValue
        case .requestLost: AmountScript.losesRequest.rawValue
        case .unknownWord: AmountScript.saysUnknownWord.rawValue
        case .failsAfter: AmountScript.failsAfter.rawValue
        case .busyOnce: AmountScript.busyOnce.rawValue
        case .wrongEcho: AmountScript.echoesOther.rawValue
        case .wrongSecurityCode, .partial, .challenge, .clarification: nil
        }
    }
}
