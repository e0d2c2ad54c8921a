/// Writes one value in the packed form.
struct PackedWriter {
    private(set) var bytes: [UInt8] = []
    private let words: PackedWords
    private var earlier: [String] = []

    init(_ words: PackedWords) {
        self.words = words
        bytes.reserveCapacity(512)
    }

    mutating func add(_ value: JSON) {
        switch value {
        case .null: bytes.append(PackedForm.null)
        case .bool(let flag): bytes.append(flag ? PackedForm.yes : PackedForm.no)
        case .number(let number): add(number)
        case .string(let text): add(text)
        case .array(let values):
            head(values.count, PackedForm.shortArray, PackedForm.array, max: PackedForm.fewMax)
            for value in values { add(value) }
        case .object(let object):
            head(object.count, PackedForm.shortObject, PackedForm.object, max: PackedForm.fewMax)
            for member in object.members {
                add(member.key)
                add(member.value)
            }
        }
    }

    private mutating func add(_ number: JSONNumber) {
        // A number that would come back in other characters keeps its own.
        guard let value = number.int64, JSONNumber(value) == number else {
            bytes.append(PackedForm.numberText)
            return raw(number.text)
        }
        if value < 0 {
            bytes.append(PackedForm.negative)
            count(UInt64(bitPattern: ~value))
        } else if value <= PackedForm.someMax {
            bytes.append(PackedForm.shortNumber + UInt8(value))
        } else {
            bytes.append(PackedForm.number)
            count(UInt64(value))
        }
    }

    private mutating func add(_ text: String) {
        if let place = words.place(of: text) {
            if place < PackedWords.shortCount {
                bytes.append(PackedForm.shortWord + UInt8(place))
            } else {
                bytes += [PackedForm.longWord, UInt8(place - PackedWords.shortCount)]
            }
            return
        }
        let length = text.utf8.count
        guard length >= PackedForm.earlierLengthMin else { return plain(text, length) }
        if let place = earlier.firstIndex(where: { $0.isExactly(text) }) {
            return head(place, PackedForm.shortEarlier, PackedForm.earlier, max: PackedForm.fewMax)
        }
        if earlier.count < PackedForm.earlierCountMax { earlier.append(text) }
        if let identifier = Self.identifier(text, length) {
            bytes.append(PackedForm.identifier)
            bytes += identifier
        } else {
            plain(text, length)
        }
    }

    private mutating func plain(_ text: String, _ length: Int) {
        if length <= PackedForm.someMax {
            bytes.append(PackedForm.shortText + UInt8(length))
            bytes += text.utf8
        } else {
            bytes.append(PackedForm.text)
            raw(text)
        }
    }

    private mutating func raw(_ text: String) {
        count(UInt64(text.utf8.count))
        bytes += text.utf8
    }

    /// The byte that says what follows, with its count in it where there is room.
    private mutating func head(_ number: Int, _ short: UInt8, _ long: UInt8, max: Int) {
        if number <= max {
            bytes.append(short + UInt8(number))
        } else {
            bytes.append(long)
            count(UInt64(number))
        }
    }

    private mutating func count(_ number: UInt64) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// The bytes of an identifier that is written as ours and the system's are; nil for every other text.
    private static func identifier(_ text: String, _ length: Int) -> [UInt8]? {
        guard length == PackedForm.identifierTextCount else { return nil }
        var (bytes, high): ([UInt8], UInt8?) = ([], nil)
        bytes.reserveCapacity(PackedForm.identifierCount)
        for (place, character) in text.utf8.enumerated() {
            if PackedForm.dashes.contains(place) {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }
}
