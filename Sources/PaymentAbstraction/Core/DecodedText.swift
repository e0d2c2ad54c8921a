internal import PaymentBase
internal import PaymentModel

/// A text without the escapes of the library that wrote it, and where each part stands in the text that came.
///
/// Libraries write the same text differently: `%2f` and `%2F`, `\/`, `\u0026`, `&amp;`. What reads all of them needs to know none.
struct DecodedText {
    /// How often one writing may stand within another.
    static let levelsMax = 4

    private(set) var bytes: [UInt8] = []
    /// Where the places of the two texts differ by another count than before.
    private var steps: [Step] = []
    /// How much further the text that came is behind the last step.
    private var ahead = 0
    private let endOfOrigin: Int

    /// A place here, and the one in the text that came.
    private struct Step {
        let here: UInt32
        let there: UInt32
    }

    /// A text as it came.
    init(_ text: [UInt8]) { (bytes, endOfOrigin) = (text, text.count) }

    private init(endOfOrigin: Int) { self.endOfOrigin = endOfOrigin }

    /// Where a part stands in the text that came.
    func origin(of part: Range<Int>) -> Range<Int> { origin(part.lowerBound)..<origin(part.upperBound) }

    private func origin(_ place: Int) -> Int {
        guard place < bytes.count else { return endOfOrigin }
        var (low, high) = (0, steps.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(steps[middle].here) <= place { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return place }
        let step = steps[low - 1]
        return Int(step.there) + place - Int(step.here)
    }

    private mutating func add(_ scalar: Unicode.Scalar, from place: Int) {
        for (index, byte) in String(scalar).utf8.enumerated() {
            if index == 0 { add(byte, from: place) } else { bytes.append(byte) }
        }
    }

    private mutating func add(_ byte: UInt8, from place: Int) {
        if bytes.count + ahead != place {
            steps.append(Step(here: UInt32(clamping: bytes.count), there: UInt32(clamping: place)))
            ahead = place - bytes.count
        }
        bytes.append(byte)
    }
}

extension DecodedText {
    /// Whether something in it may be written in another way.
    static func mayBeEscaped(_ text: [UInt8]) -> Bool {
        text.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "&") }
    }

    /// The same with one writing undone: of addresses, of JSON and programs, or of markup; nil where there is none.
    func decoded() -> DecodedText? {
        guard Self.mayBeEscaped(bytes) else { return nil }
        var text = DecodedText(endOfOrigin: endOfOrigin)
        var (at, ahead, next) = (0, 0, 0)
        while at < bytes.count {
            while next < steps.count, Int(steps[next].here) <= at {
                ahead = Int(steps[next].there) - Int(steps[next].here)
                next += 1
            }
            let (byte, rest, place) = (bytes[at], bytes[at...], at + ahead)
            var read: (Unicode.Scalar, Int)?
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "\\"):
                if let (value, count) = Self.byte(rest) {
                    text.add(value, from: place)
                    at += count
                    continue
                }
                read = Self.backslash(rest)
            case UInt8(ascii: "&"): read = Self.reference(rest)
            default: break
            }
            if let (scalar, count) = read {
                text.add(scalar, from: place)
                at += count
            } else {
                text.add(byte, from: place)
                at += 1
            }
        }
        return text.bytes.count < bytes.count ? text : nil
    }

    private static func number(_ digits: ArraySlice<UInt8>, radix: Int, digits count: Int) -> UInt32? {
        // A sign is no digit.
        guard digits.count == count, digits.allSatisfy({ UInt8(ascii: "0") <= $0 }) else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: radix)
    }

    /// A byte as `%c3`, `\xc3` or `\303`; several of them may be one letter.
    private static func byte(_ rest: ArraySlice<UInt8>) -> (UInt8, Int)? {
        let isPercent = rest.first == UInt8(ascii: "%")
        let isHex = isPercent || rest.dropFirst().first == UInt8(ascii: "x")
        let (ahead, digits, radix) = isPercent ? (1, 2, 16) : isHex ? (2, 2, 16) : (1, 3, 8)
        let value = number(rest.dropFirst(ahead).prefix(digits), radix: radix, digits: digits)
        return value.flatMap { UInt8(exactly: $0) }.map { ($0, ahead + digits) }
    }

    private static func backslash(_ rest: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
        guard rest.first == UInt8(ascii: "\\"), let kind = rest.dropFirst().first else { return nil }
        let behind = rest.dropFirst(2)
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "/"), UInt8(ascii: "\\"):
            return (Unicode.Scalar(kind), 2)
        case UInt8(ascii: "n"): return ("\n", 2)
        case UInt8(ascii: "r"): return ("\r", 2)
        case UInt8(ascii: "t"): return ("\t", 2)
        case UInt8(ascii: "u"):
            guard let first = number(behind.prefix(4), radix: 16, digits: 4) else { return nil }
            if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
            // A letter beyond the first 65,536 is written as a pair.
            let pair = behind.dropFirst(4)
            guard first < 0xDC00, pair.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]),
                let second = number(pair.dropFirst(2).prefix(4), radix: 16, digits: 4), (0xDC00...0xDFFF) ~= second
            else { return nil }
            return Unicode.Scalar(0x10000 + ((first & 0x3FF) << 10) + (second & 0x3FF)).map { ($0, 12) }
        default: return nil
        }
    }

    private static let names: [(name: String, scalar: Unicode.Scalar)] = [
        ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"),
    ]
    /// The longest that stands between the ampersand and the semicolon.
    private static let nameBytesMax = 10

    private static func reference(_ rest: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
        let name = rest.dropFirst().prefix(nameBytesMax + 1).prefix { $0 != UInt8(ascii: ";") }
        guard name.count <= nameBytesMax, rest.count > name.count + 1 else { return nil }
        let count = name.count + 2
        guard name.first == UInt8(ascii: "#") else {
            return names.first { name.elementsEqual($0.name.utf8) }.map { ($0.scalar, count) }
        }
        let digits = name.dropFirst()
        let isHex = digits.first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let value =
            isHex
            ? number(digits.dropFirst(), radix: 16, digits: digits.count - 1)
            : number(digits, radix: 10, digits: digits.count)
        return value.flatMap { Unicode.Scalar($0) }.map { ($0, count) }
    }
}

