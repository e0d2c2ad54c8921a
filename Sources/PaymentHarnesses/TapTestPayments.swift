public import PaymentAbstraction
internal import PaymentBase
public import PaymentConformance
public import PaymentSimulator

/// By which amount and card a provider that reads cards by tap is brought to do what a script says.
///
/// The amount's last three digits are those of ``PaymentSimulator/AmountScript``, the card lies in front of the
/// simulated reader.
///
/// ```swift
/// func scripted(_ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind) ->
///     TestPayment? { TapTestPayments(reader: simulated, currency: .eur).scripted(script, operation, asksAfterwards:
/// true) }
/// ```
public struct TapTestPayments: Sendable {
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
        _ script: SimulatedOutcome, _ operation: PaymentOperation, asksAfterwards: Bool
    ) -> TestPayment? {
        let missing: [SimulatedOutcome] = [
            .wrongSecurityCode, .decidedSoon, .decidedLate, .partial, .challenge, .clarification,
        ]
        if missing.contains(script) { return nil }
        let digits = script.amountScript?.rawValue ?? 0
        reader.present(script.card(Self.number(script), asksAfterwards: asksAfterwards))
        let base: Int64 = operation.isOrigin ? 5_000 : 1_000
        var scripted = TestPayment(Money(minorUnits: base + digits, currency), .reader)
        let (reason, code) = script.declineByISO()
        (scripted.reason, scripted.code) = (reason, code.map(self.code))
        scripted.secrets = [Self.number(script)]
        return scripted
    }

    /// The number of the card that a script needs.
    static func number(_ script: SimulatedOutcome) -> String {
        script == .doNotHonor ? "4000000000000002" : cardNumber
    }
}
