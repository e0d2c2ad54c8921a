/// Finds what somebody meant who mistyped a name.
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
