/// A currency of ISO 4217 in which amounts can be paid, such as ``usd``.
///
/// The list is the standard's list one as in force since 1 January 2026. Codes without a minor unit (metals, units of
/// account, the test code) are no money here.
public struct Currency: Sendable {
    /// The three capital letters.
    public let code: String
    /// The standard's number, such as 840.
    public let numericCode: Int
    /// How many decimals an amount has: 0, 2, 3 or 4.
    public let exponent: Int
    /// The standard's English name.
    public let name: String

    /// Finds the currency of a code.
    ///
    /// - Throws: `invalidRequest`, nothing moved, naming the input and the nearest codes.
    public init(_ code: String) throws(PaymentError) {
        guard let currency = Self.known(code) else {
            throw PaymentError.notExecuted(.invalidRequest, Self.refusal(of: code))
        }
        self = currency
    }

    /// The currency of a code that came from a provider; nil when it is none, which is for the reader to judge.
    public static func known(_ code: String) -> Currency? { byCode[code] }

    /// Makes a row of the table.
    init(_ code: String, _ numericCode: Int, _ exponent: Int, _ name: String) {
        (self.code, self.numericCode, self.exponent, self.name) = (code, numericCode, exponent, name)
    }

    private static let byCode = Dictionary(uniqueKeysWithValues: allCases.map { ($0.code, $0) })
}

extension Currency: CaseIterable {
    /// Every currency, in the order of the codes.
    public static let allCases: [Currency] = fromAToK + fromLToZ
}

extension Currency: Hashable {
    /// Currencies are equal when their codes are.
    public static func == (one: Self, other: Self) -> Bool { one.code == other.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension Currency: CustomStringConvertible {
    public var description: String { code }
}
