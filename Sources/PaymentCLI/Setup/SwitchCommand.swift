internal import PaymentConformance
internal import PaymentCore
internal import PaymentHarnesses
internal import PaymentProviderKit
internal import PaymentService

extension Command {
    /// What a switch of provider would mean.
    static let switchPlan = Command(
        name: "switch plan",
        summary: "lists what a switch from one provider to another takes, by what your journal did; --apply makes it",
        example: "payctl switch plan arise adyen",
        takes: .configured(
            "FROM", "TO",
            with: [
                .flag("apply", "writes the change into the configuration"),
                ReportFiles.option,
            ])
    ) { call in
        let files = try ReportFiles(call.given)
        let (from, to) = (try call.operand(0, "FROM"), try call.operand(1, "TO"))
        return try await CommandSession.use(call, .journal) { till in
            let plan = try await SwitchPlan(till, from, to)
            let draining = plan.draining(till.configuration.routing)
            let edit = try SwitchEdit(call, to: to, draining)
            if call.given.has("apply") { try edit.apply() }
            try files.tell(
                call, plan.document(call, draining, edit), plan.json(draining, edit.isApplied),
                plan.lines(call) + edit.lines)
            return .fine
        }
    }
}

/// The lines of a configuration that a switch changes.
struct SwitchEdit {
    private let call: Invocation
    private let path: String
    private let old: [UInt8]
    private let new: [UInt8]
    let isApplied: Bool

    init(_ call: Invocation, to: String, _ draining: [String]) throws(UsageError) {
        (self.call, path) = (call, call.configurationPath)
        isApplied = call.given.has("apply")
        if call.isBuiltin {
            if isApplied { throw UsageError(message: "there is no providers.json to change; `payctl init` writes one") }
            (old, new) = ([], [])
            return
        }
        old = try CommandFile.read(path)
        guard let changed = ConfigurationEdit(old).switching(to: to, draining: draining) else {
            throw UsageError(message: "\(path) can't be changed by a program; make \(to) active by hand")
        }
        new = changed
    }

    func apply() throws {
        // What is written must be readable before it takes the old one's place.
        _ = try ConfigurationReader(call.registry.providers).read(new, file: path)
        try CommandFile.write(new, path)
    }

    var lines: [String] {
        if old.isEmpty { return [] }
        let head = isApplied ? "Written into \(path):" : "The change of \(path); --apply makes it:"
        let next = isApplied ? ["Start each till and `payctl serve` again: they read the file once."] : []
        return ["", head] + changes.map { "\($0.isGone ? "-" : "+") \($0.line)" } + next
    }

    /// Lines that go, then lines that come.
    var changes: [(isGone: Bool, line: String)] {
        func split(_ bytes: [UInt8]) -> [Substring] {
            String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        }
        let difference = split(new).difference(from: split(old))
        return difference.removals.map { (true, String(Self.text($0))) }
            + difference.insertions.map { (false, String(Self.text($0))) }
    }

