internal import PaymentAbstraction

/// What the exit status of a command tells; one number for each thing that a program does next.
enum ExitStatus: Int32, Sendable, CaseIterable {
    case fine = 0
    /// Declined or cancelled, or a check failed.
    case failed = 1
    /// Wrong usage or configuration.
    case usage = 2
    /// The outcome is unknown; goes before all others.
    case unknown = 3
    /// The provider was not reached, and nothing moved.
    case unreached = 4
    /// What stands recorded, here or there, does not allow it; this call moved nothing.
    case refused = 5
    /// Received, and decided later.
    case pending = 6

    /// What `--help` says about it.
    var summary: String {
        switch self {
        case .fine: "fine"
        case .failed: "declined or cancelled, or a check failed"
        case .usage: "wrong usage or configuration"
        case .unknown: "nobody knows yet whether money moved: don't charge again, ask"
        case .unreached: "the provider was not reached, and nothing moved"
        case .refused: "refused by what is recorded: a conflict, more than is left, not found"
        case .pending: "received, and decided later"
        }
    }

    /// The status of an error: what is unknown comes first.
    init(_ error: PaymentError) {
        // The earlier payment may have been executed: a caller that reads another status might charge in another way.
        let isUnknown = error.outcome == .unknown || error.isBlockedByOpen
        self = isUnknown ? .unknown : Self.byCode[error.code] ?? .refused
    }

    /// The codes that don't stand for a refusal, when nothing moved.
    private static let byCode: [PaymentError.Code: ExitStatus] = {
        let groups: [(ExitStatus, [PaymentError.Code])] = [
            (.failed, [.cancelled, .questionUnanswered, .signatureInvalid, .termsNotAccepted]),
            (
                .usage,
                [
                    .configuration, .invalidRequest, .unsupported, .authentication, .permission, .journal,
                    .deviceUnsupported, .deviceCompromised, .locationRequired, .accountNotLinked,
                ]
            ),
            // The earlier attempt may have moved money: whoever sees another number might charge by other means.
            (.unknown, [.inDoubt]),
            (
                .unreached,
                [
                    .network, .providerUnavailable, .rateLimited, .timedOut, .notReceived, .providerFailed,
                    .unreadableReply,
                    .readerUnavailable, .readerBusy,
                ]
            ),
        ]
        var codes: [PaymentError.Code: ExitStatus] = [:]
        for (status, members) in groups { for code in members { codes[code] = status } }
        return codes
    }()

    /// The status of a result; what is only received may still come to nothing.
    init(_ result: PaymentResult) {
        switch result {
        case .approved: self = .fine
        case .declined, .cancelled: self = .failed
        case .pending: self = .pending
        }
    }

    /// What `--help` says about all of them.
    static var help: [String] {
        ["Exit status:"] + allCases.map { "  \($0.rawValue)  \($0.summary)" }
    }
}

extension PaymentError {
    /// Whether this call did nothing because it is not decided yet what became of an earlier payment under its reference.
    var isBlockedByOpen: Bool {
        guard code == .referenceInUse, let state else { return false }
        return state == .running || state == .inDoubt || state == .pending
    }
}
