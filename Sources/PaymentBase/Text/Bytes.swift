/// The bytes that the texts of this module are made of, by name.
enum Byte {
    static let backspace: UInt8 = 0x08
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let formFeed: UInt8 = 0x0C
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quote = UInt8(ascii: "\"")
    static let percent = UInt8(ascii: "%")
    static let ampersand = UInt8(ascii: "&")
    static let plus = UInt8(ascii: "+")
    static let comma = UInt8(ascii: ",")
    static let minus = UInt8(ascii: "-")
    static let point = UInt8(ascii: ".")
    static let slash = UInt8(ascii: "/")
    static let zero = UInt8(ascii: "0")
    static let colon = UInt8(ascii: ":")
    static let equals = UInt8(ascii: "=")
    static let openBracket = UInt8(ascii: "[")
    static let backslash = UInt8(ascii: "\\")
    static let closeBracket = UInt8(ascii: "]")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")

    /// Whether a byte is one of the ten digits.
    @inline(__always) static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

    /// The value of a hexadecimal digit of either case, or nil.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The digit of a value from 0 to 15, in lower or upper case.
    static func hexDigit(_ value: UInt8, uppercase: Bool = false) -> UInt8 {
        if value < 10 { return zero + value }
        return (uppercase ? UInt8(ascii: "A") : UInt8(ascii: "a")) + (value & 15) - 10
    }
}

extension [UInt8] {
    /// The most bytes that a text keeps in place, without memory of its own.
    private static var smallTextCount: Int { 15 }

    /// The text of some of the bytes; a slice would cost two reference counts more.
    @inline(__always) func text(_ range: Range<Int>) -> String {
        unsafe withUnsafeBufferPointer { bytes in
            let text = unsafe UnsafeBufferPointer(rebasing: bytes[range])
            guard text.count <= Self.smallTextCount else { return unsafe String(decoding: text, as: UTF8.self) }
            // Half of the instructions for what is kept in place; a little more for what is not.
            return unsafe String(unsafeUninitializedCapacity: text.count) { room in
                unsafe room.initialize(fromContentsOf: text)
            }
        }
    }
}

