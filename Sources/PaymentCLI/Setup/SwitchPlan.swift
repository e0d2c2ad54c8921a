internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentConformance
internal import PaymentHarnesses
internal import PaymentProviderKit

/// A switch from one provider to another.
struct SwitchPlan {
    /// A scenario that both simulations play and that the application gets another result of.
    struct Difference {
        let scenario: String
        let old: String
        let new: String
        /// Whether the new one only receives what the old one decides at once.
        var isLater: Bool { new == SwitchPlan.later && old != SwitchPlan.later }
    }

    fileprivate static let later = "received, decided later"
    /// What is played to see what becomes asynchronous.
    private static let played = ["sale", "authorize", "capture", "capture-part", "void", "refund", "refund-part"]

    let from: ConfiguredProvider
    let to: ConfiguredProvider
    let kept: [String]
    let gained: [String]
    let lost: [String]
    let differences: [Difference]
    let past: JournalUsage

    init(_ till: CommandSession, _ from: String, _ to: String) async throws {
        func find(_ name: String) throws(UsageError) -> ConfiguredProvider {
            try till.configuration.providers.picked(name, "provider", by: \.id.rawValue)
        }
        (self.from, self.to) = (try find(from), try find(to))
        if from == to { throw UsageError(message: "\(from) and \(to) are the same") }
        let (old, new) = (
            try till.client.provider(self.from.id).capabilityTable, try till.client.provider(self.to.id).capabilityTable
        )
        kept = old.entries.filter { $0.isSupported && new[$0.name] }.map(\.name)
        lost = old.entries.filter { $0.isSupported && !new[$0.name] }.map(\.name)
        gained = new.entries.filter { $0.isSupported && !old[$0.name] }.map(\.name)
        differences = try Self.differences(self.from.entry.adapter, self.to.entry.adapter, till.call)
        past = try await JournalUsage(till.client, self.from.id)
    }

    /// What the simulations of both come to, where there are any.
    private static func differences(_ old: String, _ new: String, _ call: Invocation) throws -> [Difference] {
        let registry = call.registry.harnesses(over: .inProcess)
        guard let old = registry[old], let new = registry[new] else { return [] }
        let comparison = try ProviderComparison([old, new])
        return Scenario.all.filter { played.contains($0.name) }.compactMap { scenario in
            let row = comparison.play(scenario)
            guard row.observations.allSatisfy(\.isPlayed), !row.isSameResult else { return nil }
            return Difference(
                scenario: row.scenario, old: row.observations[0].result, new: row.observations[1].result)
        }
    }

    /// Those that take nothing new afterwards: the old one too, never the new one.
    func draining(_ routing: Routing) -> [String] {
        (routing.draining.union([from.id]).subtracting([to.id])).map(\.rawValue).sorted()
    }

