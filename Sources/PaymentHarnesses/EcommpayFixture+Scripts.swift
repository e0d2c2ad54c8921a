internal import EcommpayProvider
internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentConformance
internal import PaymentSimulator

extension EcommpayFixture {
    func scripted(_ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind)
        -> TestPayment?
    {
        if link == .mobile, script == .busyOnce { return nil }
        guard let units = Self.units(script, operation), let from = Self.source(script, source) else { return nil }
        if source == .page {
            if declaredMissing.contains(script) { return nil }
            hand.withLock { $0 = Self.number(script) }
        }
        let pay = link == .gate ? beginning(operation) : "/msdk/v1/pay"
        let status = link == .gate || link == .page ? "/v2/payment/status" : "/msdk/v1/status"
        if [.replyLost, .failsAfter, .busyOnce].contains(script) { _ = connection.play(script, at: pay) }
        if [.unknownWord, .wrongEcho].contains(script) { _ = connection.play(script, at: status) }
        var scripted = TestPayment(Money(minorUnits: units, .eur), from)
        if link == .gate, source == .saved { scripted.customer = "12" }
        (scripted.reason, scripted.code) = Self.declines[script] ?? (nil, nil)
        scripted.secrets = Self.secrets(script, source)
        // The kit says only that it is declined; the reason is read at the Gate, by whose code nobody is told.
        if link == .mobile { scripted.code = nil }
        return scripted
    }

    /// What a page can't play.
    private var declaredMissing: Set<SimulatedOutcome> {
        [.challenge, .clarification, .replyLost, .requestLost, .failsAfter, .busyOnce, .decidedSoon, .decidedLate]
    }

    /// Where a payment from a card begins at the Gate.
    private func beginning(_ operation: PaymentOperation) -> String {
        switch operation {
        case .authorize: "/v2/payment/card/auth"
        case .verify: "/v2/payment/card/account_verification"
        default: "/v2/payment/card/sale"
        }
    }

    /// The amount, whose last three digits steer the provider; nil for what it can't play.
    private static func units(_ script: SimulatedOutcome, _ operation: PaymentOperation) -> Int64? {
        let missing: [SimulatedOutcome] = [.pin, .wrongPIN, .noPIN, .noCard, .unreadableCard]
        if missing.contains(script) { return nil }
        if script == .partial { return 20_000 }
        let steering: [SimulatedOutcome] = [
            .insufficientFunds, .lostCard, .expiredCard, .pending, .decidedSoon, .decidedLate, .requestLost,
            .clarification,
        ]
        let digits = steering.contains(script) ? script.amountScript?.rawValue ?? 0 : 0
        return (operation.isOrigin ? 5_000 : 1_000) + digits
    }

    private static func source(_ script: SimulatedOutcome, _ kind: PaymentSource.Kind) -> PaymentSource? {
        switch kind {
        case .card:
            let card = try? KeyedCard(
                number: number(script), expiryMonth: 12, expiryYear: 30, securityCode: "737", holder: "John Doe")
            return card.map { .card($0) }
        case .wallet: return .wallet(WalletToken(.applePay, payload: Secret("wallet-payload")))
        case .saved: return .saved(.init(rawValue: "12353661"), securityCode: Secret("737"))
        case .token: return .token(Secret("card-token"), last4: "4444", securityCode: Secret("737"))
        case .page: return .hostedPage
        case .reader, .external, .bank: return nil
        }
    }

    private static func secrets(_ script: SimulatedOutcome, _ kind: PaymentSource.Kind) -> [String] {
        switch kind {
        case .card: [number(script), "737"]
        case .wallet: ["wallet-payload"]
        case .token: ["card-token", "737"]
        case .saved: ["737"]
        case .reader, .external, .bank, .page: []
        }
    }

    private static func number(_ script: SimulatedOutcome) -> String {
        let numbers: [SimulatedOutcome: String] = [
            .doNotHonor: "5200000000000015", .wrongSecurityCode: "5200000000000007", .challenge: "5413330000000019",
            .partial: "5126160000356675",
        ]
        return numbers[script] ?? "5555555555554444"
    }

    private static let declines: [SimulatedOutcome: (Decline.Reason?, String?)] = [
        .insufficientFunds: (.insufficientFunds, "10105"), .lostCard: (.pickUpCard, "10203"),
        .expiredCard: (.expiredCard, "10106"), .doNotHonor: (.doNotHonor, "10100"),
        .wrongSecurityCode: (.incorrectSecurityCode, "10103"),
    ]
}
