internal import PaymentBase
public import PaymentConformance
public import PaymentModel
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

extension ConformanceProfile {
    /// What can't be played where every card is tapped; why nothing is asked for, differs.
    mutating func takesTapsAlone(clarification: String) {
        let atOnce = "a tap is answered with its decision, or it is pending until it is decided"
        unsupportedOutcomes = [
            .wrongSecurityCode: "a card that is tapped has no security code to type",
            .decidedSoon: atOnce, .decidedLate: atOnce,
            .partial: "nothing on this wire asks for a partial approval",
            .challenge: "a card that is present is not challenged",
            .clarification: clarification,
        ]
    }

    /// What stays open of an operation under some faults, in so many cases of each.
    mutating func leavesOpen(_ operation: PaymentOperation, _ cases: Int, under faults: [String], _ reason: String) {
        for fault in faults { expectedOpenAttempts[.init(operation, fault)] = .init(cases, reason) }
    }

    /// What is different where a vendor's kit reads the card.
    mutating func kitReadsCards() {
        cardAfterMilliseconds = 550
        unsupportedOutcomes[.unreadableCard] =
            "the kit's document has no word for a card that can't be read; the reader's own screen asks again"
    }

    /// What is different where a vendor's kit has no word for what is busy behind it.
    mutating func kitKnowsNoBusy(_ what: String) {
        let reason = "the kit's document has no word for a \(what) that is busy: it is unknown until it is looked up"
        unsupportedOutcomes[.busyOnce] = reason
        leaveOut("status.429", because: reason)
        expectedOpenAttempts = expectedOpenAttempts.filter { $0.key.fault != "status.429" }
    }

    /// What is different where a call of the vendor's kit may show several cards and its process is lost: a decline that is found
    /// at once may be followed by an approval of another card, so that it counts a quiet period later, at a later look.
    mutating func declinesCountLater() {
        leavesOpen(
            .sale, 1, under: ["journal.lost"],
            "another card may be approved in the same call of the kit: a decline that is found counts at a later look")
    }
}

extension ConformanceHarness {
    /// The same with another value of a member.
    func with<Value>(_ member: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var copy = self
        copy[keyPath: member] = value
        return copy
    }
}

extension SimulatedOutcome {
    /// How long a card stays in the field, so that a check can meet it there, in milliseconds.
    public static let fieldMilliseconds: Int64 = 200

    /// After how long a customer who takes his time holds the card to the reader, in milliseconds.
    public static let slowMilliseconds: Int64 = 100_000

    /// The card that the script needs in front of the simulated reader; nil for none.
    ///
    /// - Parameters:
    ///   - number: The card's number.
    ///   - asksAfterwards: Whether the provider asks for the PIN after the card was read.
    public func card(_ number: String, asksAfterwards: Bool) -> SimulatedReader.Card? {
        var card = SimulatedReader.Card(number: number)
        card.fieldMilliseconds = Self.fieldMilliseconds
        switch self {
        case .noCard: return nil
        case .unreadableCard: card.failure = .unreadable
        case .slowCustomer: card.tapMilliseconds = Self.slowMilliseconds
        case .pin: card.verification = asksAfterwards ? .none : .rightPIN
        case .wrongPIN:
            card.verification = asksAfterwards ? .none : .wrongPIN
            card.typedPIN = Secret("0000")
        case .noPIN:
            card.verification = asksAfterwards ? .none : .bypassedPIN
            card.typedPIN = nil
        case .approved, .insufficientFunds, .lostCard, .expiredCard, .doNotHonor, .wrongSecurityCode, .pending,
            .decidedSoon, .decidedLate, .partial, .challenge, .clarification, .replyLost, .requestLost,
            .unknownWord, .failsAfter, .busyOnce,
            .wrongEcho:
            break
        }
        return card
    }

    /// The reason and the code of ISO 8583 with which it is declined.
    ///
    /// - Parameter securityCode: The provider's own code for a wrong security code; nil where it has none.
    public func declineByISO(securityCode: String? = nil) -> (Decline.Reason?, String?) {
        switch self {
        case .insufficientFunds: (.insufficientFunds, "51")
        case .lostCard: (.lostCard, "41")
        case .expiredCard: (.expiredCard, "54")
        case .doNotHonor: (.doNotHonor, "05")
        case .wrongPIN: (.incorrectPIN, "55")
        case .wrongSecurityCode: securityCode.map { (.incorrectSecurityCode, $0) } ?? (nil, nil)
        case .approved, .pending, .decidedSoon, .decidedLate, .slowCustomer, .partial, .challenge, .clarification, .pin,
            .noPIN, .noCard, .unreadableCard, .replyLost, .requestLost, .unknownWord, .failsAfter, .busyOnce,
            .wrongEcho:
            (nil, nil)
        }
    }
}

extension SimulatedOutcome {
    /// The simulated providers' own script, played by the amount; nil where a card or nothing causes it.
    var amountScript: TestAmount? {
        switch self {
        case .insufficientFunds: .insufficientFunds
        case .lostCard: .lostCard
        case .expiredCard: .expired
        case .pending: .pends
        case .decidedSoon: .decidesSoon
        case .decidedLate: .decidesLate
        case .partial: .approvesHalf
        case .challenge: .challenges
        case .clarification: .clarifies
        case .pin, .wrongPIN, .noPIN: .asksPIN
        case .replyLost: .losesReply
        case .requestLost: .losesRequest
        case .unknownWord: .saysUnknownWord
        case .failsAfter: .failsAfter
        case .busyOnce: .busyOnce
        case .wrongEcho: .echoesOther
        case .approved, .slowCustomer, .doNotHonor, .wrongSecurityCode, .noCard, .unreadableCard: nil
        }
    }
}
