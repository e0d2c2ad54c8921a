import PaymentAbstraction

/// An attempt's facts in the letters of the models: `Models/README.md` explains them.
struct ModelFacts {
    /// One round in letters.
    struct Round: Equatable {
        var exchanges: [Character]
        var end: Character
        var isMany: Bool
        var words: String
    }

    var rounds: [Round]
    var isTold: Bool
    var isContradicted: Bool

    /// Reads letters.
    init(_ text: Substring) {
        let parts = text.split(separator: ",")
        isTold = parts.dropFirst().contains("t")
        isContradicted = parts.dropFirst().contains("c")
        rounds =
            parts[0] == "-"
            ? []
            : parts[0].split(separator: "/").map { letters in
                let all = Array(letters)
                return Round(
                    exchanges: Array(all[0...1]), end: all[2], isMany: all[3] == "+", words: String(all.dropFirst(4)))
            }
    }

    /// Reads the letters off facts.
    init(_ facts: AttemptFacts?) {
        guard let facts else {
            (rounds, isTold, isContradicted) = ([], false, false)
            return
        }
        rounds = facts.rounds.map { ModelFacts.round($0.number, facts) }
        (isTold, isContradicted) = (facts.isTold, facts.isContradicted)
    }

    /// The letters.
    var text: String {
        let words = rounds.map { round in
            String(round.exchanges) + String(round.end) + (round.isMany ? "+" : "-") + round.words
        }
        return (words.isEmpty ? "-" : words.joined(separator: "/")) + (isTold ? ",t" : "")
            + (isContradicted ? ",c" : "")
    }

    private static func round(_ number: Int, _ facts: AttemptFacts) -> Round {
        let sends = facts.sends.filter { $0.round == number }
        let words = facts.words.filter { $0.round == number }
        let withdrawn = facts.words.lastIndex { $0.content == .withdrawn } ?? -1
        func isApproved(_ word: AttemptFacts.Word) -> Bool {
            if case .verdict(.approved) = word.content { return true }
            return false
        }
        let isPerson = facts.words.enumerated().contains { index, word in
            word.round == number && isApproved(word) && word.source == .person && index > withdrawn
        }
        var letters = ""
        if words.contains(where: { isApproved($0) && $0.source != .person }) { letters += "M" }
        if words.contains(where: { if case .verdict(.declined) = $0.content { true } else { false } }) {
            letters += "D"
        }
        if words.contains(where: { if case .verdict(.pending) = $0.content { true } else { false } }) { letters += "P" }
        let isNever = words.contains { word in
            if case .verdict(.declined) = word.content { return word.source == .lookup }
            return word.content == .neverArrived
        }
        if isNever { letters += "N" }
        if isPerson { letters += "H" }
        let end: Character
        switch facts.ends.first(where: { $0.round == number })?.by {
        case nil: end = "r"
        case .owner, .imported, .provider: end = "o"
        case .takeOver: end = "t"
        case .person: end = "p"
        }
        return Round(
            exchanges: ["e1", "e2"].map { exchange($0, sends, facts) }, end: end, isMany: sends.count > 1,
            words: letters)
    }

    private static func exchange(_ key: String, _ all: [AttemptFacts.Send], _ facts: AttemptFacts) -> Character {
        let sends = all.filter { $0.key == key }
        guard let last = sends.last else { return "." }
        let isNamed = facts.words.contains { word in
            guard case .verdict(.declined) = word.content else { return false }
            return sends.contains { $0.number == word.send }
        }
        if isNamed || sends.contains(where: { facts.proof(of: $0) == .answered }) { return "a" }
        let isDoubtful = sends.dropLast().contains { facts.proof(of: $0) == .lost || facts.proof(of: $0) == nil }
        switch facts.proof(of: last) {
        case nil: return isDoubtful ? "g" : "o"
        case .lost: return "l"
        case .notSent, .refused: return isDoubtful ? "l" : "s"
        case .answered: return "a"
        }
    }
}
