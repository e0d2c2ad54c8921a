internal import PaymentBase
internal import PaymentTransport

/// Finds secrets that are known in texts that may hold them in another form, also in one form within another one.
///
/// It undoes forms instead of making them: percent escapes, escapes of JSON, Base64 and its form for addresses with and without
/// padding at any place, and hexadecimal digits with and without separators. What holds a secret after that is taken out as a
/// whole, so that nothing of it is left.
struct HiddenSecrets {
    /// How many forms may be within each other.
    private static let depthMax = 4
    /// The shortest run that is taken for Base64 or hexadecimal digits.
    private static let runMin = 8
    /// What is in the place of what was taken out.
    static let name = "removed"

    private let secrets: [[UInt8]]

    /// Knows secrets; shorter ones would be found everywhere.
    init(_ secrets: some Sequence<String>) {
        self.secrets = Set(secrets.filter { $0.utf8.count >= 6 }).sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
            .map { Array($0.utf8) }
    }

    /// A cassette without them, in every name and every text of the file. An item that can't be read afterwards is left out.
    func cleaned(_ cassette: Cassette) -> Cassette {
        if secrets.isEmpty { return cassette }
        var kept = cassette
        kept.header.notes = cleaned(.object(cassette.header.notes)).object ?? [:]
        kept.items = cassette.items.map { item in
            var one = Cassette(cassette.header)
            one.items = [item]
            let lines = one.text.split(separator: UInt8(ascii: "\n")).map(Array.init)
            guard lines.count == 3, let json = try? JSONReader().read(lines[1]) else { return item }
            let clean = cleaned(json)
            if clean == json { return item }
            let text = [lines[0], clean.bytes(), lines[2]].flatMap { $0 + [UInt8(ascii: "\n")] }
            return (try? Cassette(text: text))?.items.first
                ?? Cassette.Item(.other(Self.name, true), section: item.section, at: item.at)
        }
        return kept
    }

    private func cleaned(_ json: JSON) -> JSON {
        switch json {
        case .null, .bool: return json
        case .number(let number): return holds(Array(number.text.utf8)) ? 0 : json
        case .string(let text): return .string(cleaned(text))
        case .array(let items): return .array(items.map(cleaned))
        case .object(let object):
            var kept = JSONObject()
            for member in object.members { kept[cleaned(member.key)] = cleaned(member.value) }
            return .object(kept)
        }
    }

    /// A text without them.
    func cleaned(_ text: String) -> String {
        var kept = text
        for secret in secrets where holds(Array(kept.utf8), secret) {
            kept = kept.replacing(String(decoding: secret, as: UTF8.self), with: Self.name)
        }
        guard hides(Array(kept.utf8), Self.depthMax) else { return kept }
        // As little as possible: the runs that hide one; else all of it.
        let bytes = Array(kept.utf8)
        var (parts, place) = ([UInt8](), 0)
        for run in Self.runs(bytes, Self.isBase64) {
            parts += bytes[place..<run.lowerBound]
            parts += hides(Array(bytes[run]), Self.depthMax) ? Array(Self.name.utf8) : Array(bytes[run])
            place = run.upperBound
        }
        parts += bytes[place...]
        return hides(parts, Self.depthMax) ? Self.name : String(decoding: parts, as: UTF8.self)
    }

    private func holds(_ bytes: [UInt8]) -> Bool { secrets.contains { holds(bytes, $0) } }

    private func holds(_ bytes: [UInt8], _ secret: [UInt8]) -> Bool {
        guard bytes.count >= secret.count else { return false }
        return (0...bytes.count - secret.count).contains { start in
            bytes[start] == secret[0] && bytes[start..<start + secret.count].elementsEqual(secret)
        }
    }

    /// Whether bytes hold a secret, as they are or after so many forms were undone.
    private func hides(_ bytes: [UInt8], _ depth: Int) -> Bool {
        if holds(bytes) { return true }
        guard depth > 0 else { return false }
        return Self.undone(bytes).contains { $0 != bytes && hides($0, depth - 1) }
    }

    // MARK: - Undoing forms

