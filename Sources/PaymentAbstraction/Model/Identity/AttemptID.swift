public import PaymentBase

/// Names one logical money operation; made once by the outermost caller and kept for every retry.
///
/// At most 36 letters, digits and hyphens, so that every provider's reference field can carry it.
public struct AttemptID: Hashable, Sendable {
    /// The text.
    public let text: String

    /// The longest text that is accepted.
    public static let charactersMax = 36

    /// Takes a caller's own name for the operation.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when it is empty, too long or has other characters.
    public init(_ text: String) throws(PaymentError) {
        let allowed = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard allowed, !text.isEmpty, text.utf8.count <= Self.charactersMax else {
            throw PaymentError.notExecuted(
                .invalidRequest,
                "an attempt id has 1 to \(Self.charactersMax) letters, digits and hyphens; "
                    + "this one has \(text.utf8.count) characters\(allowed ? "" : ", some of them others")")
        }
        self.text = text
    }

    private init(unchecked text: String) { self.text = text }
    /// No attempt.
    static let none = AttemptID(unchecked: "none")

    /// Makes one that the journal's present generation knows from its beginning.
    package init(generation: JournalGeneration, now: Int64, random: any RandomSource) {
        text = TimeOrderedID.make(prefix: generation.bits, now: now, random: random)
    }

    /// Makes a fresh one that sorts by time.
    public init(now: Int64, random: any RandomSource) { text = TimeOrderedID.make(now: now, random: random) }
}

extension AttemptID: CustomStringConvertible {
    public var description: String { text }
}
