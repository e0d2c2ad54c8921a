/// The words that the names of public types are built of, as the glossary in docs/architecture.md lists them.
struct Vocabulary: Sendable {
    /// One word with the line that it stands in; what it was written as, in small letters without anything between.
    struct Entry: Hashable, Sendable {
        let word: String
        let line: Int
    }

    /// The words of the glossary's tables, those that are leaving included.
    private(set) var glossary: [Entry] = []
    /// The words that are leaving.
    private(set) var leaving: [Entry] = []
    /// The plain words.
    private(set) var plain: [Entry] = []
    private var known: Set<String> = []

    /// Where the words stand.
    static let path = "docs/architecture.md"
    /// The heading of the section that holds them.
    static let heading = "## Glossary"
    /// The heading of the part with words that no new name uses.
    static let leavingHeading = "### Words that are leaving"

    /// The words of this repository.
    static let house = Vocabulary(Repository.files.first { $0.path == path }?.text ?? "")

    /// Reads the section out of a document: the first cells of its tables, and what stands in its fences.
    init(_ text: String) {
        var (isInside, isFenced, part) = (false, false, "")
        for (offset, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("## ") { isInside = line == Self.heading }
            guard isInside else { continue }
            if line.hasPrefix("### ") { part = String(line) }
            if line.hasPrefix("```") {
                isFenced.toggle()
            } else if isFenced {
                plain += line.split(separator: " ").map { Entry(word: Self.spelt($0), line: offset + 1) }
            } else if line.hasPrefix("|-") {
                // The line before was the head of a table.
                glossary.removeAll { $0.line == offset }
                leaving.removeAll { $0.line == offset }
            } else if line.hasPrefix("| "), let cell = line.dropFirst(2).split(separator: "|").first {
                let entries = cell.split(separator: "·").map { Entry(word: Self.spelt($0), line: offset + 1) }
                glossary += entries
                if part == Self.leavingHeading { leaving += entries }
            }
        }
        glossary.removeAll { $0.word.isEmpty }
        known = Set((glossary + plain).map(\.word))
    }

    /// A word as it stands in a name, without its spaces and signs, in small letters.
    private static func spelt(_ word: Substring) -> String {
        word.filter { $0.isLetter || $0.isNumber }.lowercased()
    }

    /// A name taken apart where a capital letter begins a word: `SQLiteJournal` is `sq`, `lite`, `journal`.
    static func pieces(of name: String) -> [String] {
        let letters = Array(name)
        var pieces: [String] = []
        for (index, letter) in letters.enumerated() {
            let isAfterSmall = index > 0 && !letters[index - 1].isUppercase
            let isBeforeSmall = index + 1 < letters.count && letters[index + 1].isLowercase
            let begins = letter.isUppercase && (isAfterSmall || isBeforeSmall)
            if pieces.isEmpty || begins { pieces.append("") }
            pieces[pieces.count - 1] += letter.lowercased()
        }
        return pieces
    }

    /// A name's words as far as they are known; nil stands for a piece that no word has.
    func words(in name: String) -> [(piece: String, word: String?)] {
        let pieces = Self.pieces(of: name)
        var words: [(piece: String, word: String?)] = []
        var start = 0
        while start < pieces.count {
            // The longest word first: a web socket is one thing.
            let found = (start + 1...pieces.count).reversed().lazy.compactMap { end in
                word(pieces[start..<end].joined()).map { (end: end, word: $0) }
            }.first
            words.append((pieces[start..<(found?.end ?? start + 1)].joined(), found?.word))
            start = found?.end ?? start + 1
        }
        return words
    }

    /// The word that a piece is, alone or as one of several.
    private func word(_ piece: String) -> String? {
        if known.contains(piece) { return piece }
        let singular = piece.hasSuffix("s") ? String(piece.dropLast()) : piece
        return known.contains(singular) ? singular : nil
    }
}
