internal import PaymentJournalKit
internal import PaymentModel
internal import PaymentTesting

/// How one check ended while the provider played one reading of its documents.
///
/// A check says what an application meets under the usual reading; under another its own expectations may not hold
/// although everything that is reported is true. So what counts here is the money.
public struct VariantOutcome: Sendable {
    /// How it ended, the worst last.
    public enum Status: String, Hashable, Sendable, CaseIterable, Comparable {
        /// It says nothing about this provider.
        case notApplicable
        /// The check holds.
        case passed = "works"
        /// The check does not hold, and the journal says of all money what the books say.
        case reportedCorrectly = "told"
        /// It stops with words that name the setting.
        case stoppedWithError = "stops"
        /// What became of an attempt stays open.
        case leftOpen = "unknown"
        /// The journal says something else of money than the books.
        case misreported

        public static func < (one: Status, other: Status) -> Bool { one.rank < other.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The check.
    public let check: String
    /// How it ended.
    public let status: Status
    /// Why; empty where the check holds.
    public let detail: String
}

/// What all checks came to under one reading of a provider's documents.
public struct VariantReport: Sendable, Identifiable {
    /// The reading.
    public let id: String
    /// The checks that say something about the provider.
    public let outcomes: [VariantOutcome]
    /// How the same checks end under the usual reading.
    private let usual: [String: VariantOutcome.Status]

    /// Makes a report; `usual` says how each check ends under the usual reading.
    public init(_ id: String, _ outcomes: [VariantOutcome], usual: [String: VariantOutcome.Status]) {
        (self.id, self.usual) = (id, usual)
        self.outcomes = outcomes.filter { $0.status != .notApplicable }
    }

    /// How many checks ended so.
    public func count(_ status: VariantOutcome.Status) -> Int { outcomes.count { $0.status == status } }

    /// How many misreport money.
    public var misreported: Int { count(.misreported) }

    /// The checks that end worse than under the usual reading.
    public var worse: [VariantOutcome] { outcomes.filter { $0.status > usual[$0.check, default: .passed] } }

    /// The worst that it brings about beyond the usual reading; what is reported truly works.
    public var result: VariantOutcome.Status {
        let worst = worse.map(\.status).max() ?? .passed
        return worst == .reportedCorrectly ? .passed : worst
    }
}

extension ConformanceRunner {
    /// Runs one check on a fresh provider that plays another reading, and compares what the journal says with the books.
    ///
    /// - Parameter setting: The setting that a refusal has to name, where the reading needs one.
    public func outcome(of check: Check, naming setting: String? = nil) -> VariantOutcome {
        let context: CheckContext
        do { context = try CheckContext(harness, seed: seed, mutant: mutant) } catch {
            return VariantOutcome(check: check.id, status: .leftOpen, detail: Self.text(error))
        }
        guard (try? check.needs.allSatisfy { try context.has($0) }) == true else {
            return VariantOutcome(check: check.id, status: .notApplicable, detail: "")
        }
        var failure: (any Error)?
        do {
            try context.scheduler.run {
                try await check.body(context)
                try context.expectPlayed()
            }
        } catch { failure = error }
        if failure is NotApplicable { return VariantOutcome(check: check.id, status: .notApplicable, detail: "") }
        // Told before it moved, or as not done although it moved, is reported wrongly, also where it is put right
        // later; how much moved may only come with the provider's messages.
        let early = (try? context.scheduler.run { try await context.standing(isEarly: true) })?.misreport
        var end = judged(context)
        end.misreport = early ?? end.misreport
        let said = failure.map { Self.text($0) } ?? ""
        let words = said + ((failure as? PaymentError)?.detail ?? "")
        let status: VariantOutcome.Status =
            if end.misreport != nil {
                .misreported
            } else if failure == nil {
                .passed
            } else if let setting, words.contains(setting) {
                .stoppedWithError
            } else {
                end.open.isEmpty ? .reportedCorrectly : .leftOpen
            }
        let detail = end.misreport ?? (failure == nil ? "" : "\(said); open: \(end.open.joined(separator: ", "))")
        return VariantOutcome(check: check.id, status: status, detail: detail)
    }

    /// What the journal says wrongly, and what is still open, once the provider has decided and told everything.
    private func judged(_ context: CheckContext) -> (misreport: String?, open: [String]) {
        _ = try? context.scheduler.run {
            // What can't be delivered is left out; the journal is judged.
            do { try await context.decidePending() } catch {}
            do { try await context.deliverWebhooks() } catch {}
        }
        return (try? context.scheduler.run { try await context.standing() }) ?? ("the journal can't be read", [])
    }
}

extension CheckContext {
    /// The first attempt of which the journal says something else than the books, and those that are open.
    fileprivate func standing(isEarly: Bool = false) async throws -> (misreport: String?, open: [String]) {
        let ledger = fixture.ledger
        var open: [String] = []
        for origin in try await journal.records(.origins(scope: nil), limit: Self.auditMax) {
            for record in try await journal.records(of: origin.intent.paymentID) {
                let (attempt, operation) = (record.intent.attempt, record.intent.operation)
                let moves = ledger.entries(of: attempt)
                let name = "\(operation) \(attempt)"
                switch record.state {
                case .approved:
                    guard let direction = operation.direction, let moved = record.moved, !record.isDryRun,
                        record.evidence?.word != "person"
                    else { continue }
                    let sum = ledger.sum(of: attempt, direction)
                    if isEarly ? sum == 0 : sum != moved.minorUnits {
                        return ("\(name) is reported as \(moved), the books have \(Self.result(of: moves))", open)
                    }
                case .declined, .notExecuted, .reversed:
                    if moves.map(\.signed).sum != 0 {
                        return ("\(name) is reported as not done, the books have \(Self.result(of: moves))", open)
                    }
                case .pending, .running, .inDoubt: open.append(name)
                }
            }
        }
        return (nil, open)
    }

    private static func result(of moves: [LedgerView.Entry]) -> String {
        moves.isEmpty
            ? "nothing" : moves.map { "\($0.direction) \($0.minorUnits) \($0.currency)" }.joined(separator: ", ")
    }
}
