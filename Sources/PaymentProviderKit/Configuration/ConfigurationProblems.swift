internal import PaymentBase
internal import PaymentModel

/// Everything that is wrong with one file, told at once.
struct ConfigurationProblems {
    /// How many problems are listed.
    static let listedMax = 20

    let file: String
    let bytes: [UInt8]
    private var found: [(offset: Int, number: Int, words: String)] = []

    init(file: String, _ bytes: [UInt8]) { (self.file, self.bytes) = (file, bytes) }

    var isEmpty: Bool { found.isEmpty }

    /// Notes what is wrong at a place, and what to do.
    mutating func add(_ offset: Int, _ path: String, _ words: String) {
        let subject = path.isEmpty ? "" : "\(path): "
        found.append((offset, found.count, "\(subject)\(words)"))
    }

    /// Notes a value that is not what it should be.
    mutating func add(_ node: ConfigurationNode, _ path: String, expected: String, _ advice: String = "") {
        let key = path.split { $0 == "." || $0 == "[" }.last.map(String.init) ?? ""
        add(node, path, found: Shown.isDelicate(key) ? node.foundKind : node.found, expected: expected, advice)
    }

    /// Notes a value that is not what it should be, in words of one's own for what was found.
    mutating func add(
        _ node: ConfigurationNode, _ path: String, found: String, expected: String, _ advice: String = ""
    ) {
        add(node.offset, path, "found \(found), expected \(expected).\(advice.isEmpty ? "" : " \(advice)")")
    }

    /// Where a byte is, as editors open it.
    func place(_ offset: Int) -> String {
        var (line, start) = (1, 0)
        for index in 0..<min(offset, bytes.count) where bytes[index] == UInt8(ascii: "\n") {
            (line, start) = (line + 1, index + 1)
        }
        return "\(file):\(line):\(offset - start + 1)"
    }

    /// The error with all problems in the order of the file.
    var error: PaymentError {
        let listed = found.sorted { ($0.offset, $0.number) < ($1.offset, $1.number) }.prefix(Self.listedMax)
        return Self.error(file, listed.map { "\(place($0.offset)): \($0.words)" }, count: found.count)
    }

    /// The error with lines that name their places; only the first ones are shown.
    static func error(_ file: String, _ lines: [String], count: Int) -> PaymentError {
        let words = count == 1 ? "1 problem" : "\(count) problems"
        var all = ["\(file) has \(words); nothing was opened."] + lines.prefix(listedMax)
        if count > listedMax {
            all.append("\(file): \(count - listedMax) more problems are not listed; correct these first.")
        }
        return PaymentError.notExecuted(.configuration, all.joined(separator: "\n"))
    }
}

extension ConfigurationProblems {
    /// Notes why the file is no JSON; never shows what is there, unless it is punctuation.
    mutating func add(_ error: JSONError, _ path: String, bytesMax: Int) {
        let byte = error.offset < bytes.count ? bytes[error.offset] : nil
        if case .unexpectedEnd = error.kind, bytes.allSatisfy({ $0 <= UInt8(ascii: " ") }) {
            return add(error.offset, path, "the file is empty. Run `payctl init` to write one to start from.")
        }
        if case .duplicateKey = error.kind, let name = name(at: error.offset) {
            return add(error.offset, path, "the member \(name) stands twice in one object. Remove one of them.")
        }
        add(error.offset, path, Self.words(error.kind, byte, bytesMax: bytesMax))
    }

    /// The member's name that begins at a byte, as it is shown; nil where none does that can be shown.
    private func name(at offset: Int) -> String? {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { return nil }
        let rest = bytes[(offset + 1)...]
        guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        let text = String(decoding: rest[..<end], as: UTF8.self)
        return text.contains("\\") ? nil : Shown.text(text)
    }

    private static func words(_ kind: JSONError.Kind, _ byte: UInt8?, bytesMax: Int) -> String {
        switch kind {
        case .tooLarge: "the file has more than \(bytesMax) bytes. A configuration is small; is it the right file?"
        case .tooDeep: "objects and lists are nested deeper than \(ConfigurationNode.depthMax) levels."
        case .byteOrderMark: "the file begins with a byte order mark. Save it as UTF-8 without one."
        case .invalidUTF8: "the text is not UTF-8. Save the file as UTF-8."
        case .unexpectedEnd: "the file ends in the middle. Is a closing quote, bracket or brace missing?"
        case .unexpectedByte: unexpected(byte)
        case .trailingBytes: "something follows the closing brace. A configuration is one object; remove the rest."
        case .invalidNumber: "this is no JSON number. Write it like 180000, without plus sign or leading zeros."
        case .invalidEscape: "a backslash stands before something that is no escape. Write \\\\ for a backslash."
        case .loneSurrogate: "an escape \\u names half a character. Write the character itself."
        case .controlCharacter:
            "a line break or another control character stands in a text. Is a closing quote missing?"
        case .duplicateKey: "the same member stands twice in one object. Remove one of them."
        case .unexpectedType, .inexactNumber, .missingMember, .unexpectedCall: "this is no JSON."
        }
    }