    /// What bytes may encode; none is longer than they are.
    private static func undone(_ bytes: [UInt8]) -> [[UInt8]] {
        var all: [[UInt8]] = []
        if bytes.contains(UInt8(ascii: "%")) { all.append(percent(bytes)) }
        // In a form a plus sign is a space.
        if bytes.contains(UInt8(ascii: "+")) { all.append(percent(bytes.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })) }
        if bytes.contains(UInt8(ascii: "\\")) { all.append(escapes(bytes)) }
        let dense = bytes.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if dense.count < bytes.count { all.append(dense) }
        let digits = bytes.filter(isHex)
        if digits.count < bytes.count, digits.count * 2 >= bytes.count { all += hex(digits) }
        for run in runs(bytes, isBase64) { all += base64(Array(bytes[run])) }
        for run in runs(bytes, isHex) { all += hex(Array(bytes[run])) }
        for run in runs(bytes, { isHex($0) || separators.contains($0) }) {
            let digits = bytes[run].filter(isHex)
            if digits.count < run.count { all += hex(digits) }
        }
        return all.filter { String(validating: $0, as: UTF8.self) != nil }
    }

    private static func runs(_ bytes: [UInt8], _ belongs: (UInt8) -> Bool) -> [Range<Int>] {
        var (runs, start) = ([Range<Int>](), Int?.none)
        for (index, byte) in bytes.enumerated() {
            if belongs(byte) {
                start = start ?? index
            } else if let first = start {
                if index - first >= runMin { runs.append(first..<index) }
                start = nil
            }
        }
        if let first = start, bytes.count - first >= runMin { runs.append(first..<bytes.count) }
        return runs
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }

    private static func isHex(_ byte: UInt8) -> Bool { hexValue(byte) != nil }

    /// What may be between the two digits of a byte and those of the next one, within a longer text.
    private static let separators = Set(":-".utf8)

    /// The padding is no part of a run: an equals sign also is before a value.
    private static func isBase64(_ byte: UInt8) -> Bool { sixBits(byte) != nil }

    private static func sixBits(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 65...90: UInt32(byte - 65)
        case 97...122: UInt32(byte - 71)
        case 48...57: UInt32(byte + 4)
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }

    /// The bytes of a run, begun at each of the places at which a group of four may begin, with what is text of each.
    private static func base64(_ run: [UInt8]) -> [[UInt8]] {
        (0..<4).flatMap { first -> [[UInt8]] in
            var (bytes, bits, count) = ([UInt8](), UInt32(0), 0)
            for byte in run.dropFirst(first) {
                guard let six = sixBits(byte) else { break }
                bits = bits << 6 | six
                count += 6
                if count >= 8 {
                    count -= 8
                    bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
                    bits &= (1 << UInt32(count)) - 1
                }
            }
            return texts(bytes)
        }
    }

    private static func hex(_ run: [UInt8]) -> [[UInt8]] {
        (0..<2).flatMap { first -> [[UInt8]] in
            let digits = run.dropFirst(first).compactMap(hexValue)
            let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
            return texts(bytes)
        }
    }

    /// The parts of bytes that can be seen: what was beside an encoded text decodes to bytes that are none. Letters beyond ASCII
    /// are seen, too.
    private static func texts(_ bytes: [UInt8]) -> [[UInt8]] {
        var parts = bytes.split(whereSeparator: { isUnseen($0) || $0 >= 0x7F }).map(Array.init)
        if bytes.contains(where: { $0 >= 0x7F }) {
            let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
            parts += scalars.split {
                $0 == "\u{FFFD}" || $0 == "\u{7F}" || $0.value < 0x20 && isUnseen(UInt8($0.value))
            }
            .map { Array(String($0).utf8) }
        }
        return parts.filter { $0.count >= 6 }
    }

    private static func isUnseen(_ byte: UInt8) -> Bool { byte < 0x20 && ![0x09, 0x0A, 0x0D].contains(byte) }

    private static func percent(_ bytes: [UInt8]) -> [UInt8] {
        var (kept, index) = ([UInt8](), 0)
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = hexValue(bytes[index + 1]),
                let low = hexValue(bytes[index + 2])
            {
                kept.append(high << 4 | low)
                index += 3
            } else {
                kept.append(bytes[index])
                index += 1
            }
        }
        return kept
    }

    /// Escapes of JSON and of programs: `\/`, `\n`, `\u0041`, `\x41`, and two units for one scalar.
    private static func escapes(_ bytes: [UInt8]) -> [UInt8] {
        var (kept, index, high) = ([UInt8](), 0, UInt32?.none)
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
                kept.append(bytes[index])
                index += 1
                continue
            }
            let letter = bytes[index + 1]
            let count = letter == UInt8(ascii: "u") ? 4 : letter == UInt8(ascii: "x") ? 2 : 0
            let digits = bytes.dropFirst(index + 2).prefix(count).compactMap(hexValue)
            index += 2 + (digits.count == count ? count : 0)
            guard count > 0, digits.count == count else {
                kept.append(controls[letter] ?? letter)
                continue
            }
            var code = digits.reduce(UInt32(0)) { $0 << 4 | UInt32($1) }
            if let first = high, (0xDC00...0xDFFF).contains(code) {
                code = 0x1_0000 + (first - 0xD800) << 10 + (code - 0xDC00)
            }
            high = (0xD800...0xDBFF).contains(code) ? code : nil
            kept += Unicode.Scalar(code).map { Array(String(Character($0)).utf8) } ?? []
        }
        return kept
    }

    /// The letters that mean a control character.
    private static let controls: [UInt8: UInt8] = [
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
        UInt8(ascii: "t"): 0x09,
    ]
}
