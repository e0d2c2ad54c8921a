internal import PaymentBase
internal import PaymentConformance
internal import PaymentCore

/// What a comparison came to: in a screenful, in full, as a page, as JSON.
struct ComparisonReport {
    /// One capability with who has it.
    struct Capability {
        let name: String
        let has: [Bool]
    }

    let providers: [String]
    let source: PaymentSource.Kind?
    /// What was played of each provider.
    let links: [String]
    let capabilities: [Capability]
    let rows: [ProviderComparison.Row]
    /// Where the results come from, in the order of the rows and of the providers.
    var sources: [[ResultSource]] = []
    /// How what is in doubt ends, in the order of the providers.
    var doubts: [[String]] = []
    /// What differs and isn't known, where that was asked for.
    var fresh: [String] = []

    /// How often a scenario was not played at a provider.
    var notCompared: Int { rows.reduce(0) { $0 + $1.notCompared } }

    /// How often that was declared beforehand.
    var declared: Int { rows.reduce(0) { $0 + $1.declared.count { $0 != nil } } }

    /// Where it was differently from declared.
    var undeclared: [String] {
        rows.flatMap { row in
            row.undeclared.map { "\(row.scenario) at \(providers[$0]): \(row.observations[$0].result)" }
        }
    }

    /// Scenarios that were played at two providers or more, and those that were not.
    var compared: [ProviderComparison.Row] { rows.filter(\.isCompared) }

    /// What was not played, and why: the scenario, the provider, the reason.
    var reasons: [(scenario: String, provider: String, why: String)] {
        rows.flatMap { row in
            zip(providers, row.observations).filter { !$1.isPlayed }.map { (row.scenario, $0, $1.result) }
        }
    }

    /// What every comparison is: of simulations, unless a recording is among them.
    static let basis =
        "simulations of this package were compared, not the providers themselves; what they assume: payctl assumptions"

    /// Where the results of a row come from, by provider; of those that were played.
    func sourced(_ index: Int) -> [(provider: String, source: ResultSource)] {
        guard index < sources.count else { return [] }
        return zip(zip(providers, sources[index]), rows[index].observations).filter(\.1.isPlayed).map(\.0)
    }

    /// Every difference as one line that is the same in each run, for a baseline; times and messages are left out.
    var differences: [String] {
        rows.flatMap { row in
            let aspects = row.differing.filter { $0 != .time && $0 != .messages }.map { aspect in
                let sides = zip(providers, row.observations).map { "\($0)=\($1[aspect].joined(separator: ","))" }
                return "\(row.scenario) \(aspect.rawValue): \(sides.joined(separator: "; "))"
            }
            guard row.played.contains(where: { $0.calls.count > 1 }), !row.isSameResult else { return aspects }
            let sides = zip(providers, row.observations).map { name, seen in
                "\(name)=\(seen.calls.map { "\($0.what) \($0.answer)" }.joined(separator: ","))"
            }
            return aspects + ["\(row.scenario) calls: \(sides.joined(separator: "; "))"]
        }
    }

    // MARK: What it costs

    /// A scenario with a sum that a provider's books hold and the client doesn't know of: what, and where.
    typealias Sum = (scenario: String, words: String)

    /// What nothing says to the till: everything is decided, and the books hold another sum than the client has recorded.
    var costs: [Sum] { sums(\.cost) }

    /// What the till doesn't know yet: something is open.
    var notYetKnown: [Sum] { sums(\.notYetKnown) }

    private func sums(_ words: KeyPath<ScenarioResult, String>) -> [Sum] {
        rows.compactMap { row in
            var groups: [(what: String, who: [String])] = []
            for (provider, seen) in zip(providers, row.observations) where !seen[keyPath: words].isEmpty {
                if let index = groups.firstIndex(where: { $0.what == seen[keyPath: words] }) {
                    groups[index].who.append(provider)
                } else {
                    groups.append((seen[keyPath: words], [provider]))
                }
            }
            if groups.isEmpty { return nil }
            let words = groups.map { "\($0.what) at \($0.who.listed)" }
            return (row.scenario, words.joined(separator: ", "))
        }
    }

    /// What costs money, in one line that names the rows; then what has moved and isn't known yet.
    var moneyLines: [String] {
        func named(_ sums: [Sum]) -> String {
            sums.map { "\($0.scenario) (\($0.words))" }.joined(separator: "; ")
        }
        let first =
            costs.isEmpty
            ? "No row costs money unseen: where all is decided, each provider's books hold what the client has recorded."
            : "COSTS MONEY UNSEEN: \(named(costs)). The client has recorded another sum, and nothing says so."
        if notYetKnown.isEmpty { return [first] }
        return [
            first,
            "MONEY MOVED, AND THE TILL DOESN'T KNOW YET: \(named(notYetKnown)). Don't charge or refund again under "
                + "another id: ask (payctl status).",
        ]
    }

