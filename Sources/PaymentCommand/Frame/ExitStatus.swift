internal import PaymentAbstraction

/// What the exit status of a command tells.
enum ExitStatus: Int32, Sendable {
    case fine = 0
    /// The payment or the check failed.
    case failed = 1
    /// Wrong usage or configuration.
    case usage = 2
    /// The outcome is unknown.
    case unknown = 3

    /// The status of an error: what is unknown comes first.
    init(_ error: PaymentError) {
        if error.outcome == .unknown {
            self = .unknown
        } else {
            let isUsage = [.configuration, .invalidRequest, .unsupported].contains(error.code)
            self = isUsage ? .usage : .failed
        }
    }

    /// The status of a result; what is only received may still come to nothing.
    init(_ result: PaymentResult) {
        switch result {
        case .approved: self = .fine
        case .declined, .cancelled: self = .failed
        case .pending: self = .unknown
        }
    }
}
