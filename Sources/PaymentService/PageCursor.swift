internal import PaymentBase

/// Where a page of a list ended: a place and a mark of the list's filters, as text of letters alone, so that it looks like no
/// number of a card and no client reads more into it.
struct PageCursor: Sendable {
    let number: Int64
    private let mark: UInt32

    /// The place at which a list with these filters continues.
    init(_ number: Int64, of filters: [String?]) { (self.number, mark) = (number, Self.mark(filters)) }

    /// Reads a text; nil if it is none of a page.
    init?(_ text: String) {
        let letters = Array(text.utf8)
        guard letters.count == Self.lettersCount, letters.allSatisfy({ (97...112).contains($0) }) else { return nil }
        let value = letters.reduce(into: [UInt64(0), 0]) { parts, letter in
            parts[0] = parts[0] << 4 | parts[1] >> 60
            parts[1] = parts[1] << 4 | UInt64(letter - 97)
        }
        guard let number = Int64(exactly: value[0] << 32 | value[1] >> 32) else { return nil }
        (self.number, mark) = (number, UInt32(truncatingIfNeeded: value[1]))
    }

    /// 16 letters for the place and 8 for the mark.
    private static let lettersCount = 24

    /// The schema of ``text``.
    static let schema: JSON = ["type": "string", "pattern": "^[a-h][a-p]{23}$"]

    /// The cursor as a client gets it.
    var text: String {
        var letters: [UInt8] = []
        for shift in stride(from: 60, through: 0, by: -4) { letters.append(97 + UInt8(number >> shift & 15)) }
        for shift in stride(from: 28, through: 0, by: -4) { letters.append(97 + UInt8(mark >> shift & 15)) }
        return String(decoding: letters, as: UTF8.self)
    }

    /// Whether it belongs to a list with these filters.
    func isOf(_ filters: [String?]) -> Bool { mark == Self.mark(filters) }

    private static func mark(_ filters: [String?]) -> UInt32 {
        var sum: UInt32 = 0x811C_9DC5
        for filter in filters {
            for byte in Array((filter ?? "").utf8) + [filter == nil ? 0 : 1] {
                sum = (sum ^ UInt32(byte)) &* 0x0100_0193
            }
        }
        return sum
    }
}
