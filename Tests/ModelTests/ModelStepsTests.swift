import Foundation
import PaymentAbstraction
import Testing

/// The rules of the code do what the models allow, step by step, and nothing that they don't.
struct ModelStepsTests {
    private struct Step {
        let facts, event, after, state: Substring
    }

    /// The steps at an account that can be asked what became of an attempt, or that can't.
    private static func steps(_ canLookUp: Bool) throws -> [Step] {
        let name = canLookUp ? "steps.txt" : "steps-unasked.txt"
        let file = URL(filePath: #filePath).appending(path: "../../../Models/\(name)").standardized
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
            let words = $0.split(separator: " ")
            try #require(words.count == 4)
            return Step(facts: words[0], event: words[1], after: words[2], state: words[3])
        }
    }

    @Test(arguments: [true, false])
    func everyStepOfTheModelsIsTheCodesStep(canLookUp: Bool) throws {
        let steps = try Self.steps(canLookUp)
        #expect(steps.count > 10_000)
        var wrong: [String] = []
        for (facts, steps) in Dictionary(grouping: steps, by: \.facts) {
            let attempt = ModelAttempt(ModelFacts(facts), canLookUp: canLookUp)
            for step in steps {
                let (after, isContradicted) = attempt.playing(step.event)
                let text = ModelFacts(after, isContradicted: isContradicted).text
                let state = after?.state.rawValue ?? ""
                if text != step.after || state != step.state {
                    wrong.append("\(facts) \(step.event): \(text) \(state) instead of \(step.after) \(step.state)")
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.sorted().prefix(30).joined(separator: "\n"))")
    }

    @Test(arguments: [true, false])
    func nothingElseIsPossible(canLookUp: Bool) throws {
        let steps = try Self.steps(canLookUp)
        let allowed = Dictionary(grouping: steps, by: \.facts).mapValues { Set($0.map { Self.command($0.event) }) }
        // Who ends a run is no rule; and where nothing can be asked, nothing is.
        let both = try Self.steps(true) + Self.steps(false)
        let events = Set(both.map { Self.command($0.event) }).filter { event in
            !event.hasPrefix("end.") && (canLookUp || !event.hasPrefix("look."))
        }
        var wrong: [String] = []
        var tried = 0
        for (facts, listed) in allowed {
            let model = ModelFacts(facts)
            let attempt = ModelAttempt(model, canLookUp: canLookUp)
            guard let before = attempt.attempt else { continue }
            for event in events where !listed.contains(event) && !isExempt(event, model, before) {
                tried += 1
                if let after = attempt.playing(event).attempt, moves(before, after) {
                    wrong.append("\(facts) \(event): \(ModelFacts(after).text) \(after.state)")
                }
            }
        }
        #expect(tried > 20_000)
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.sorted().prefix(30).joined(separator: "\n"))")
    }

    /// Whether an event changes where an attempt stands or what may be opened next.
    private func moves(_ before: Attempt, _ after: Attempt) -> Bool {
        before.state != after.state || before.requests != after.requests || before.runs != after.runs
            || before.pendingRuns != after.pendingRuns
    }

    /// What the code allows although the models don't speak of it.
    private func isExempt(_ event: Substring, _ model: ModelFacts, _ attempt: Attempt) -> Bool {
        guard let run = model.runs.last else { return true }
        let words = event.split(separator: ".")
        switch words[0] {
        case "open":
            // Where a request may be opened, it is the run's discipline that what was answered isn't asked again.
            let isInDoubt = run.exchanges.contains { "ogl".contains($0) }
            let isOlderPending = attempt.pendingRuns.contains { $0 < attempt.runs.count }
            let mayOpen = attempt.state == .running && !isInDoubt && !isOlderPending
            return mayOpen && (words[1] == "1" && run.exchanges[1] != "." || run.exchanges.contains("a"))
        // A request is answered once; that it can be answered after it was lost stands in the models.
        case "answer": return Int(words[1]).map { "ogl".contains(run.exchanges[$0 - 1]) == false } ?? true
        // The models have at most two runs; and what a device approved counts always.
        case "run": return model.runs.count > 1 || words.last == "moved"
        default: return false
        }
    }

    /// What is one request to the code: of the same exchange, whether or not an earlier one is unanswered.
    private static func command(_ event: Substring) -> Substring {
        event.hasPrefix("again.") ? "open." + event.dropFirst(6) : event
    }
}
