/// What became of one check at one provider.
public struct CheckResult: Sendable, Identifiable {
    /// How it ended.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// It holds.
        case passed
        /// It does not hold.
        case failed
        /// It says nothing about this provider.
        case notApplicable
        /// It does not hold, and that is let off for a while.
        case waived
    }

    /// The check.
    public let check: Check
    /// How it ended.
    public let status: Status
    /// Why it failed, was waived or says nothing; empty when it passed.
    public let detail: String
    /// The last exchanges before a failure, without anything secret.
    public var exchanges: [String] { wire.map { "\($0)" } }
    /// The same, there and back.
    let wire: [WireLog.Exchange]

    public var id: String { check.id }
}
