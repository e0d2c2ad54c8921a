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
    package func contradictions(_ journal: any Journal) async throws -> [String] {
        var (found, known): ([String], Set<String>) = ([], [])
        let desk = JournalTestWriter(journal)
        for origin in try await desk.all(.origins(scope: nil)) {
            for attempt in try await desk.family(origin.intent.attempt.text) {
                let name = attempt.intent.attempt.text
                known.insert(name)
                let isRight =
                    switch attempt.state {
                    case .approved: count(name) == 1
                    case .notExecuted, .declined, .reversed: count(name) == 0
                    case .running, .inDoubt, .pending: false
                    }
                if !isRight { found.append("\(name) is \(attempt.state), and was done \(count(name)) times") }
            }
        }
        return found + Set(all.keys).subtracting(known).sorted().map { "\($0) is not in the journal" }
    }
}