    private static func text(_ change: CollectionDifference<Substring>.Change) -> Substring {
        switch change {
        case .insert(_, let element, _), .remove(_, let element, _): element
        }
    }
}

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
    /// What the new one only receives, whatever the old one does: a message says what became of it.
    let received: [String]
    let past: JournalUsage
    private let takes: (old: Capabilities, new: Capabilities)

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
        (differences, received) = try Self.differences(self.from, self.to, till.call)
        past = JournalUsage(
            try await till.everyAttempt(), try till.client.provider(self.from.id).identity)
        takes = (
            try till.client.provider(self.from.id).capabilities, try till.client.provider(self.to.id).capabilities
        )
    }

    /// What the simulations of both come to, where there are any.
    private static func differences(
        _ old: ConfiguredProvider, _ new: ConfiguredProvider, _ call: Invocation
    ) throws -> ([Difference], received: [String]) {
        let registry = call.registry.harnesses(over: .inProcess)
        // What is played goes the way that is configured, where its simulation has a name of its own.
        func simulation(_ provider: ConfiguredProvider) -> (any ConformanceHarness)? {
            let own = provider.link.flatMap { registry["\(provider.entry.adapter)-\($0.name)"] }
            return own ?? registry[provider.entry.adapter]
        }
        guard let old = simulation(old), let new = simulation(new) else { return ([], []) }
        let comparison = try ProviderComparison([old, new])
        let rows = Scenario.all.filter { played.contains($0.name) }.map { comparison.play($0) }
        let received = rows.filter { $0.observations[1].isPlayed && $0.observations[1].result == later }
        let differences = rows.filter { $0.observations.allSatisfy(\.isPlayed) && !$0.isSameResult }
        return (
            differences.map {
                Difference(scenario: $0.scenario, old: $0.observations[0].result, new: $0.observations[1].result)
            }, received.map(\.scenario)
        )
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
        note("link", from.link?.name ?? "none", to.link?.name ?? "none")
        func list(_ currencies: Set<Currency>?) -> String {
            currencies.map { $0.map(\.code).sorted().joined(separator: ", ") } ?? "all"
        }
        note("currencies", list(from.currencies), list(to.currencies))
        func kinds(_ sources: Set<PaymentSource.Kind>) -> String {
            sources.map(\.rawValue).sorted().joined(separator: ", ")
        }
        // The names of capabilities say of a sale alone where its money may come from.
        if kept.contains("authorize") {
            note("holds from", kinds(takes.old.authorizationSources), kinds(takes.new.authorizationSources))
            note("captures of a hold", takes.old.captureRule.rawValue, takes.new.captureRule.rawValue)
            note("a void takes", takes.old.voidRule.rawValue, takes.new.voidRule.rawValue)
        }
        if kept.contains("refund.unlinked") {
            let (old, new) = (takes.old.unlinkedRefundSources, takes.new.unlinkedRefundSources)
            note("refunds without a payment to", kinds(old), kinds(new))
        }
        if kept.contains("verify") || kept.contains("tokenize") {
            note("checks of", kinds(takes.old.verificationSources), kinds(takes.new.verificationSources))
        }
        return changes
    }

    /// What is written as JSON.
    private typealias Shown = (plan: SwitchPlan, draining: [String], isApplied: Bool)

    func json(_ draining: [String], _ isApplied: Bool) -> JSON {
        Self.shape.json((self, draining, isApplied), for: .office)
    }

    /// The schema of what is written as JSON.
    static var schema: AnyShape { shape.any }

    private static let shape = Shape<Shown>(
        "SwitchPlan", uses: [AttemptView.shape.any],
        differing + [
            .init(
                "webhooks",
                Schema.object([
                    ("needed", Schema.flag), ("credential", Schema.textOrNull), ("configured", Schema.flag),
                ]), "Whether the new provider's messages need an address, and whether their key is configured."
            ) { shown in
                [
                    "needed": .bool(!shown.plan.webhooks.isEmpty),
                    "credential": .text(shown.plan.to.entry.webhookCredential),
                    "configured": .bool(shown.plan.to.hasWebhookKey),
                ]
            },
            .init(
                "staying", BookShapes.list(of: AttemptView.shape.any),
                "What is open, held or not forwarded, and stays at the old one."
            ) { .array($0.plan.past.open.map(\.json)) },
            .init("refundable", Schema.count, "Payments at the old one that may be refunded.") {
                .integer($0.plan.past.refundable)
            },
            .init("saved", Schema.count, "Instruments that the old one keeps.") { .integer($0.plan.past.saved) },
            .init(
                "edit", Schema.object([("active", Schema.text), ("draining", Schema.texts)]),
                "What the configuration says after it."
            ) { ["active": .string($0.plan.to.id.rawValue), "draining": .texts($0.draining)] },
            .init("applied", Schema.flag, "Whether the configuration was changed.") { .bool($0.isApplied) },
        ])

    private static let differing: [Shape<Shown>.Member] = [
        .init("from", Schema.text, "The provider that is left.") { .string($0.plan.from.id.rawValue) },
        .init("to", Schema.text, "The provider that follows.") { .string($0.plan.to.id.rawValue) },
        .init("same", Schema.texts, "What both can do.") { .texts($0.plan.kept) },
        .init("changes", Schema.texts, "What both can do in different ways.") { .texts($0.plan.changes) },
        .init("gained", Schema.texts, "What the new one alone can do.") { .texts($0.plan.gained) },
        .init("lost", Schema.texts, "What the old one alone can do.") { .texts($0.plan.lost) },
        .init(
            "lostAndUsed",
            ["type": "array", "items": Schema.object([("name", Schema.text), ("count", Schema.count)])],
            "What is lost and was used, with how often."
        ) { .array($0.plan.missed.map { ["name": .string($0.name), "count": .integer($0.count)] }) },
        .init("decidedLater", Schema.texts, "Scenarios that the new one alone decides later.") {
            .texts($0.plan.differences.filter(\.isLater).map(\.scenario))
        },
        .init(
            "otherResults",
            [
                "type": "array",
                "items": Schema.object([
                    ("scenario", Schema.text), ("before", Schema.text), ("after", Schema.text),
                ]),
            ], "Scenarios that end differently."
        ) { shown in
            .array(
                shown.plan.differences.map {
                    ["scenario": .string($0.scenario), "before": .string($0.old), "after": .string($0.new)]
                })
        },
    ]

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
        let key = to.entry.webhookCredential
        if received.isEmpty, key == nil { return [] }
        // Also where the old one does the same: another account has webhooks and a key of its own.
        let missed =
            received.isEmpty
            ? "of late failures and chargebacks" : "what became of \(received.joined(separator: ", "))"
        return [
            "Set up \(to.entry.name)'s webhooks for \(to.id): without them you do not learn \(missed).",
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
        let unused = lost.filter { name in isUseKnown(name) && !missed.contains { $0.name == name } }
        let silent = lost.filter { !isUseKnown($0) }
        return [
            missed.isEmpty
                ? "Look in your application for what you lose: this journal shows no use of it."
                : "Replace what you lose and have used: \(used.joined(separator: ", "))."
        ] + (unused.isEmpty ? [] : ["never used here: \(unused.joined(separator: ", "))"])
            + (silent.isEmpty ? [] : ["no journal records the use of: \(silent.joined(separator: ", "))"])
    }

    private func isUseKnown(_ name: String) -> Bool { JournalUsage.recorded.contains(name) }

    private func open(_ call: Invocation) -> [String] {
        let staying = past.open.map { record in
            "\(record.status)  \(record.intent.operation.rawValue) of \(record.intent.amount)  \(record.intent.attempt)"
        }
        let shown = staying.prefix(5) + (staying.count > 5 ? ["and \(staying.count - 5) more"] : [])
        var lines = [
            "Keep \(from.id) configured, under \"draining\": \(past.refundable) of its payments can still be refunded, "
                + "there and nowhere else; \(staying.count) open, held or not forwarded."
        ]
        lines += shown
        if past.strangers > 0 {
            lines.append(
                "\(past.strangers) more were taken as \(from.id) by another account, and can be refunded only while "
                    + "that one has this name")
        }
        for scope in past.open.filter(\.isUnfinished).scopes {
            lines.append("decide what is open first, where you can: \(call.command("recover", scope: scope))")
        }
        for scope in past.open.filter({ !$0.isUnfinished }).scopes {
            let (capture, void) = (
                call.command("capture PAYMENT", scope: scope), call.command("void PAYMENT", scope: scope)
            )
            lines += ["capture what is held there before it lapses: \(capture)", "or let it go: \(void)"]
        }
        return lines
    }

    private var saved: [String] {
        past.saved == 0
            ? []
            : [
                "\(past.saved) saved instruments and card-on-file agreements stay with \(from.id): ask both providers about "
                    + "moving them, or ask the customers again.",
                past.uses["debit"].map {
                    "\($0) debits were made by such agreements; they continue there, also under \"draining\""
                } ?? "no debit was made by one",
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

extension SwitchPlan {
    /// The plan, for a page, Markdown and JUnit.
    func document(_ call: Invocation, _ draining: [String], _ edit: SwitchEdit) -> ReportDocument {
        var document = ReportDocument(title: "Switch plan: from \(from.id) to \(to.id)")
        let later = differences.filter(\.isLater).count
        document.verdict = [
            "\(kept.count) capabilities as before, \(gained.count) new, \(lost.count) lost; of what is lost, "
                + "\(missed.count) used in this journal.",
            "\(differences.count) scenarios come to another result, \(later) of them are decided later.",
            "Open, held or not forwarded at \(from.id): \(past.open.count). Payments that can still be refunded there: "
                + "\(past.refundable).",
            edit.isApplied ? "The change is written." : "Nothing is changed yet.",
        ]
        document.mood = missed.isEmpty && lost.allSatisfy(isUseKnown) ? .good : .doubt
        document.add(
            .init(
                title: "What there is to do", head: ["step", "what", "in particular"],
                rows: steps(call).enumerated().map { number, step in
                    .init(cells: [["\(number + 1)"], [step[0]], Array(step.dropFirst())], mood: .plain)
                }))
        document.add(
            .init(
                title: "Results that change", head: ["scenario", from.id.rawValue, to.id.rawValue, "why it matters"],
                rows: differences.map { one in
                    let why = one.isLater ? "not known at once: wait for the webhook" : "another end"
                    return .init(
                        cells: [[one.scenario], [one.old], [one.new], [why]], mood: one.isLater ? .doubt : .bad)
                }))
        document.add(capabilities)
        document.add(
            .init(
                title: "Settings that change", head: ["setting", "change"],
                rows: changes.map { change in
                    let parts = change.split(separator: ":", maxSplits: 1).map(String.init)
                    return .init(cells: [[parts[0]], [parts.last?.trimmedAtStart ?? ""]], mood: .doubt)
                }))
        document.add(
            .init(
                title: "Open at \(from.id)", head: ["attempt", "operation", "amount", "state"],
                rows: past.open.map { record in
                    .init(
                        cells: [
                            [record.intent.attempt.text], [record.intent.operation.rawValue],
                            ["\(record.intent.amount)"], [record.status],
                        ], mood: .doubt)
                }))
        document.add(
            .init(
                title: "The change of the configuration", head: ["what", "line"],
                rows: edit.changes.map { .init(cells: [[$0.isGone ? "goes" : "comes"], [$0.line]], mood: .plain) }))
        document.suites = [.init("switch plan \(from.id) \(to.id)", outcomes)]
        return document
    }

    private var capabilities: ReportDocument.Table {
        func row(_ name: String, _ old: Bool, _ new: Bool, _ mood: ReportDocument.Severity) -> ReportDocument.Row {
            func cell(_ has: Bool) -> ReportDocument.Cell {
                .init([has ? "✓" : "–"], spoken: has ? "has it" : "lacks it")
            }
            let count = missed.first { $0.name == name }?.count
            return .init(
                [.init([name]), cell(old), cell(new), .init([count.map { "used \($0)×" } ?? ""])], mood: mood)
        }
        let used = missed.map(\.name)
        return .init(
            title: "Capabilities", head: ["capability", from.id.rawValue, to.id.rawValue, "in this journal"],
            rows: lost.filter(used.contains).map { row($0, true, false, .bad) }
                + lost.filter { !used.contains($0) }.map { row($0, true, false, .doubt) }
                + gained.map { row($0, false, true, .good) } + kept.map { row($0, true, true, .plain) },
            isMatrix: true)
    }

    /// A plan doesn't fail: what a person has to look at is skipped, with the reason.
    private var outcomes: [ReportDocument.Outcome] {
        let used = Dictionary(missed.map { ($0.name, $0.count) }, uniquingKeysWith: { first, _ in first })
        return kept.map { .init($0, in: "switch.capability", .passed) }
            + lost.map { name in
                let why =
                    used[name].map { "lost, and used \($0) times" }
                    ?? (isUseKnown(name) ? "lost, and never used" : "lost; no journal records its use")
                return .init(name, in: "switch.capability", .skipped, why)
            }
            + differences.map {
                .init($0.scenario, in: "switch.result", .skipped, "\($0.old) becomes \($0.new)")
            }
    }
}

extension String {
    /// The same without spaces at its start.
    fileprivate var trimmedAtStart: String { String(drop { $0 == " " }) }
}

/// Changes of a configuration that leave every other byte as it is, comments too.
struct ConfigurationEdit {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The file with another active provider, and with a list of those that take nothing new; nil when it is no file
    /// that can be changed so.
    func switching(to active: String, draining: [String]) -> [UInt8]? {
        guard let places = try? places(), let activePlace = places["active"] else { return nil }
        let list = JSON.texts(draining).line
        var edits = [(activePlace, JSON.string(active).line)]
        if let drainingPlace = places["draining"] {
            edits.append((drainingPlace, list))
        } else {
            edits[0].1 += ",\n  \"draining\": \(list)"
        }
        return changed(edits)
    }

    /// The providers that the file names, as far as a comment-tolerant look shows; nil when it is no configuration.
    func providers() -> [(name: String, adapter: String, environment: String)]? {
        guard let members = try? JSONReader().read(bytes)["providers"]?.object?.members else { return nil }
        return members.filter { !$0.key.hasPrefix("//") && !$0.key.hasPrefix("$") }.map { member in
            (member.key, member.value["adapter"]?.string ?? "", member.value["environment"]?.string ?? "")
        }
    }

    /// The file with more providers behind those that are there; nil when it is no file that can be changed so.
    func adding(_ providers: [(name: String, members: JSONObject)]) -> [UInt8]? {
        guard let place = try? places()["providers"], bytes[place.upperBound - 1] == UInt8(ascii: "}"),
            let there = self.providers()
        else { return nil }
        // What is before the brace stays, but for the white space.
        var end = place.upperBound - 1
        while end > place.lowerBound, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[end - 1]) { end -= 1 }
        let isEmpty = there.isEmpty && bytes[end - 1] == UInt8(ascii: "{")
        let texts = providers.map { name, members in
            let text = String(decoding: JSON.object(members).bytes(layout: .pretty), as: UTF8.self)
            return "\n    \(JSON.string(name).line): " + text.replacing("\n", with: "\n    ")
        }
        return changed([(end..<(place.upperBound - 1), (isEmpty ? "" : ",") + texts.joined(separator: ",") + "\n  ")])
    }

    private func changed(_ edits: [(Range<Int>, String)]) -> [UInt8] {
        var changed = bytes
        for (place, text) in edits.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            changed.replaceSubrange(place, with: Array(text.utf8))
        }
        return changed
    }

    /// Where the values of the file's own members are.
    private func places() throws -> [String: Range<Int>] {
        var reader = try JSONPullReader(bytes)
        var places: [String: Range<Int>] = [:]
        let root = try reader.enterObject()
        while try reader.nextMember(of: root) {
            let key = reader.key
            _ = try reader.nextType()
            let start = reader.offset
            try reader.skip()
            places[key] = start..<reader.offset
        }
        try reader.end()
        return places
    }
}