    private static func unexpected(_ byte: UInt8?) -> String {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "#"):
            "JSON has no comments. Write a member whose name begins with //, like \"//why\": \"…\"."
        case UInt8(ascii: "}"), UInt8(ascii: "]"): "a bracket closes too early. Is there one comma too many before it?"
        case UInt8(ascii: "\""): "a quote stands where none belongs. Is a comma missing at the end of the line before?"
        case UInt8(ascii: "'"): "JSON has double quotes only. Write \" in place of '."
        case UInt8(ascii: "{"), UInt8(ascii: "["): "a bracket stands where none belongs. Is a comma or colon missing?"
        case UInt8(ascii: ","): "a comma stands where none belongs. Is there one too many?"
        default: "this is no JSON. Names and texts stand in double quotes, commas between members."
        }
    }
}

/// Makes what is in a file fit for an error message: short, without control characters and card numbers.
enum Shown {
    /// How much of a text is shown.
    static let charactersMax = 40

    /// A text between quotation marks.
    static func text(_ text: String) -> String { "\"\(plain(text))\"" }

    /// A text as it is, shortened.
    static func plain(_ text: String) -> String {
        let masked = Masking.cardNumbers(in: Masking.logins(in: String(text.prefix(1_024))))
        var shown = ""
        for scalar in masked.unicodeScalars.prefix(charactersMax) {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                shown += scalar.escaped(asASCII: true)
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown + (masked.unicodeScalars.count > charactersMax ? "…" : "")
    }

    /// An address without user name, password and query, which people fill with secrets.
    static func address(_ text: String) -> String {
        if text.contains("@") { return "an address with a user name in it (not shown)" }
        let end = text.firstIndex { $0 == "?" || $0 == "#" }
        return end.map { "\"\(plain(String(text[..<$0])))\" and a query (not shown)" } ?? Self.text(text)
    }

    /// Whether a member of this name may hold a secret, wherever it is.
    static func isDelicate(_ key: String) -> Bool {
        let word = key.lowercased()
        return ["secret", "password", "passphrase", "token", "key", "pin", "credential"].contains { word.contains($0) }
    }

    /// Words as a list: `a, b or c`.
    static func choices(_ words: [String], quoted: Bool = true) -> String {
        let words = quoted ? words.map { "\"\($0)\"" } : words
        guard let last = words.last else { return "nothing" }
        return words.count == 1 ? last : words.dropLast().joined(separator: ", ") + " or " + last
    }
}

/// Finds the name that a mistyped one meant.
package enum SpellingSuggestion {
    /// The longest text that is compared.
    static let charactersMax = 64

    /// The nearest name, when it is near enough to be worth saying; capitals and separators hardly count.
    package static func of(_ text: String, in names: [String]) -> String? {
        guard !text.isEmpty, text.count <= charactersMax else { return nil }
        let wanted = folded(text)
        let ranked = names.map { (distance: distance(wanted, folded($0)), name: $0) }.min { $0 < $1 }
        guard let ranked, ranked.distance <= max(1, min(3, wanted.count / 3)) else { return nil }
        return ranked.name
    }

    private static func folded(_ text: String) -> [Character] {
        text.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }.map(\.self)
    }

    /// How many letters have to be changed, added, taken out or swapped with their neighbour.
    static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var older: [Int] = []
        var row = Array(0...other.count)
        for (line, letter) in one.enumerated() {
            var next = [line + 1]
            for (column, wanted) in other.enumerated() {
                var best = min(row[column] + (letter == wanted ? 0 : 1), row[column + 1] + 1, next[column] + 1)
                if line > 0, column > 0, letter == other[column - 1], one[line - 1] == wanted {
                    best = min(best, older[column - 1] + 1)
                }
                next.append(best)
            }
            (older, row) = (row, next)
        }
        return row[other.count]
    }
}
