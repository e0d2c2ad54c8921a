/// JSON as few bytes, for what a program keeps by the million and only it reads.
///
/// The same value always gives the same bytes, and what comes back is equal to what was written. Bytes that aren't what was
/// written are refused, by a sum over them.
package enum PackedJSON {
    /// What was kept is damaged, or another form.
    package struct Unreadable: Error, Hashable {}

    /// Whether bytes are in this form rather than in JSON's own.
    package static func isPacked(_ bytes: [UInt8]) -> Bool { bytes.first == PackedForm.mark }

    /// A value as bytes.
    package static func bytes(_ value: JSON, _ words: PackedWords) -> [UInt8] {
        var writer = PackedWriter(words)
        writer.add(value)
        return sealed(writer.bytes)
    }

    /// Reads a value.
    package static func value(_ bytes: [UInt8], _ words: PackedWords) throws(Unreadable) -> JSON {
        let end = bytes.count - PackedForm.sumCount
        guard isPacked(bytes), end > 1, PackedForm.sum(bytes[..<end]).elementsEqual(bytes[end...]) else {
            throw Unreadable()
        }
        var reader = PackedReader(bytes[1..<end], words)
        let value = try reader.value()
        guard reader.isAtEnd else { throw Unreadable() }
        return value
    }

    /// Whatever is given between the mark and its sum, for tests that attack the reader.
    package static func sealed(_ content: [UInt8]) -> [UInt8] {
        var bytes = [PackedForm.mark] + content
        bytes += PackedForm.sum(bytes)
        return bytes
    }
}

/// How a packed value is laid out: a mark, the value, and four bytes of a sum over both.
///
/// A value begins with a byte that says what follows; numbers that count something are written seven bits to a byte, the low
/// ones first. A text that came before in the same value is a number, and so is one of ``PackedWords``.
enum PackedForm {
    /// What the bytes begin with; no text in JSON does.
    static let mark: UInt8 = 0x01
    static let sumCount = 4
    /// How deep values are nested at most.
    static let depthMax = 48

    // What is alone.
    static let null: UInt8 = 0x00
    static let no: UInt8 = 0x01
    static let yes: UInt8 = 0x02
    // What a length, a number or a place follows.
    static let numberText: UInt8 = 0x03
    static let number: UInt8 = 0x04
    static let negative: UInt8 = 0x05
    static let text: UInt8 = 0x06
    static let earlier: UInt8 = 0x07
    static let identifier: UInt8 = 0x08
    static let array: UInt8 = 0x09
    static let object: UInt8 = 0x0A
    static let longWord: UInt8 = 0x0C
    // What has its count within the byte.
    static let shortArray: UInt8 = 0x10
    static let shortNumber: UInt8 = 0x20
    static let shortText: UInt8 = 0x40
    static let shortObject: UInt8 = 0x60
    static let shortEarlier: UInt8 = 0x70
    static let shortWord: UInt8 = 0x80
    static let fewMax = 15
    static let someMax = 31

    /// How long a text is at least that is referred to when it comes again, and how many of them there are.
    static let earlierLengthMin = 4
    static let earlierCountMax = 64

    /// The bytes of an identifier in small hexadecimal digits, 8-4-4-4-12, and where its dashes are.
    static let identifierCount = 16
    static let identifierTextCount = 36
    static let dashes = [8, 13, 18, 23]

    /// A sum that notices what a disk or a wire did to the bytes; it guards against damage, not against people.
    static func sum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var sum: UInt32 = 0x811C_9DC5
        for byte in bytes { sum = (sum ^ UInt32(byte)) &* 0x0100_0193 }
        return (0..<sumCount).map { UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) }
    }
}

/// Words that a packed form writes as one or two bytes, by their place in a list.
///
/// What was written once is read for ever: a list only grows at its end.
package struct PackedWords: Sendable {
    /// Places that one byte has room for; the others take two.
    static let shortCount = 128
    static let countMax = shortCount + 256

    let list: [String]
    /// The places of the words, by length and ends: every text that is written is looked for, and a hash of all its bytes costs
    /// more than to write them.
    private let places: [[Int]]
    private static let bucketCount = 256

    /// Takes the words in their order; one that comes twice keeps its first place.
    package init(_ list: [String]) {
        precondition(list.count <= Self.countMax, "a packed form has no room for so many words")
        self.list = list
        var places = [[Int]](repeating: [], count: Self.bucketCount)
        for (place, word) in list.enumerated() { places[Self.bucket(word)].append(place) }
        self.places = places
    }

    func place(of text: String) -> Int? { places[Self.bucket(text)].first { list[$0].isExactly(text) } }

    private static func bucket(_ text: String) -> Int {
        let bytes = text.utf8
        return (bytes.count &* 7 &+ Int(bytes.first ?? 0) &* 31 &+ Int(bytes.last ?? 0) &* 5) % bucketCount
    }

    subscript(place: Int) -> String? { list.indices.contains(place) ? list[place] : nil }
}

/// Reads one value in the packed form.
struct PackedReader {
    private let bytes: ArraySlice<UInt8>
    private var place: Int
    private let words: PackedWords
    private var earlier: [String] = []

