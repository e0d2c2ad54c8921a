public import PaymentConformance
internal import PaymentSimulator

extension InjectedFault {
    /// Every fault that the sandbox can play, for whichever provider.
    public static let sandbox: [InjectedFault] = WireFault.all.map { fault in
        InjectedFault(fault.rawValue, fault.kind, executions: fault.executionCount)
    }

    /// Faults under which a request arrives twice, for a provider that carries out whatever arrives; with the reason why.
    public static func executedTwice(_ reason: String) -> [String: String] {
        Dictionary(
            sandbox.filter { $0.executions > 1 }.map { ($0.id, reason) }, uniquingKeysWith: { first, _ in first })
    }

    /// Faults under which a request arrives twice, answered once or not at all.
    static let repeated = ["request.duplicated", "request.duplicated-unread"]

    /// Faults under which nothing was executed and the answer does not prove it.
    static let traceless = [
        "request.lost", "request.reset", "request.reset-after-reading", "status.500-before", "status.502-before",
        "status.503-before", "status.504-before", "status.307",
    ]
}

extension WireFault {
    /// What it looks like from outside.
    var kind: InjectedFault.Effect {
        switch self {
        case .requestLost, .requestReset, .requestResetAfterReading: .lostBefore
        case .requestDuplicated, .requestDuplicatedUnread: .repeated
        case .replyLost, .replyReset, .replyNever, .replyTornHead, .replyTornBody: .lostAfter
        case .replyLate, .replyDripped, .extraMembers: .harmless
        case .wrongAmount, .wrongCurrency, .wrongReference, .unknownWord, .missingMember, .htmlBody, .emptyBody,
            .truncatedJSON:
            .falsified
        case .accessRefused, .rateLimited, .status500Before, .status502Before, .status503Before, .status504Before,
            .redirected:
            .refused
        case .status500After, .status502After, .status503After, .status504After, .status401After, .status403After,
            .status404After, .status307After, .status308After, .status429After:
            .failedAfter
        }
    }
}
