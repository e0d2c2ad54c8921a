/// How far a provider has come; each level includes those before.
public enum ConformanceLevel: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Session, sale, lookup, errors, redaction.
    case core
    /// The reader, what is asked on the way, cancelling.
    case inPerson = "terminal"
    /// Capture, void, refunds, lists, webhooks.
    case backOffice = "back-office"
    /// Everything that the driver declares.
    case full = "complete"

    public static func < (one: ConformanceLevel, other: ConformanceLevel) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .core: 0
        case .inPerson: 1
        case .backOffice: 2
        case .full: 3
        }
    }
}
