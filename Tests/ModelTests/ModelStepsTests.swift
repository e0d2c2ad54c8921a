import Foundation
import PaymentAbstraction
import Testing

/// The rules of the code do what the models allow, step by step, and nothing that they don't.
struct ModelStepsTests {
    private struct Step {
        let facts, event, after, state: Substring
    }

    private static func steps() throws -> [Step] {
        let file = URL(filePath: #filePath).appending(path: "../../../Models/steps.txt").standardized
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
            let words = $0.split(separator: " ")
            try #require(words.count == 4)
            return Step(facts: words[0], event: words[1], after: words[2], state: words[3])
        }
    }

    @Test func everyStepOfTheModelsIsTheCodesStep() throws {
        let steps = try Self.steps()
        #expect(steps.count > 10_000)
        var wrong: [String] = []
        for step in steps {
            let attempt = ModelAttempt(ModelFacts(step.facts))
            let after = attempt.playing(step.event)
            let text = ModelFacts(after).text
            let state = after?.standing.rawValue ?? ""
            if text != step.after || state != step.state {
                wrong.append("\(step.facts) \(step.event): \(text) \(state) instead of \(step.after) \(step.state)")
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(30).joined(separator: "\n"))")
    }

    @Test func nothingElseIsPossible() throws {
        let steps = try Self.steps()
        let allowed = Dictionary(grouping: steps, by: \.facts).mapValues { Set($0.map(\.event)) }
        // Who ends a round, and that an exchange isn't made again, is the run's discipline and no rule.
        let events = Set(steps.map(\.event)).filter { !$0.hasPrefix("end.") }
        var wrong: [String] = []
        var tried = 0
        for (facts, listed) in allowed {
            let model = ModelFacts(facts)
            let attempt = ModelAttempt(model)
            guard attempt.facts?.rounds.isEmpty == false else { continue }
            for event in events where !listed.contains(event) && !isExempt(event, model) {
                tried += 1
                let after = attempt.playing(event)
                if let before = attempt.facts, let after, moves(before, after) {
                    wrong.append("\(facts) \(event): \(ModelFacts(after).text) \(after.standing)")
                }
            }
        }
        #expect(tried > 30_000)
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.sorted().prefix(30).joined(separator: "\n"))")
    }

    /// Whether an event changes where an attempt stands or what may be opened next.
    private func moves(_ before: AttemptFacts, _ after: AttemptFacts) -> Bool {
        before.standing != after.standing || before.sends != after.sends || before.rounds != after.rounds
            || before.isTold != after.isTold
    }

    private func isExempt(_ event: Substring, _ model: ModelFacts) -> Bool {
        guard let round = model.rounds.last else { return true }
        let words = event.split(separator: ".")
        switch words[0] {
        case "open", "again":
            // The second exchange follows the first; one that was answered isn't made again.
            guard let exchange = Int(words[1]) else { return true }
            let letter = round.exchanges[exchange - 1]
            return letter == "a" || exchange == 2 && round.exchanges[0] != "a"
                || exchange == 1 && round.exchanges[1] != "." || (words[0] == "again") != (letter == "l")
        case "safe", "lost", "answer":
            // A send that was never opened, or has ended already, has no further end.
            return Int(words[1]).map { "ogl".contains(round.exchanges[$0 - 1]) == false } ?? true
        case "round": return model.rounds.count > 1
        // That money moved counts whenever it is heard.
        case "notice", "look": return round.exchanges == [".", "."] || words[1] == "moved"
        case "person": return round.exchanges == [".", "."]
        default: return false
        }
    }
}
