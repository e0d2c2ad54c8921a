internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentConformance
internal import PaymentSandbox

extension ARISEFixture {
    static let cardNumber = "4111111111111111"

    func cue(_ script: Script, _ operation: PaymentAbstraction.Operation, _ source: SourceKind) -> Cue? {
        guard script != .challenge, script != .clarification else { return nil }
        lay(script)
        guard let from = self.source(script, source) else { return nil }
        var cue = Cue(Money(minorUnits: Self.cents(script, operation), .usd), from)
        (cue.reason, cue.code) = Self.decline(script)
        cue.secrets = Self.secrets(script, source)
        return cue
    }

    /// Lays the card that the script needs in front of the reader.
    private func lay(_ script: Script) {
        var card = SimulatedReader.Card(number: Self.number(script))
        switch script {
        case .noCard: return simulated.present(nil)
        case .unreadableCard: card.failure = .unreadable
        case .pin: card.verification = .rightPIN
        case .wrongPIN: card.verification = .wrongPIN
        case .noPIN: card.verification = .bypassedPIN
        case .approved, .insufficientFunds, .lostCard, .expiredCard, .doNotHonor, .wrongSecurityCode, .pending,
            .partial, .challenge, .clarification, .replyLost, .requestLost, .unknownWord, .failsAfter, .busyOnce,
            .wrongEcho:
            break
        }
        simulated.present(card)
    }

    private func source(_ script: Script, _ kind: SourceKind) -> PaymentSource? {
        switch kind {
        case .reader: return .reader
        case .card:
            let card = try? KeyedCard(
                number: Self.number(script), expiryMonth: 12, expiryYear: script == .expiredCard ? 24 : 30,
                securityCode: script == .wrongSecurityCode ? "999" : "123")
            return card.map { .card($0) }
        case .external:
            var read = ExternalRead(.swipe)
            read.track2 = Secret("4111111111111111=3012")
            (read.pinBlock, read.pinKeySerial) = (Secret("8F3A22C1D4E5B697"), Secret("FFFF9876543210E0"))
            return .external(read)
        case .saved: return .saved(.init(rawValue: ARISEBackend.storedCard))
        case .bank: return .bank(BankAccount(number: Secret("000123456789"), routing: Secret("011000015")))
        case .wallet, .token: return nil
        }
    }

    private static func secrets(_ script: Script, _ kind: SourceKind) -> [String] {
        switch kind {
        case .reader: [number(script)]
        case .card: [number(script)]
        case .external: ["4111111111111111", "8F3A22C1D4E5B697", "FFFF9876543210E0"]
        case .bank: ["000123456789", "011000015"]
        case .saved, .wallet, .token: []
        }
    }

    private static func number(_ script: Script) -> String {
        switch script {
        case .doNotHonor: "4000000000000002"
        case .approved, .insufficientFunds, .lostCard, .expiredCard, .wrongSecurityCode, .pending, .partial,
            .challenge, .clarification, .pin, .wrongPIN, .noPIN, .noCard, .unreadableCard, .replyLost, .requestLost,
            .unknownWord, .failsAfter, .busyOnce, .wrongEcho:
            cardNumber
        }
    }

    /// The amount that steers the company.
    private static func cents(_ script: Script, _ operation: PaymentAbstraction.Operation) -> Int64 {
        let base: Int64 = operation.isOrigin ? 5_000 : 1_000
        switch script {
        case .insufficientFunds: return 21
        case .lostCard: return 7
        case .approved, .doNotHonor, .wrongSecurityCode, .expiredCard, .noCard, .unreadableCard, .challenge,
            .clarification, .wrongPIN:
            return base
        case .pending: return base + ARISEScript.pends.rawValue
        case .partial: return base + ARISEScript.approvesHalf.rawValue
        case .pin, .noPIN: return base + ARISEScript.wantsPIN.rawValue
        case .replyLost: return base + ARISEScript.losesReply.rawValue
        case .requestLost: return base + ARISEScript.losesRequest.rawValue
        case .unknownWord: return base + ARISEScript.saysUnknownWord.rawValue
        case .failsAfter: return base + ARISEScript.failsAfter.rawValue
        case .busyOnce: return base + ARISEScript.busyOnce.rawValue
        case .wrongEcho: return base + ARISEScript.echoesOther.rawValue
        }
    }

    private static func decline(_ script: Script) -> (DeclineReason?, String?) {
        switch script {
        case .insufficientFunds: (.insufficientFunds, "51")
        case .lostCard: (.lostCard, "41")
        case .expiredCard: (.expiredCard, "54")
        case .doNotHonor: (.doNotHonor, "05")
        case .wrongSecurityCode: (.incorrectSecurityCode, "N7")
        case .wrongPIN: (.incorrectPIN, "55")
        case .approved, .pending, .partial, .challenge, .clarification, .pin, .noPIN, .noCard, .unreadableCard,
            .replyLost, .requestLost, .unknownWord, .failsAfter, .busyOnce, .wrongEcho:
            (nil, nil)
        }
    }
}
