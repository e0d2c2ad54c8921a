/// Finds what somebody meant who mistyped a word.
enum NearestWord {
    /// The nearest word, when it is near enough to be worth saying.
    static func of(_ word: String, in words: [String]) -> String? {
        let ranked = words.map { ($0, distance(word, $0)) }.min { ($0.1, $0.0) < ($1.1, $1.0) }
        guard let (near, distance) = ranked, distance <= max(2, word.count / 3) else { return nil }
        return near
    }

    /// How many letters have to be changed, added or taken out.
    static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one), Array(other))
        var row = Array(0...other.count)
        for (index, letter) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, wanted) in other.enumerated() {
                let change = diagonal + (letter == wanted ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[other.count]
    }
}
