public import PaymentAbstraction
internal import PaymentBase
public import PaymentConformance
public import PaymentSimulator

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
    /// The simulated providers' own script, played by the amount; nil where a card or nobody brings it about.
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