    /// How many scenarios are compared and come to what, each number with what is counted.
    var counts: [String] {
        let others = compared.count { $0.isSameResult && !$0.differing.isEmpty }
        let results = compared.count { !$0.isSameResult }
        let (left, equal) = (rows.count - compared.count, compared.count - results)
        let kinds: [ComparisonStanding] = [.asAsked, .same, .open, .otherAmount, .costsMoney]
        let parts = kinds.map { kind in
            (kind, compared.count { $0.isSameResult && standing($0) == kind })
        }
        var lines = [
            "\(compared.count) of \(rows.count.counted("scenario")) are compared: \(results) with another answer, \(equal) "
                + "with the same answer (\(others) of them with other codes, books, events or messages)."
        ]
        if equal > 0 {
            let words = parts.filter { $1 > 0 }.map { "\($1) \($0.part)" }
            lines.append("Of the \(equal) with the same answer: \(words.joined(separator: ", ")).")
        }
        if left > 0 {
            let (verb, what) = left == 1 ? ("is", "it") : ("are", "them")
            lines.append(
                "\(left.counted("scenario")) \(verb) not compared: fewer than two providers could play \(what).")
        }
        if notCompared > 0 { lines.append("\(missing), in \(missingIn); the reasons are below.") }
        return lines
    }

    /// How many results are missing of all that there could be.
    private var missing: String {
        "\(notCompared) of \((rows.count * providers.count).counted("result")) "
            + "(\(rows.count.counted("scenario")) at \(providers.count) providers) were not played"
    }

    /// In how many scenarios, by the number of providers where each was not played.
    var missingIn: String {
        let numbers = rows.map(\.notCompared).filter { $0 > 0 }
        let groups = Set(numbers).sorted().map { number in
            "\(numbers.count { $0 == number }) at \(number.counted("provider"))"
        }
        return "\(numbers.count.counted("scenario")): \(groups.joined(separator: ", "))"
    }

    // MARK: As JSON

    var json: JSON {
        let differences = capabilities.map { capability -> JSON in
            var who = JSONObject()
            for (provider, isThere) in zip(providers, capability.has) { who[provider] = .bool(isThere) }
            return ["name": .string(capability.name), "has": .object(who)]
        }
        let scenarios = rows.enumerated().map { index, row -> JSON in
            var (seen, from) = (JSONObject(), JSONObject())
            for (provider, source) in sourced(index) { from[provider] = source.json }
            for (provider, observation) in zip(providers, row.observations) { seen[provider] = observation.json }
            return [
                "name": .string(row.scenario), "summary": .string(row.summary),
                "isCompared": .bool(row.isCompared), "sameResult": .bool(row.isSameResult),
                "standing": .string(standing(row).rawValue), "differs": .texts(row.differing.map(\.rawValue)),
                "observations": .object(seen), "sources": .object(from),
            ]
        }
        var ends = JSONObject()
        for (provider, lines) in zip(providers, doubts) { ends[provider] = .texts(lines) }
        return [
            "providers": .texts(providers), "source": .text(source?.rawValue), "capabilities": .array(differences),
            "links": .texts(links), "basis": .string(Self.basis), "scenarios": .array(scenarios),
            "costs": .array(costs.map { ["scenario": .string($0.scenario), "words": .string($0.words)] }),
            "notYetKnown": .array(
                notYetKnown.map { ["scenario": .string($0.scenario), "words": .string($0.words)] }),
            "doubts": .object(ends),
            "reasons": .array(
                reasons.map {
                    ["scenario": .string($0.scenario), "provider": .string($0.provider), "why": .string($0.why)]
                }), "notCompared": .integer(notCompared), "declared": .integer(declared),
            "undeclared": .texts(undeclared),
        ]
    }
}

extension [String] {
    /// Names as a sentence lists them: `a, b and c`.
    fileprivate var listed: String {
        guard let last, count > 1 else { return first ?? "" }
        return "\(dropLast().joined(separator: ", ")) and \(last)"
    }
}

extension ScenarioResult {
    fileprivate var json: JSON {
        var members: JSONObject = ["played": .bool(isPlayed), "result": .string(result), "code": .string(code)]
        for aspect in [Aspect.amounts, .ledger, .events, .messages, .receipt, .card, .open] {
            members[aspect.rawValue] = .texts(self[aspect])
        }
        members["milliseconds"] = .number(JSONNumber(milliseconds))
        members["calls"] = .array(
            calls.map {
                [
                    "what": .string($0.what), "answer": .string($0.answer), "requests": .integer($0.requests),
                    "why": .text($0.why.isEmpty ? nil : $0.why),
                ]
            })
        members["asAsked"] = .bool(isAsAsked)
        members["cost"] = .text(cost.isEmpty ? nil : cost)
        members["notYetKnown"] = .text(notYetKnown.isEmpty ? nil : notYetKnown)
        members["notes"] = .texts(notes)
        return .object(members)
    }
}
