internal import AdyenProvider
internal import PaymentAbstraction
internal import PaymentConformance
internal import PaymentSimulator

extension AdyenFixture {
    func scripted(_ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind)
        -> TestPayment?
    {
        if source == .saved { return saved(script, operation) }
        guard source == .reader, !(script == .busyOnce && (link == .cloudAsync || link == .mobile)),
            !(script == .noCard && link == .mobile)
        else { return nil }
        var digits: Int64 = 0
        if operation.isOrigin {
            guard let steered = Self.digits(script) else { return nil }
            digits = steered
        } else if script != .approved, script != .pending {
            return nil
        }
        lay(script)
        var scripted = TestPayment(Money(minorUnits: (operation.isOrigin ? 5_000 : 1_000) + digits, .eur), .reader)
        (scripted.reason, scripted.code) = Self.declines[script] ?? (nil, nil)
        // The check that changes this code on the line finds it only in an answer to the payment itself, in the clear.
        if script == .insufficientFunds, link == .local || link == .cloudAsync { scripted.code = nil }
        return scripted
    }

    /// What the back office does with an instrument that it keeps.
    private func saved(_ script: SimulatedOutcome, _ operation: PaymentOperation) -> TestPayment? {
        let refusals: [SimulatedOutcome: (AdyenTestAmount, Decline.Reason, String)] = [
            .insufficientFunds: (.notEnoughBalance, .insufficientFunds, "12"),
            .lostCard: (.blockedCard, .blockedCard, "5"), .expiredCard: (.expiredCard, .expiredCard, "6"),
            .doNotHonor: (.declined, .doNotHonor, "2"),
        ]
        guard operation == .sale, script == .approved || refusals[script] != nil else { return nil }
        let digits = refusals[script]?.0.rawValue ?? 0
        let id = "\(AdyenSimulator.savedInstrument)/\(AdyenSimulator.savedCustomer)"
        var scripted = TestPayment(Money(minorUnits: 5_000 + digits, .eur), .saved(.init(rawValue: id)))
        (scripted.reason, scripted.code) = (refusals[script]?.1, refusals[script]?.2)
        return scripted
    }

    /// Lays the card that the script needs in the terminal.
    private func lay(_ script: SimulatedOutcome) {
        if script == .noCard { return backend.present(nil, at: terminal) }
        var card = AdyenSimulator.Card()
        if script == .slowCustomer { card.comesAfterMilliseconds = Self.slowMilliseconds }
        card.pin = [.pin: .right, .wrongPIN: .wrong, .noPIN: .cancelled][script] ?? card.pin
        backend.present(card, at: terminal)
    }

    /// How long a customer takes who is hardly in time for the terminal, which waits for two minutes.
    private static let slowMilliseconds = AdyenSimulator.waitMilliseconds - 5_000

    /// The last three digits of the amount, which steer the provider; nil for what it can't play.
    private static func digits(_ script: SimulatedOutcome) -> Int64? {
        switch script {
        case .approved, .slowCustomer, .noCard, .pin, .wrongPIN, .noPIN: 0
        case .insufficientFunds: AdyenTestAmount.notEnoughBalance.rawValue
        case .lostCard: AdyenTestAmount.blockedCard.rawValue
        case .expiredCard: AdyenTestAmount.expiredCard.rawValue
        case .doNotHonor: AdyenTestAmount.declined.rawValue
        case .partial: AdyenTestAmount.partial.rawValue
        case .replyLost: AdyenTestAmount.losesReply.rawValue
        case .requestLost: AdyenTestAmount.losesRequest.rawValue
        case .unknownWord: AdyenTestAmount.saysUnknownWord.rawValue
        case .failsAfter: AdyenTestAmount.failsAfter.rawValue
        case .busyOnce: AdyenTestAmount.busyOnce.rawValue
        case .wrongEcho: AdyenTestAmount.echoesOther.rawValue
        case .wrongSecurityCode, .pending, .decidedSoon, .decidedLate, .challenge, .clarification, .unreadableCard: nil
        }
    }

    private static let declines: [SimulatedOutcome: (Decline.Reason?, String?)] = [
        .insufficientFunds: (.insufficientFunds, "210"), .lostCard: (.blockedCard, "199"),
        .expiredCard: (.expiredCard, "228"), .doNotHonor: (.invalidAmount, "214"), .wrongPIN: (.incorrectPIN, "129"),
    ]
}
