internal import PaymentBase
internal import PaymentCore
internal import PaymentJournalKit
internal import PaymentProviderKit
internal import PaymentService

/// The time of which a journal has forgotten payments.
enum PrunedTime {
    /// What was pruned, for people.
    static func words(_ moment: Int64) -> String? {
        Timestamp(milliseconds: moment).map { "those that were decided before \($0.text().prefix(10)) were pruned" }
    }
}

/// What a command looked at: the journal, the scope, and which accounts are configured, each simulated or real. A list that is
/// empty says nothing without it.
struct LookedAt: Sendable {
    /// The journal, as the configuration names it.
    let journal: String
    /// Whether the journal could only be read, and why.
    let readOnly: String?
    let accounts: [(name: String, environment: String, isSimulated: Bool)]
    /// Why the journal may lack payments, as a sentence; nil where nothing shows it. Beside it, nothing may be said of what the
    /// journal doesn't have.
    private(set) var lack: String?
    /// Before which moment payments were decided that the journal forgot.
    private let prunedBefore: Int64?

    /// What a command looked at, once the journal has said whether it continues where it was left.
    init(of till: CommandSession) async throws {
        let store = till.journal as? any JournalMaintenance
        var reason = try await store?.refusal()
        if reason == nil, try await store?.hasGap() == true {
            reason =
                "it was restored from a backup, and what that lost may not be imported; once it is, say so "
                + "(payctl journal accept-restored --gap-closed --by NAME)"
        }
        prunedBefore = try await store?.prunedBefore()
        lack = reason.map { "The journal may lack payments: \(till.call.placed($0))." }
        let choice = till.configuration.journal
        journal =
            switch choice.kind {
            case .memory: "in memory"
            case .sqlite: choice.path ?? "without a path"
            case .postgres: "a database, schema \(choice.schema ?? "of its user")"
            }
        readOnly = till.readOnly
        accounts = till.configuration.providers.map { ($0.id.rawValue, $0.environment, $0.isSimulated) }
    }

    /// Adds to what the journal lacks the payments of a day that were pruned.
    mutating func look(at date: CalendarDate, in zone: DayZone) {
        guard let prunedBefore, let words = PrunedTime.words(prunedBefore) else { return }
        // A payment of the last moment before may be of that day.
        let last = zone.day(of: prunedBefore - 1)
        if let last, last.daysSince1970 < date.daysSince1970 { return }
        lacks(words)
    }

    /// The same of the payments that began at a moment or later.
    mutating func look(from moment: Int64) {
        guard let prunedBefore, moment < prunedBefore, let words = PrunedTime.words(prunedBefore) else { return }
        lacks(words)
    }

    private mutating func lacks(_ words: String) {
        lack = [lack, "The journal lacks payments: \(words)."].compactMap(\.self).joined(separator: " ")
    }

    /// The same for people, as wide as a terminal.
    func lines(scopes: String, within columns: Int?) -> [String] {
        let state = readOnly == nil ? "" : " (only read)"
        let isAllSimulated = accounts.allSatisfy(\.isSimulated)
        let names = accounts.map { name, environment, isSimulated in
            isAllSimulated ? name : isSimulated ? "\(name) (simulated)" : "\(name) (real, \(environment))"
        }.joined(separator: ", ")
        let kind = isAllSimulated ? "all providers simulated" : "providers"
        let line = "looked at  journal \(journal)\(state), \(scopes); \(kind): \(names)"
        return ([line] + (lack.map { ["lacks      \($0)"] } ?? [])).flatMap { line in
            columns.map { line.wrapped(to: $0, indent: String(repeating: " ", count: 11)) } ?? [line]
        }
    }

    var json: JSON { Self.shape.json(self, for: .office) }

    /// The shape of what was looked at.
    static let shape = Shape<LookedAt>(
        "LookedAt",
        [
            .init("journal", Schema.text, "The journal, as the configuration names it.") { .string($0.journal) },
            .init("readOnly", Schema.textOrNull, "Why the journal could only be read.") { .text($0.readOnly) },
            .init("lack", Schema.textOrNull, "Why the journal may lack payments: what it doesn't have may exist.") {
                .text($0.lack)
            },
            .init(
                "accounts",
                [
                    "type": "array",
                    "items": Schema.object([
                        ("provider", Schema.text), ("environment", Schema.text), ("isSimulated", Schema.flag),
                    ]),
                ], "The configured providers."
            ) { looked in
                .array(
                    looked.accounts.map { name, environment, isSimulated in
                        [
                            "provider": .string(name), "environment": .string(environment),
                            "isSimulated": .bool(isSimulated),
                        ]
                    })
            },
        ])
}
