/// How far a provider has come. Each level includes the checks of those before, and is about capabilities that the provider
/// has to declare: nothing is reached by declaring nothing.
public enum ConformanceLevel: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Session, sale, lookup, errors, redaction.
    case core
    /// The reader, what is asked on the way, cancelling.
    case inPerson = "terminal"
    /// Capture, void, refunds, lists, webhooks.
    case backOffice = "back-office"
    /// All checks, at a provider that declares what a shop needs from sale to refund.
    case full

    /// The capabilities that the level is about, by their names in the capability table.
    public var capabilities: [String] {
        switch self {
        case .core: ["sale"]
        case .inPerson: ["sale", "source.reader"]
        case .backOffice: ["sale", "refund"]
        case .full:
            ["sale", "authorize", "capture.partial", "void", "refund", "refund.partial", "details", "webhooks"]
        }
    }

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
