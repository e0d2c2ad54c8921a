public import PaymentBase

/// Names a payment: our own id of the attempt that it came from.
public struct PaymentID: Hashable, Sendable {
    /// The attempt that the payment came from.
    public let attempt: AttemptID

    /// Names the payment that came from an attempt.
    public init(_ attempt: AttemptID) { self.attempt = attempt }

    /// Reads a payment's name back from its text.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when the library did not write it.
    public init(_ text: String) throws(PaymentError) { attempt = try AttemptID(text) }
}

extension PaymentID: CustomStringConvertible {
    public var description: String { attempt.text }
}

/// Names one logical money operation; made once by the outermost caller and kept for every retry.
///
/// At most 36 letters, digits and hyphens, so that every provider's reference field can carry it.
public struct AttemptID: Hashable, Sendable {
    /// The text.
    public let text: String

    /// The longest text that is accepted.
    public static let charactersMax = 36

    /// Takes a caller's own name for the operation. A UUID is one in any case, and is kept in lower case.
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
        self.text = Self.isUUID(text) ? text.lowercased() : text
    }

    /// Whether a text is a UUID with its hyphens.
    package static func isUUID(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { offset, byte in
                switch offset {
                case 8, 13, 18, 23: byte == UInt8(ascii: "-")
                default: (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
                }
            }
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

/// The name under which a provider is configured.
public struct ProviderID: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
}

extension ProviderID: CustomStringConvertible {
    public var description: String { rawValue }
}

/// Which account of which provider took a payment, and under which name.
///
/// Two are equal if they are one merchant's account, whatever the configuration calls it: till and phones can have a name
/// each, the provider knows one account, and its messages come under either name. Without a merchant, the names decide.
public struct ProviderIdentity: Sendable {
    /// The name under which it is configured.
    public let id: ProviderID
    /// The adapter that speaks with it.
    public let adapter: String
    /// The environment, such as `sandbox` or `production`.
    public let environment: String
    /// The merchant's account there.
    public let merchant: String

    /// Makes an identity of all four parts.
    public init(_ id: ProviderID, adapter: String, environment: String, merchant: String) {
        (self.id, self.adapter, self.environment, self.merchant) = (id, adapter, environment, merchant)
    }

    /// What distinguishes the account from others.
    package var account: [String] { [adapter, environment, merchant, merchant.isEmpty ? id.rawValue : ""] }

    /// Whether it is the same account under the same name.
    package func isExactly(_ other: Self) -> Bool { self == other && id == other.id }

    /// The account of what never ran.
    package static let none = ProviderIdentity("none", adapter: "none", environment: "none", merchant: "none")
}

extension ProviderIdentity: Hashable {
    public static func == (one: Self, other: Self) -> Bool {
        // By bytes, as every journal compares them.
        one.merchant.isExactly(other.merchant) && one.adapter == other.adapter
            && one.environment == other.environment && (!one.merchant.isEmpty || one.id == other.id)
    }

    public func hash(into hasher: inout Hasher) {
        // Adapters and environments are few, and the same account in two of them is rare.
        hasher.combine(merchant.isEmpty ? id.rawValue : merchant)
    }
}

extension ProviderIdentity: CustomStringConvertible {
    public var description: String { "\(id) (\(adapter), \(environment), \(merchant))" }
}

/// The name of a journal between two restorations: 48 random bits. Two journals that were made of one backup have two.
package struct JournalGeneration: Hashable, Sendable, CustomStringConvertible {
    package let bits: UInt64

    package init(_ bits: UInt64) {
        self.bits = bits & 0xFFFF_FFFF_FFFF
        let digits = String(self.bits, radix: 16)
        description = String(repeating: "0", count: 12 - digits.utf8.count) + digits
    }

    /// Twelve hexadecimal digits, as ids of it begin.
    package let description: String
}

extension Masking {
    /// Whether a text could hold a card number; a UUID is none, whatever its digits happen to be.
    public static func findsCardNumber(in text: String) -> Bool {
        !AttemptID.isUUID(text) && cardNumbers(in: text) != text
    }
}
