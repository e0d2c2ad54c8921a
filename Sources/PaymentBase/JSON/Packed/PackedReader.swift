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