    init(_ bytes: ArraySlice<UInt8>, _ words: PackedWords) {
        self.bytes = bytes
        self.words = words
        place = bytes.startIndex
    }

    var isAtEnd: Bool { place == bytes.endIndex }

    mutating func value(depth: Int = 0) throws(PackedJSON.Unreadable) -> JSON {
        guard depth < PackedForm.depthMax else { throw PackedJSON.Unreadable() }
        let lead = try next()
        switch lead {
        case PackedForm.null: return .null
        case PackedForm.no: return .bool(false)
        case PackedForm.yes: return .bool(true)
        case PackedForm.numberText:
            do { return .number(try JSONNumber(try raw(try length()))) } catch { throw PackedJSON.Unreadable() }
        case PackedForm.number: return .number(JSONNumber(try number()))
        case PackedForm.negative: return .number(JSONNumber(~(try number())))
        case PackedForm.array: return try array(try length(), depth)
        case PackedForm.object: return try object(try length(), depth)
        case PackedForm.shortArray..<PackedForm.shortNumber: return try array(Int(lead & 0x0F), depth)
        case PackedForm.shortNumber..<PackedForm.shortText: return .number(JSONNumber(Int64(lead & 0x1F)))
        case PackedForm.shortObject..<PackedForm.shortEarlier: return try object(Int(lead & 0x0F), depth)
        default: return .string(try text(lead))
        }
    }

    private mutating func array(_ count: Int, _ depth: Int) throws(PackedJSON.Unreadable) -> JSON {
        var values: [JSON] = []
        for _ in 0..<count { values.append(try value(depth: depth + 1)) }
        return .array(values)
    }

    private mutating func object(_ count: Int, _ depth: Int) throws(PackedJSON.Unreadable) -> JSON {
        var object = JSONObject()
        for _ in 0..<count {
            let key = try text(try next())
            guard object[key] == nil else { throw PackedJSON.Unreadable() }
            object.append(key, try value(depth: depth + 1))
        }
        return .object(object)
    }

    private mutating func text(_ lead: UInt8) throws(PackedJSON.Unreadable) -> String {
        switch lead {
        case PackedForm.shortWord...: return try known(words[Int(lead & 0x7F)])
        case PackedForm.longWord: return try known(words[PackedWords.shortCount + Int(try next())])
        case PackedForm.shortEarlier..<PackedForm.shortWord: return try again(Int(lead & 0x0F))
        case PackedForm.earlier: return try again(try length())
        case PackedForm.shortText..<PackedForm.shortObject: return remembered(try raw(Int(lead & 0x1F)))
        case PackedForm.text: return remembered(try raw(try length()))
        case PackedForm.identifier: return remembered(try identifier())
        default: throw PackedJSON.Unreadable()
        }
    }

    private func known(_ word: String?) throws(PackedJSON.Unreadable) -> String {
        guard let word else { throw PackedJSON.Unreadable() }
        return word
    }

    private func again(_ place: Int) throws(PackedJSON.Unreadable) -> String {
        guard earlier.indices.contains(place) else { throw PackedJSON.Unreadable() }
        return earlier[place]
    }

    private mutating func remembered(_ text: String) -> String {
        if text.utf8.count >= PackedForm.earlierLengthMin, earlier.count < PackedForm.earlierCountMax {
            earlier.append(text)
        }
        return text
    }

    private mutating func identifier() throws(PackedJSON.Unreadable) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(PackedForm.identifierTextCount)
        for byte in try take(PackedForm.identifierCount) {
            if PackedForm.dashes.contains(text.count) { text.append(UInt8(ascii: "-")) }
            for digit in [byte >> 4, byte & 0x0F] { text.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: - Bytes

    private mutating func next() throws(PackedJSON.Unreadable) -> UInt8 {
        guard place < bytes.endIndex else { throw PackedJSON.Unreadable() }
        defer { place += 1 }
        return bytes[place]
    }

    private mutating func take(_ count: Int) throws(PackedJSON.Unreadable) -> ArraySlice<UInt8> {
        guard count <= bytes.endIndex - place else { throw PackedJSON.Unreadable() }
        defer { place += count }
        return bytes[place..<place + count]
    }

    private mutating func raw(_ count: Int) throws(PackedJSON.Unreadable) -> String {
        guard let text = String(validating: try take(count), as: UTF8.self) else { throw PackedJSON.Unreadable() }
        return text
    }

    /// How many of something follow; each takes a byte at least.
    private mutating func length() throws(PackedJSON.Unreadable) -> Int {
        let length = try number()
        guard length <= bytes.count else { throw PackedJSON.Unreadable() }
        return Int(length)
    }

    private mutating func number() throws(PackedJSON.Unreadable) -> Int64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let byte = try next()
            number |= UInt64(byte & 0x7F) << shift
            guard byte > 0x7F else { break }
            shift += 7
            guard shift < 63 else { throw PackedJSON.Unreadable() }
        }
        guard let number = Int64(exactly: number) else { throw PackedJSON.Unreadable() }
        return number
    }
}

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
