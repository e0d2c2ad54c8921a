/// Words that a new payments engineer would have to learn first, and what says the same in plain English.
struct DialectPhrase: Hashable, Sendable {
    /// The words in a row, in small letters.
    let words: [String]
    /// What to write instead.
    let instead: String

    init(_ text: String, _ instead: String) {
        words = text.split(separator: " ").map(String.init)
        self.instead = instead
    }

    /// The words as they are printed.
    var text: String { words.joined(separator: " ") }
    /// The words as they begin or continue an identifier.
    var identifier: String {
        words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// All of them. A word that is plain English elsewhere, such as "word", "exchange" or "round", is not here.
    static let all: [DialectPhrase] =
        actors + inForms("told", "is reported, gets, reads") + inForms("heard", "is recorded, arrives")
        + forms(["goes on", "go on", "going on", "went on"], "continues")
        + forms(["stands for", "stand for", "stood for"], "means, is")
        + forms(["comes over", "come over", "came over"], "arrives, is received")
        + forms(["gives back", "give back", "given back", "giving back", "gave back"], "refunds, returns, releases")
        + forms(["mended", "mend", "mends"], "corrected, repaired, fixed")
        + forms(["held against", "hold against", "holds against"], "compared with")
        + [
            DialectPhrase("tells", "says, shows, reports, distinguishes"), DialectPhrase("anew", "again"),
            DialectPhrase("unheard", "lost, unconfirmed, in doubt"), DialectPhrase("unsaid", "withdrawn, missing"),
            DialectPhrase("meanwhile", "since, in between, during it"),
            DialectPhrase("of ours", "our"), DialectPhrase("of theirs", "their"),
            DialectPhrase("otherwise than", "in another way than"),
            DialectPhrase("without a word", "without a message"),
            DialectPhrase("by itself", "on its own"),
        ]
        + forms(["likeness", "likenesses"], "match by amount and time")

    /// Subjects that don't say who acts.
    private static let actors = forms(
        [
            "nobody", "somebody", "anybody", "everybody", "nobodys", "somebodys", "anybodys", "everybodys", "whoever",
            "one who", "those who",
        ],
        "the actor: caller, driver, provider, process, store, person")

    private static func forms(_ texts: [String], _ instead: String) -> [DialectPhrase] {
        texts.map { DialectPhrase($0, instead) }
    }

    private static func inForms(_ participle: String, _ instead: String) -> [DialectPhrase] {
        forms(["is", "are", "was", "were", "be", "been", "not"].map { "\($0) \(participle)" }, instead)
    }

    /// The phrases by their last word.
    static let byLastWord = Dictionary(grouping: all) { $0.words.last ?? "" }
}

/// A line in which a phrase may stand.
struct DialectException: Sendable {
    /// The file, or the folder with its closing slash.
    let path: String
    let phrase: String
    /// What the line contains.
    let part: String
    let reason: String

    /// The most of them.
    static let linesMax = 40

    /// All of them; a test says that each is still needed.
    static let all = [
        Self(
            path: "Sources/PaymentLinux/Curl/CurlTransfer.swift", phrase: "nobody", part: "CURLOPT_NOBODY",
            reason: "libcurl's name of an option"),
        Self(path: "Scripts/failover", phrase: "nobody", part: "chown nobody", reason: "the system's name of a user"),
        Self(path: "Scripts/failover", phrase: "nobody", part: "--reuid=nobody", reason: "the system's name of a user"),
        Self(
            path: "Sources/PaymentAbstraction/Model/PaymentOperation.swift", phrase: "gives back",
            part: "case refunds = \"givesBack\"", reason: "a text that journals keep"),
        Self(
            path: "Sources/PaymentAbstraction/Drivers/Contexts.swift", phrase: "gives back", part: "func givesBack()",
            reason: "a public name of the drivers' context"),
        Self(
            path: "Sources/Providers/", phrase: "gives back", part: "context.givesBack()",
            reason: "a call of that name, in four adapters"),
    ]

    func covers(_ phrase: DialectPhrase, _ line: Substring, in path: String) -> Bool {
        let isPlace = self.path.hasSuffix("/") ? path.hasPrefix(self.path) : path == self.path
        return isPlace && phrase.text == self.phrase && line.contains(part)
    }
}

extension TidyRule {
    /// Everything that people read is in plain English: comments, texts and names; of tests, their comments and names.
    static let dialect = TidyRule("no dialect", for: isRead) { file in
        dialect(file).filter { hit in
            !DialectException.all.contains { $0.covers(hit.phrase, file.lines[hit.line - 1], in: file.path) }
        }.map { ($0.line, "\"\($0.phrase.text)\" is dialect; write \($0.phrase.instead)") }
    }

