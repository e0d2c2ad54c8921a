/// How one check ended while the provider played one reading of its documents.
///
/// A check says what an application meets under the usual reading; under another its own expectations may not hold
/// although everything that is told is true. So what counts here is the money.
public struct VariantOutcome: Sendable {
    /// How it ended, the worst last.
    public enum Status: String, Hashable, Sendable, CaseIterable, Comparable {
        /// It says nothing about this provider.
        case notApplicable
        /// The check holds.
        case passed = "works"
        /// The check does not hold, and the journal says of all money what the books say.
        case reportedCorrectly = "told"
        /// It stops with words that name the setting.
        case stoppedWithError = "stops"
        /// What became of an attempt stays open.
        case leftOpen = "unknown"
        /// The journal says something else of money than the books.
        case misreported

        public static func < (one: Status, other: Status) -> Bool { one.rank < other.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The check.
    public let check: String
    /// How it ended.
    public let status: Status
    /// Why; empty where the check holds.
    public let detail: String
}