extension DecodedText {
    /// Its letters and digits alone, those of other scripts as ours: a number in groups is the same number. Its places are those of
    /// this text.
    func joined() -> DecodedText {
        var (text, at) = (DecodedText(endOfOrigin: bytes.count), 0)
        let read = String(decoding: bytes, as: UTF8.self)
        guard read.utf8.count == bytes.count else {
            // What is no UTF-8 has no letters but ours.
            for (place, byte) in bytes.enumerated() where byte < 0x80 {
                if let byte = Self.joining(Unicode.Scalar(byte)) { text.add(byte, from: place) }
            }
            return text
        }
        for scalar in read.unicodeScalars {
            if let byte = Self.joining(scalar) { text.add(byte, from: at) }
            at += UTF8.width(scalar)
        }
        return text
    }

    /// Where a part of its letters and digits stands in the text that came, without what is behind the last of them.
    func origin(of part: Range<Int>, joined: DecodedText) -> Range<Int> {
        let last = joined.origin(part.upperBound - 1)
        let width =
            switch bytes[last] {
            case ..<0x80: 1
            case ..<0xE0: 2
            case ..<0xF0: 3
            default: 4
            }
        return origin(of: joined.origin(part.lowerBound)..<min(last + width, bytes.count))
    }

    /// How much is compared: what repeats itself would else cost its length at each place.
    private static let comparedBytes = 64

    /// Whether letters and digits may stand in a text of ASCII one after the other, whatever is between them.
    static func mayHold(_ joined: [UInt8], in text: [UInt8]) -> Bool {
        let end = min(joined.count, comparedBytes)
        for start in text.indices where text[start] == joined[0] {
            var matched = 0
            for byte in text[start...] {
                if byte == joined[matched] { matched += 1 } else if joining(Unicode.Scalar(byte)) != nil { break }
                if matched == end { return true }
            }
        }
        return false
    }

    private static func joining(_ scalar: Unicode.Scalar) -> UInt8? {
        if let digit = Masking.digit(scalar) { return UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit) }
        let letter = scalar.value | 0x20
        return scalar.isASCII && (97...122).contains(letter) ? UInt8(truncatingIfNeeded: scalar.value) : nil
    }
}
