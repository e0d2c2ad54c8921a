/// What became of one check at one provider.
public struct CheckResult: Sendable, Identifiable {
    /// How it ended.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        case passed, failed, notApplicable, waived
    }

    /// The check.
    public let check: Check
    public let status: Status
    /// Why it failed, was waived or says nothing; empty when it passed.
    public let detail: String
    /// The last exchanges before a failure, without anything secret.
    public let exchanges: [String]

    public var id: String { check.id }
}
