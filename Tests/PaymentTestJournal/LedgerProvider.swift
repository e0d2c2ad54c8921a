public import PaymentAbstraction
internal import PaymentBase

/// A provider that does whatever it is asked, and remembers it: what the journal is compared with.
public final class LedgerProvider: Sendable {
    private let done = Locked([String: [Money]]())

    /// A provider that was asked for nothing yet.
    public init() {}

    /// Does it.
    @discardableResult
    public func execute(_ name: String, _ amount: Money) -> Verdict {
        done.withLock { $0[name, default: []].append(amount) }
        return Self.verdict(name, amount)
    }

    /// What became of an attempt; nil when it was never asked for.
    public func found(_ name: String) -> Verdict? { done.withLock { $0[name]?.first }.map { Self.verdict(name, $0) } }

    /// How often it was done.
    public func count(_ name: String) -> Int { done.withLock { $0[name]?.count ?? 0 } }

    /// Everything that was done.
    public var all: [String: [Money]] { done.withLock { $0 } }

    /// What it answers.
    public static func verdict(_ name: String, _ amount: Money) -> Verdict {
        .approved(Approval(amount, references: ["payment": "at-\(name)"]))
    }

    /// Every attempt of the journal beside the books, and every movement beside the journal.
    public func contradictions(_ journal: any Journal) async throws -> [String] {
        var (found, known): ([String], Set<String>) = ([], [])
        for origin in try await journal.page(.origins, scope: "", after: nil, limit: .max).rows {
            for facts in try await journal.family(origin.intent.key) {
                let name = facts.intent.attempt.text
                known.insert(name)
                let isRight =
                    switch facts.standing {
                    case .moved: count(name) == 1
                    case .notMoved, .declined: count(name) == 0
                    case .underWay, .inDoubt, .pending: false
                    }
                if !isRight { found.append("\(name) is \(facts.standing), and was done \(count(name)) times") }
            }
        }
        return found + Set(all.keys).subtracting(known).sorted().map { "\($0) is not in the journal" }
    }
}
