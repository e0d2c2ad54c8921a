internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentConformance
internal import PaymentSandbox

extension EcommpayFixture {
    func scripted(_ script: PaymentScript, _ operation: PaymentOperation, _ source: SourceKind) -> ScriptedPayment? {
        guard let units = Self.units(script, operation), let from = Self.source(script, source) else { return nil }
        switch script {
        case .replyLost, .failsAfter, .busyOnce: _ = connection.play(script, at: "/msdk/v1/pay")
        case .unknownWord, .wrongEcho: _ = connection.play(script, at: "/msdk/v1/status")
        case .approved, .insufficientFunds, .lostCard, .expiredCard, .doNotHonor, .wrongSecurityCode, .pending,
            .partial, .challenge, .clarification, .pin, .wrongPIN, .noPIN, .noCard, .unreadableCard, .requestLost:
            break
        }
        var scripted = ScriptedPayment(Money(minorUnits: units, .eur), from)
        (scripted.reason, scripted.code) = Self.decline(script)
        scripted.secrets = Self.secrets(script, source)
        return scripted
    }

    /// The amount, whose last three digits steer the provider; nil for what it can't play.
    private static func units(_ script: PaymentScript, _ operation: PaymentOperation) -> Int64? {
        let base: Int64 = operation.isOrigin ? 5_000 : 1_000
        switch script {
        case .approved, .doNotHonor, .wrongSecurityCode, .challenge, .replyLost, .unknownWord, .failsAfter, .busyOnce,
            .wrongEcho:
            return base
        case .partial: return 20_000
        case .insufficientFunds: return base + AmountScript.insufficientFunds.rawValue
        case .lostCard: return base + AmountScript.lostCard.rawValue
        case .expiredCard: return base + AmountScript.expired.rawValue
        case .pending: return base + AmountScript.pends.rawValue
        case .requestLost: return base + AmountScript.losesRequest.rawValue
        case .clarification: return base + 31
        case .pin, .wrongPIN, .noPIN, .noCard, .unreadableCard: return nil
        }
    }

    private static func source(_ script: PaymentScript, _ kind: SourceKind) -> PaymentSource? {
        switch kind {
        case .card:
            let card = try? KeyedCard(
                number: number(script), expiryMonth: 12, expiryYear: 30, securityCode: "737", holder: "John Doe")
            return card.map { .card($0) }
        case .wallet: return .wallet(WalletToken(.applePay, payload: Secret("wallet-payload")))
        case .saved: return .saved(.init(rawValue: "12353661"), securityCode: Secret("737"))
        case .token: return .token(Secret("card-token"), last4: "4444")
        case .reader, .external, .bank: return nil
        }
    }

    private static func secrets(_ script: PaymentScript, _ kind: SourceKind) -> [String] {
        switch kind {
        case .card: [number(script), "737"]
        case .wallet: ["wallet-payload"]
        case .token: ["card-token"]
        case .saved: ["737"]
        case .reader, .external, .bank: []
        }
    }

    private static func number(_ script: PaymentScript) -> String {
        switch script {
        case .doNotHonor: "5200000000000015"
        case .wrongSecurityCode: "5200000000000007"
        case .challenge: "5413330000000019"
        case .partial: "5126160000356675"
        case .approved, .insufficientFunds, .lostCard, .expiredCard, .pending, .clarification, .pin, .wrongPIN, .noPIN,
            .noCard, .unreadableCard, .replyLost, .requestLost, .unknownWord, .failsAfter, .busyOnce, .wrongEcho:
            "5555555555554444"
        }
    }

    private static func decline(_ script: PaymentScript) -> (DeclineReason?, String?) {
        switch script {
        case .insufficientFunds: (.insufficientFunds, "10105")
        case .lostCard: (.pickUpCard, "10203")
        case .expiredCard: (.expiredCard, "10106")
        case .doNotHonor: (.doNotHonor, "10100")
        case .wrongSecurityCode: (.incorrectSecurityCode, "10103")
        case .approved, .pending, .partial, .challenge, .clarification, .pin, .wrongPIN, .noPIN, .noCard,
            .unreadableCard, .replyLost, .requestLost, .unknownWord, .failsAfter, .busyOnce, .wrongEcho:
            (nil, nil)
        }
    }
}
