import PaymentAbstraction

/// An attempt in the letters of the models: `Models/README.md` explains them.
struct ModelFacts {
    /// One run in letters.
    struct Run: Equatable {
        var exchanges: [Character]
        var end: Character
        var isMany: Bool
        var words: String

        /// A run after which another one began: only what is said about it later makes a difference.
        static func older(_ words: String) -> Run { Run(exchanges: ["s", "."], end: "o", isMany: false, words: words) }
    }

    var runs: [Run]
    /// Whether the step before raised a contradiction.
    var isContradicted: Bool

    /// Reads letters.
    init(_ text: Substring) {
        let parts = text.split(separator: ",")
        isContradicted = parts.count > 1
        runs =
            parts[0] == "-"
            ? []
            : parts[0].split(separator: "/").map { letters in
                let all = Array(letters)
                return Run(
                    exchanges: Array(all[0...1]), end: all[2], isMany: all[3] == "+", words: String(all.dropFirst(4)))
            }
    }

    /// Reads the letters off an attempt.
    init(_ attempt: Attempt?, isContradicted: Bool = false) {
        self.isContradicted = isContradicted
        runs = attempt.map { attempt in attempt.runs.map { ModelFacts.run($0, attempt) } } ?? []
    }

    /// The letters.
    var text: String {
        let letters = runs.map { run in
            String(run.exchanges) + String(run.end) + (run.isMany ? "+" : "-") + run.words
        }
        return (letters.isEmpty ? "-" : letters.joined(separator: "/")) + (isContradicted ? ",c" : "")
    }

    private static func run(_ run: Attempt.Run, _ attempt: Attempt) -> Run {
        let words = words(run.number, attempt)
        if run.number < attempt.runs.count {
            // What was pending and answered before the next run began makes no difference either.
            let isPending = attempt.pendingRuns.contains(run.number)
            return .older(words.filter { "MDH".contains($0) || $0 == "P" && isPending })
        }
        let requests = attempt.requests.filter { $0.run == run.number }
        let end: Character
        switch run.end {
        case nil: end = "r"
        case .owner, .imported, .provider: end = "o"
        case .takeOver: end = "t"
        case .person: end = "p"
        }
        return Run(
            exchanges: ["e1", "e2"].map { exchange($0, requests) }, end: end, isMany: requests.count > 1, words: words)
    }

    private static func exchange(_ key: String, _ all: [Attempt.Request]) -> Character {
        let requests = all.filter { $0.key == key }
        guard let last = requests.last else { return "." }
        if requests.contains(where: { $0.ending == .answered }) { return "a" }
        let isDoubtful = requests.dropLast().contains { $0.ending == .lost || $0.ending == nil }
        switch last.ending {
        case nil: return isDoubtful ? "g" : "o"
        case .lost: return "l"
        case .notSent, .refused: return isDoubtful ? "l" : "s"
        case .answered: return "a"
        }
    }

    private static func words(_ run: Int, _ attempt: Attempt) -> String {
        let reports = attempt.reports.filter { $0.run == run }
        let withdrawn = attempt.reports.lastIndex { $0.what == .withdrawn } ?? -1
        let isPerson = attempt.reports.enumerated().contains { index, report in
            report.run == run && report.isApproval && isOfPerson(report) && index > withdrawn
        }
        // A proof answers what was pending before it, and not what is pending since.
        let proof = reports.lastIndex { $0.what == .notExecuted || $0.isDecline && isFound($0) }
        let declines = reports.filter { $0.isDecline && !isPushed($0) }
        let pushed = ["1", "2"].filter { exchange in
            reports.contains { report in
                guard report.isDecline, isPushed(report), let number = report.request else { return false }
                let request = attempt.requests[number - 1]
                let mine = attempt.requests.filter { $0.run == run }
                return request.key == "e\(exchange)" && ModelFacts.exchange("e\(exchange)", mine) != "s"
            }
        }
        let pending = reports.lastIndex(where: \.isPending)
        var letters = reports.contains { $0.isApproval && !isOfPerson($0) } ? "M" : ""
        if !declines.isEmpty { letters += "D" }
        let isLate = proof.map { $0 < pending ?? -1 } ?? false && declines.isEmpty
        if pending != nil, !isLate { letters += "P" }
        if proof != nil { letters += "N" }
        if isLate { letters += "P" }
        return letters + (isPerson ? "H" : "") + pushed.joined()
    }

    private static func isOfPerson(_ report: Attempt.Report) -> Bool {
        if case .person = report.evidence { true } else { false }
    }

    private static func isFound(_ report: Attempt.Report) -> Bool {
        if case .lookup = report.evidence { true } else { false }
    }

    private static func isPushed(_ report: Attempt.Report) -> Bool {
        if case .webhook = report.evidence { true } else { false }
    }
}
