internal import PaymentBase

/// Where a transaction stands, in ARISE's word; an open set.
struct ARISEStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: String

    static let authorized = Self(rawValue: "Authorized")
    static let captured = Self(rawValue: "Captured")
    static let voided = Self(rawValue: "Voided")
    static let refunded = Self(rawValue: "Refunded")
    static let verified = Self(rawValue: "Verified")
    static let settled = Self(rawValue: "Settled")
    static let partiallyAuthorized = Self(rawValue: "PartiallyAuthorized")
    static let informational = Self(rawValue: "Informational")
    static let scheduled = Self(rawValue: "Scheduled")
    static let pending = Self(rawValue: "Pending")
    static let declined = Self(rawValue: "Declined")
    static let failed = Self(rawValue: "Failed")
    static let cancelled = Self(rawValue: "Cancelled")
    static let chargedBack = Self(rawValue: "ChargedBack")
    static let inProgress = Self(rawValue: "InProgress")
    static let cleared = Self(rawValue: "Cleared")
    static let held = Self(rawValue: "Held")
    static let heldByProcessor = Self(rawValue: "HeldByProcessor")

    /// The numbers of the words that have one.
    static let byNumber: [Int64: Self] = [
        1: .authorized, 2: .captured, 3: .voided, 4: .refunded, 5: .verified, 6: .settled, 7: .partiallyAuthorized,
        8: .informational, 21: .scheduled, 24: .pending, 91: .declined, 92: .failed,
    ]
    /// Words without a number, which only bank transfers have.
    static let withoutNumber: Set<Self> = [.cancelled, .chargedBack, .inProgress, .cleared, .held, .heldByProcessor]
    /// Accepted and not final.
    static let waiting: Set<Self> = [.pending, .scheduled, .inProgress, .held, .heldByProcessor]

    init(rawValue: String) { self.rawValue = rawValue }

    /// Reads the word and its number; nil when both are missing, or when they say different things.
    init?(word: String?, number: Int64?) {
        let said = word.map { Self.listed($0) }
        guard let number else {
            guard let said else { return nil }
            self = said
            return
        }
        guard let known = Self.byNumber[number] else {
            // Bank transfers have words whose numbers are in no list.
            guard let said, Self.withoutNumber.contains(said) else { return nil }
            self = said
            return
        }
        guard said == nil || said == known else { return nil }
        self = known
    }

    /// A listed word in whatever spelling, else the word itself.
    private static func listed(_ word: String) -> Self {
        let plain = word.lowercased()
        let hasSpace = plain.utf8.contains(UInt8(ascii: " "))
        return byPlainWord[hasSpace ? plain.replacing(" ", with: "") : plain] ?? Self(rawValue: word)
    }

    /// The listed words, in lower case.
    private static let byPlainWord = Dictionary(
        uniqueKeysWithValues: (Array(byNumber.values) + withoutNumber).map { ($0.rawValue.lowercased(), $0) })
}