/// Bytes as pairs of hexadecimal digits.
public enum Hex {
    /// The text of some bytes.
    public static func encode(_ bytes: [UInt8], uppercase: Bool = false) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(Byte.hexDigit(byte >> 4, uppercase: uppercase))
            text.append(Byte.hexDigit(byte & 15, uppercase: uppercase))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text in either case, or nil when a character is no digit or one is missing.
    public static func decode(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard
                let high = Byte.hexValue(digits[index]), let low = Byte.hexValue(digits[index + 1])
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

/// Checks bytes against UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
enum UTF8Check {
    /// The place of the first byte that cannot be part of valid UTF-8, or nil when all of the range is valid.
    static func firstInvalid(in bytes: [UInt8], from start: Int, to end: Int) -> Int? {
        var index = start
        while index < end {
            let lead = bytes[index]
            if lead < 0x80 {
                index += 1
                continue
            }
            guard let (length, second) = sequence(lead), index + length <= end else { return index }
            guard second.contains(bytes[index + 1]) else { return index }
            var next = index + 2
            while next < index + length {
                guard bytes[next] & 0xC0 == 0x80 else { return index }
                next += 1
            }
            index += length
        }
        return nil
    }

    /// How many bytes follow from a lead byte, itself included, and which bytes may come second.
    private static func sequence(_ lead: UInt8) -> (length: Int, second: ClosedRange<UInt8>)? {
        switch lead {
        case 0xC2...0xDF: (2, 0x80...0xBF)
        case 0xE0: (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: (3, 0x80...0xBF)
        case 0xED: (3, 0x80...0x9F)
        case 0xF0: (4, 0x90...0xBF)
        case 0xF1...0xF3: (4, 0x80...0xBF)
        case 0xF4: (4, 0x80...0x8F)
        default: nil
        }
    }
}

/// Eight bytes at a time: tests on text that would take eight steps byte by byte.
enum MachineWord {
    /// How many bytes a word has.
    static let byteCount = 8
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Eight bytes, the first one lowest; stops the program outside the array, as a subscript would.
    @inline(__always) static func load(_ bytes: [UInt8], at index: Int) -> UInt64 {
        precondition(index >= 0 && index <= bytes.count - byteCount, "a word lies within its bytes")
        let word = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: index, as: UInt64.self) }
        return UInt64(littleEndian: word)
    }

    /// Whether two pieces of memory of the same length have the same bytes.
    @inline(__always) static func isEqual(
        _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        precondition(one.count == other.count, "only what is as long is compared")
        let (first, second) = (UnsafeRawBufferPointer(one), UnsafeRawBufferPointer(other))
        var offset = 0
        while offset + byteCount <= first.count {
            let word = unsafe first.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if unsafe word != second.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
            offset += byteCount
        }
        while offset < first.count {
            if unsafe first[offset] != second[offset] { return false }
            offset += 1
        }
        return true
    }

    /// The bits in which two pieces of memory of the same length differ, wherever that is; it takes as long for all.
    static func difference(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> UInt64 {
        precondition(one.count == other.count, "only what is as long is compared")
        var (difference, offset) = (UInt64(0), 0)
        while offset + byteCount <= one.count {
            let word = unsafe one.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            difference |= unsafe word ^ other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset += byteCount
        }
        while offset < one.count {
            difference |= unsafe UInt64(one[offset] ^ other[offset])
            offset += 1
        }
        return difference
    }

    /// The highest bit of every quote, backslash and control character; exact up to the first of them.
    @inline(__always) static func special(_ word: UInt64) -> UInt64 {
        let quotes = word ^ (ones &* UInt64(Byte.quote))
        let backslashes = word ^ (ones &* UInt64(Byte.backslash))
        // A byte's highest bit is set where it is zero, or below a space; borrows only reach higher bytes.
        let marks =
            ((quotes &- ones) & ~quotes)
            | ((backslashes &- ones) & ~backslashes)
            | ((word &- ones &* UInt64(Byte.space)) & ~word)
        return marks & highs
    }

    /// The highest bit of every byte that has a meaning in a form or is not ASCII; exact up to the first of them.
    @inline(__always) static func formMarks(_ word: UInt64) -> UInt64 {
        func places(of byte: UInt8) -> UInt64 {
            let others = word ^ (ones &* UInt64(byte))
            return (others &- ones) & ~others
        }
        let marks = places(of: Byte.ampersand) | places(of: Byte.equals)
        return (marks | places(of: Byte.percent) | places(of: Byte.plus) | word) & highs
    }

    /// How many bytes are before the first marked one; eight when none is marked.
    @inline(__always) static func count(before marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }

    /// The highest bit of every byte that is not ASCII and is before the first marked one.
    @inline(__always) static func highs(_ word: UInt64, before marks: UInt64) -> UInt64 {
        word & highs & ((marks & (0 &- marks)) &- 1)
    }
}

/// Takes fixed-width numbers and separators off the front of a text.
struct DigitScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Whether everything has been taken.
    var isAtEnd: Bool { index == bytes.count }

    /// The byte that comes next, or nil at the end.
    var next: UInt8? { isAtEnd ? nil : bytes[index] }

    /// Takes one byte if it is this one.
    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    /// Takes a number of exactly `width` digits.
    mutating func number(_ width: Int) -> Int? {
        guard index + width <= bytes.count else { return nil }
        var value = 0
        for place in index..<(index + width) {
            guard Byte.isDigit(bytes[place]) else { return nil }
            value = value * 10 + Int(bytes[place] - Byte.zero)
        }
        index += width
        return value
    }

    /// Takes 1 to `max` digits of a fraction and gives the thousandths; the rest is cut off, not rounded.
    mutating func thousandths(digitsMax max: Int) -> Int? {
        var value = 0
        var count = 0
        while let byte = next, Byte.isDigit(byte) {
            if count < 3 { value = value * 10 + Int(byte - Byte.zero) }
            count += 1
            index += 1
        }
        guard (1...max).contains(count) else { return nil }
        for _ in 0..<Swift.max(0, 3 - count) { value *= 10 }
        return value
    }
}

/// A text that equals another only byte by byte, unlike `String`, for which composed and decomposed letters are equal.
package struct ExactText: Hashable {
    package let text: String

    package init(text: String) { self.text = text }

    package static func == (one: ExactText, other: ExactText) -> Bool { one.text.isExactly(other.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(UInt8(0xFF))
    }
}

extension String {
    /// Whether two texts have the same bytes.
    @inline(__always) package func isExactly(_ other: String) -> Bool {
        // How many bytes there are is known, and sorts out nearly everything.
        utf8.count == other.utf8.count && hasBytes(of: other)
    }

    /// Whether another text of the same length has the same bytes.
    @inline(never) private func hasBytes(of other: String) -> Bool {
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { one in
            unsafe other.utf8.withContiguousStorageIfAvailable { unsafe MachineWord.isEqual(one, $0) }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
