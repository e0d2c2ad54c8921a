public import PaymentAbstraction
internal import PaymentBase
public import PaymentConformance
public import PaymentSandbox

/// By which amount and card a provider that reads cards by tap is brought to do what a script says.
///
/// The amount's last three digits are those of ``PaymentSandbox/AmountScript``, the card lies in front of the simulated
/// reader.
///
/// ```swift
/// func scripted(_ script: PaymentScript, _ operation: PaymentOperation, _ source: SourceKind) -> ScriptedPayment? {
///     TapScripts(reader: simulated, currency: .eur).scripted(script, operation, asksAfterwards: true)
/// }
/// ```
public struct TapScripts: Sendable {
    let reader: SimulatedReader
    let currency: Currency
    /// How the provider's own codes for declines are written; as ISO 8583 has them unless it is said otherwise.
    public var code: @Sendable (String) -> String = { $0 }

    static let cardNumber = "4111111111111111"

    /// Plays scripts in front of a reader, in one currency.
    public init(reader: SimulatedReader, currency: Currency) { (self.reader, self.currency) = (reader, currency) }

    /// Lays the card and names the payment; nil where the script needs what no card reader has.
    ///
    /// - Parameters:
    ///   - script: What the payment is to meet.
    ///   - operation: What is asked for.
    ///   - asksAfterwards: Whether the provider asks for the PIN after the card was read, and the reader doesn't.
    public func scripted(
        _ script: PaymentScript, _ operation: PaymentOperation, asksAfterwards: Bool
    ) -> ScriptedPayment? {
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
