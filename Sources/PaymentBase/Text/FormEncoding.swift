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
            var (end, split) = (start, Int?.none)
            while end < bytes.count, bytes[end] != Byte.ampersand {
                if split == nil, bytes[end] == Byte.equals { split = end }
                end += 1
            }
            if end > start {
                guard fields.count < fieldCountMax,
                    let name = read(bytes, start..<(split ?? end), badEscapes),
                    let value = read(bytes, (split.map { $0 + 1 } ?? end)..<end, badEscapes)
                else { return nil }
                fields.append(FormField(name, value))
            }
            start = end + 1
        }
        return fields
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

    private static func read(_ bytes: [UInt8], _ range: Range<Int>, _ badEscapes: BadEscapes) -> String? {
        if let text = PercentEncoding.unescape(bytes, range, plusIsSpace: true) { return text }
        switch badEscapes {
        case .refuse: return nil
        case .keep: return bytes.text(range)
        }
    }
}