    /// What the journal did with something that the new one lacks, most often first.
    var missed: [(name: String, count: Int)] {
        lost.compactMap { name in past.uses[name].map { (name, $0) } }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    /// What is there at both and is not the same.
    var changes: [String] {
        var changes: [String] = []
        func note(_ what: String, _ old: String, _ new: String) {
            if old != new { changes.append("\(what): \(old) becomes \(new)") }
        }
        note("environment", from.environment, to.environment)
        note("merchant", from.merchant, to.merchant)
        func list(_ currencies: Set<Currency>?) -> String {
            currencies.map { $0.map(\.code).sorted().joined(separator: ", ") } ?? "all"
        }
        note("currencies", list(from.currencies), list(to.currencies))
        return changes
    }

    func json(_ draining: [String], _ isApplied: Bool) -> JSON {
        [
            "from": .string(from.id.rawValue), "to": .string(to.id.rawValue), "same": .texts(kept),
            "changes": .texts(changes), "gained": .texts(gained), "lost": .texts(lost),
            "lostAndUsed": .array(missed.map { ["name": .string($0.name), "count": .integer($0.count)] }),
            "decidedLater": .texts(differences.filter(\.isLater).map(\.scenario)),
            "otherResults": .array(
                differences.map {
                    ["scenario": .string($0.scenario), "before": .string($0.old), "after": .string($0.new)]
                }),
            "webhooks": [
                "needed": .bool(differences.contains(where: \.isLater)),
                "credential": .text(to.entry.webhookCredential),
                "configured": .bool(to.hasWebhookKey),
            ],
            "staying": .array(past.open.map(\.json)), "refundable": .integer(past.refundable),
            "saved": .integer(past.saved),
            "edit": ["active": .string(to.id.rawValue), "draining": .texts(draining)], "applied": .bool(isApplied),
        ]
    }

    // MARK: For people

    func lines(_ call: Invocation) -> [String] {
        let columns = call.console.columns ?? 80
        let steps = self.steps(call)
        let numbered = steps.enumerated().flatMap { number, step -> [String] in
            let head = "[ ] \(number + 1) \(step[0])".wrapped(to: columns, indent: "      ")
            return head + step.dropFirst().flatMap { "      \($0)".indented(to: columns) }
        }
        return [call.paint.strong("From \(from.id) to \(to.id)"), ""] + numbered
            + list("As before", kept, columns) + list("New", gained, columns) + list("Changes", changes, columns)
    }

    /// What there is to do, each with what belongs to it.
    func steps(_ call: Invocation) -> [[String]] {
        [webhooks, waiting, losses, open(call), saved, tests, apply(call)].filter { !$0.isEmpty }
    }

    private func list(_ title: String, _ names: [String], _ columns: Int) -> [String] {
        names.isEmpty ? [] : [""] + "\(title): \(names.joined(separator: ", "))".wrapped(to: columns, indent: "  ")
    }

    private var webhooks: [String] {
        let later = differences.filter(\.isLater).map(\.scenario)
        if later.isEmpty { return [] }
        let key = to.entry.webhookCredential
        return [
            "Set up \(to.entry.name)'s webhooks: without them nobody tells you what became of \(later.joined(separator: ", ")).",
            "POST each message to your server, which hands it to PaymentClient.receive.",
            key.map {
                "credential \($0): \(to.hasWebhookKey ? "is configured" : "is NOT configured, so all are refused")"
            }
                ?? "it signs none: take each as a hint to look again",
        ]
    }

    private var waiting: [String] {
        let later = differences.filter(\.isLater)
        if later.isEmpty { return [] }
        return [
            "Let your application wait for: \(later.map(\.scenario).joined(separator: ", ")). \(from.id) decides at once; "
                + "\(to.id) only receives (result `pending`, exit status 6)."
        ]
    }

    private var losses: [String] {
        if lost.isEmpty { return [] }
        let used = missed.map { "\($0.name) (\($0.count)×)" }
        let unused = lost.filter { name in !missed.contains { $0.name == name } }
        return [
            missed.isEmpty
                ? "Nothing that you lose was ever used in this journal."
                : "Replace what you lose and have used: \(used.joined(separator: ", "))."
        ] + (unused.isEmpty ? [] : ["never used here: \(unused.joined(separator: ", "))"])
    }

    private func open(_ call: Invocation) -> [String] {
        let staying = past.open.map { record in
            "\(record.word)  \(record.intent.operation.rawValue) of \(record.intent.amount)  \(record.intent.attempt)"
        }
        let shown = staying.prefix(5) + (staying.count > 5 ? ["and \(staying.count - 5) more"] : [])
        return [
            "Keep \(from.id) configured, under \"draining\": \(past.refundable) of its payments can still be given back, "
                + "there and nowhere else; \(staying.count) open."
        ] + shown + (staying.isEmpty ? [] : ["decide them first where you can: \(call.command("recover"))"])
    }

    private var saved: [String] {
        past.saved == 0
            ? []
            : [
                "\(past.saved) saved instruments stay with \(from.id): ask both providers about moving them, or ask again."
            ]
    }

    private var tests: [String] {
        let others = differences.filter { !$0.isLater }.map { "\($0.scenario): \($0.old) becomes \($0.new)" }
        let first = ["sale, decline and a lost reply at the till"] + differences.filter(\.isLater).map(\.scenario)
        return ["Try first, on \(to.id)'s test environment: \(first.joined(separator: ", "))."] + others
            + ["all that differs: payctl compare \(from.entry.adapter) \(to.entry.adapter)"]
    }

    private func apply(_ call: Invocation) -> [String] {
        call.given.has("apply")
            ? [] : ["Then: \(call.command("switch plan \(from.id) \(to.id) --apply"))"]
    }
}

extension String {
    /// A line that keeps its own indentation when it is broken.
    fileprivate func indented(to columns: Int) -> [String] {
        let indent = String(prefix { $0 == " " })
        return String(dropFirst(indent.count)).wrapped(to: columns - indent.count).map { indent + $0 }
    }
}
