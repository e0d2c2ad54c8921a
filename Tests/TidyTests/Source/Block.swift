/// What stands between two braces, with the words before it.
struct Block: Hashable {
    /// The tokens from the last end of a block or statement to the opening brace.
    let header: [Token]
    /// The place of the opening brace among the tokens.
    let start: Int
    /// The place of the closing brace, or the end of the file.
    let end: Int
    /// How many blocks it stands in.
    let depth: Int

    /// Whether it is the body of an extension that adds a conformance.
    var isConformance: Bool { has("extension") && !protocols.isEmpty }
    /// Whether it is the body of a type that names a protocol other than the ones without members of ours to write.
    var isTypeWithProtocol: Bool { !has("extension") && protocols.contains { !Self.markers.contains($0) } }

    /// The words that begin a type.
    static let typeWords: Set<String> = ["struct", "class", "enum", "actor", "protocol"]
    /// Protocols that ask a type for nothing that would be written with `public`.
    static let markers: Set<String> = ["Sendable", "Hashable", "Equatable", "Error", "Copyable", "Codable", "String"]

    /// Every block, in the order of the opening braces.
    static func all(in tokens: [Token]) -> [Block] {
        var open: [(header: [Token], start: Int)] = []
        var blocks: [Block] = []
        var headerStart = 0
        for (index, token) in tokens.enumerated() {
            switch token.text {
            case "{":
                open.append((Array(tokens[headerStart..<index]), index))
                headerStart = index + 1
            case "}":
                if let last = open.popLast() {
                    blocks.append(Block(header: last.header, start: last.start, end: index, depth: open.count))
                }
                headerStart = index + 1
            case ";": headerStart = index + 1
            default: break
            }
        }
        blocks += open.enumerated().map { depth, last in
            Block(header: last.header, start: last.start, end: tokens.count, depth: depth)
        }
        return blocks.sorted { $0.start < $1.start }
    }

    /// The names of the functions that the protocols of a file ask for.
    static func requirements(in tokens: [Token]) -> [String] {
        all(in: tokens).filter { $0.has("protocol") }.flatMap { block in
            tokens.indices[block.start..<block.end].dropLast().filter { tokens[$0].text == "func" }.map {
                tokens[$0 + 1].text
            }
        }
    }

    /// The part of the header from the word that begins the declaration.
    private var declaration: ArraySlice<Token> {
        let words = Self.typeWords.union(["extension"])
        return header[(header.lastIndex { words.contains($0.text) } ?? header.endIndex)...]
    }

    private func has(_ word: String) -> Bool { declaration.first?.text == word }

    /// What the declaration names after its colon.
    private var protocols: [String] {
        guard let colon = declaration.firstIndex(where: { $0.text == ":" }) else { return [] }
        return declaration[colon...].prefix { $0.text != "where" }.filter(\.isWord).map(\.text)
    }
}