    /// The phrases of a file with their lines, allowed ones too.
    static func dialect(_ file: SourceFile) -> [(line: Int, phrase: DialectPhrase)] {
        DialectWords(file.isTest ? testWords(file) : file.text).hits
    }

    @Sendable private static func isRead(_ file: SourceFile) -> Bool {
        let path = file.path
        if file.isTest || path.hasPrefix("Tests/Fixtures/Help/") { return true }
        if path.hasPrefix("docs/api/") || path.hasPrefix("Tests/") && !path.hasSuffix(".md") { return false }
        return true
    }

    /// The comments of a test file and the names of its tests, in their lines.
    private static func testWords(_ file: SourceFile) -> String {
        var lines = file.commentLines
        var (isTest, tokens) = (false, file.tokens[...])
        while let token = tokens.popFirst() {
            if token.text == "@", tokens.first?.text == "Test" {
                isTest = true
                lines[token.line - 1] = file.lines[token.line - 1]
            } else if token.text == "func", isTest, let name = tokens.first {
                isTest = false
                if !lines[name.line - 1].contains(name.text) { lines[name.line - 1] += " ; \(name.text)" }
            }
        }
        return lines.joined(separator: "\n")
    }
}

/// Cuts a text into words, and names into theirs, and finds the phrases of the dialect; a phrase may go over the end of a line.
private struct DialectWords {
    /// What was found, with the line from 1.
    private(set) var hits: [(line: Int, phrase: DialectPhrase)] = []

    /// What a byte is to a phrase.
    private enum Kind: UInt8 { case end, space, newline, quote, small, capital }

    /// The kinds of all bytes, as raw values: the loop runs over millions, also in a debug build.
    private static let kinds: [UInt8] = (0...255).map { byte in
        let kind: Kind =
            switch UInt8(byte) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): .small
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): .capital
            case UInt8(ascii: "\n"): .newline
            // Also the marks of comments, and what names are joined by.
            case UInt8(ascii: " "), UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "#"), UInt8(ascii: "_"): .space
            // A text may continue in the next line.
            case UInt8(ascii: "\""), UInt8(ascii: "+"): .quote
            default: .end
            }
        return kind.rawValue
    }
    /// By a word's first letter, the lengths of the last words of phrases, as bits.
    private static let lengths: [UInt64] = {
        var lengths = [UInt64](repeating: 0, count: 26)
        for word in DialectPhrase.byLastWord.keys {
            if let first = word.utf8.first { lengths[Int(first - UInt8(ascii: "a"))] |= 1 << UInt64(word.utf8.count) }
        }
        return lengths
    }()

    init(_ text: String) {
        let (bytes, kinds, lengths) = (Array(text.utf8), Self.kinds, Self.lengths)
        let (newline, quote, small) = (Kind.newline.rawValue, Kind.quote.rawValue, Kind.small.rawValue)
        let (count, end) = (bytes.count, Kind.end.rawValue)
        var (index, line) = (0, 1)
        // The words since the last sign that ends a phrase.
        var row: [(word: Range<Int>, line: Int)] = []
        while index < count {
            let start = index
            var kind = kinds[Int(bytes[index])]
            if kind < small {
                var (isEnd, hasQuote) = (false, false)
                let before = line
                while kind < small {
                    if kind == newline { line += 1 }
                    if kind == end { isEnd = true }
                    if kind == quote { hasQuote = true }
                    index += 1
                    if index == count { return }
                    kind = kinds[Int(bytes[index])]
                }
                if isEnd || hasQuote && line == before { row.removeAll(keepingCapacity: true) }
                continue
            }
            // A name's word ends before a capital that follows a small letter, or that a small letter follows.
            var last = kind
            index += 1
            while index < count {
                kind = kinds[Int(bytes[index])]
                if kind < small { break }
                if kind > small {
                    if last == small { break }
                    if index + 1 < count, kinds[Int(bytes[index + 1])] == small { break }
                }
                last = kind
                index += 1
            }
            row.append((start..<index, line))
            let bit = index - start
            if bit < 64, lengths[Int(bytes[start] & 0x1f) - 1] & (1 << UInt64(bit)) != 0 { find(row, bytes) }
        }
    }

    /// Finds the phrases that the newest word ends.
    private mutating func find(_ row: [(word: Range<Int>, line: Int)], _ bytes: [UInt8]) {
        func text(_ place: Int) -> String { String(decoding: bytes[row[place].word].map { $0 | 0x20 }, as: UTF8.self) }
        for phrase in DialectPhrase.byLastWord[text(row.count - 1)] ?? [] where phrase.words.count <= row.count {
            let first = row.count - phrase.words.count
            if phrase.words.indices.allSatisfy({ text(first + $0) == phrase.words[$0] }) {
                hits.append((row[first].line, phrase))
            }
        }
    }
}
