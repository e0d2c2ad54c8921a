/// Ordered pairs as `application/x-www-form-urlencoded`; names that come again are kept.
///
/// The first `=` of a field splits it, a field without one has an empty value, and empty fields between two `&` are
/// skipped. Both `+` and `%20` are read as a space.
public enum FormEncoding {
    /// The most fields that a form is read with.
    public static let fieldCountMax = 10_000
    /// Room for the fields of a short form.
    private static let standardCapacity = 4

    /// The text of some fields, in their order.
    public static func encode(_ fields: [FormField], spaces: Spaces = .plus) -> String {
        var bytes: [UInt8] = []
        for field in fields {
            if !bytes.isEmpty { bytes.append(Byte.ampersand) }
            append(field.name, spaces, to: &bytes)
            bytes.append(Byte.equals)
            append(field.value, spaces, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The fields of a text, in their order; nil when it cannot be read or has more than ``fieldCountMax`` fields.
    public static func decode(_ text: String, badEscapes: BadEscapes = .refuse) -> [FormField]? {
        let bytes = Array(text.utf8)
        var fields: [FormField] = []
        fields.reserveCapacity(standardCapacity)
        var start = 0
        while start < bytes.count {
            var (end, split, isPlain) = (nextMark(bytes, start), Int?.none, true)
            while end < bytes.count, bytes[end] != Byte.ampersand {
                if bytes[end] != Byte.equals { isPlain = false } else if split == nil { split = end }
                end = nextMark(bytes, end + 1)
            }
            if end > start {
                guard fields.count < fieldCountMax,
                    let name = read(bytes, start..<(split ?? end), isPlain, badEscapes),
                    let value = read(bytes, (split.map { $0 + 1 } ?? end)..<end, isPlain, badEscapes)
                else { return nil }
                fields.append(FormField(name, value))
            }
            start = end + 1
        }
        return fields
    }

    /// The place of the next byte that has a meaning in a form or is not ASCII; the end if there is none.
    private static func nextMark(_ bytes: [UInt8], _ start: Int) -> Int {
        var index = start
        while index <= bytes.count - MachineWord.byteCount {
            let marks = MachineWord.formMarks(MachineWord.load(bytes, at: index))
            index += MachineWord.count(before: marks)
            if marks != 0 { return index }
        }
        while index < bytes.count, PercentEncoding.isPlain(bytes[index]), bytes[index] != Byte.ampersand,
            bytes[index] != Byte.equals
        { index += 1 }
        return index
    }

    private static func append(_ text: String, _ spaces: Spaces, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            if byte == Byte.space, spaces == .plus {
                bytes.append(Byte.plus)
            } else if PercentEncoding.isUnreserved(byte) {
                bytes.append(byte)
            } else {
                PercentEncoding.escape(byte, to: &bytes)
            }
        }
    }

    private static func read(
        _ bytes: [UInt8], _ range: Range<Int>, _ isPlain: Bool, _ badEscapes: BadEscapes
    ) -> String? {
        if isPlain { return bytes.text(range) }
        if let text = PercentEncoding.unescape(bytes, range, plusIsSpace: true) { return text }
        switch badEscapes {
        case .refuse: return nil
        case .keep: return bytes.text(range)
        }
    }
}

extension FormEncoding {
    /// How a space is written.
    public enum Spaces: Sendable, Hashable, CaseIterable {
        /// As `+`, as forms do.
        case plus
        /// As `%20`, as addresses do.
        case percent
    }
}

extension FormEncoding {
    /// What to do with a name or a value whose escapes are broken or give bytes that are not UTF-8.
    public enum BadEscapes: Sendable, Hashable, CaseIterable {
        /// Refuse the whole form.
        case refuse
        /// Keep that name or value exactly as it was written.
        case keep
    }
}

/// One name with its value in a form or a query.
public struct FormField: Sendable, Hashable {
    /// The name, which may come again in the same form.
    public var name: String
    /// The value.
    public var value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension FormField: CustomStringConvertible, CustomReflectable {
    /// Nothing of the content, which may be a secret.
    public var description: String { "FormField" }
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

/// Text inside addresses: everything but letters, digits and `-._~` becomes `%` and two upper-case digits per byte.
public enum PercentEncoding {
    /// A text as one segment of a path; nil for an empty text, `.` and `..`, which would lead to another path.
    public static func pathSegment(_ text: String) -> String? {
        if text.isEmpty || text == "." || text == ".." { return nil }
        return encode(text)
    }

    /// A text as a name or a value of a query.
    public static func queryComponent(_ text: String) -> String { encode(text) }

    /// The text behind the escapes, `+` staying a plus; nil when an escape is broken or the bytes are not UTF-8.
    public static func decode(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        return unescape(bytes, bytes.indices, plusIsSpace: false)
    }

    /// The bytes of a text with all but the unreserved characters escaped.
    private static func encode(_ text: String) -> String {
        if text.utf8.allSatisfy(isUnreserved) { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) { bytes.append(byte) } else { escape(byte, to: &bytes) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends `%` and two digits.
    static func escape(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(Byte.percent)
        bytes.append(Byte.hexDigit(byte >> 4, uppercase: true))
        bytes.append(Byte.hexDigit(byte & 15, uppercase: true))
    }

    /// The text behind the escapes, or nil when one is broken or the bytes are not UTF-8.
    static func unescape(_ bytes: [UInt8], _ range: Range<Int>, plusIsSpace: Bool) -> String? {
        var index = range.lowerBound
        while index < range.upperBound, isPlain(bytes[index]) { index += 1 }
        // Most texts are as they are there.
        if index == range.upperBound { return bytes.text(range) }
        var text = Array(bytes[range.lowerBound..<index])
        text.reserveCapacity(range.count)
        while index < range.upperBound {
            let byte = bytes[index]
            if byte == Byte.percent {
                guard
                    index + 2 < range.upperBound,
                    let high = Byte.hexValue(bytes[index + 1]), let low = Byte.hexValue(bytes[index + 2])
                else { return nil }
                text.append(high << 4 | low)
                index += 3
            } else {
                text.append(byte == Byte.plus && plusIsSpace ? Byte.space : byte)
                index += 1
            }
        }
        guard UTF8Check.firstInvalid(in: text, from: 0, to: text.count) == nil else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether a byte is written as it is.
    static func isPlain(_ byte: UInt8) -> Bool { byte < 0x80 && byte != Byte.percent && byte != Byte.plus }

    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case Byte.zero...UInt8(ascii: "9"), Byte.minus, Byte.point: true
        case UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
