internal import PaymentBase
public import PaymentCore
public import PaymentDriverKit
package import PaymentJournalKit
package import PaymentTesting

/// Runs checks against a harness: deterministic, on one thread, from one seed.
public struct ConformanceRunner: Sendable {
    /// The provider's harness.
    public let harness: any ConformanceHarness
    /// What draws the order in which ready work runs; nil for the order in which it got ready.
    public let seed: UInt64?
    /// A driver broken on purpose; nil for the shipped one.
    public var mutant: Mutant?
    /// Makes the journal of a check; in memory, unless a test has another one.
    package var makeJournal: @Sendable (TestScheduler, ProcessTable) -> any Journal = { InMemoryJournal(processes: $1) }
    /// The exchanges shown with a failure.
    public static let exchangesShownMax = 6

    /// Prepares runs against a harness.
    public init(_ harness: any ConformanceHarness, seed: UInt64? = 1) { (self.harness, self.seed) = (harness, seed) }

    /// Runs one check on a fresh provider.
    public func run(_ check: Check) -> CheckResult {
        let context: CheckContext
        do {
            context = try CheckContext(harness.take(check.id), seed: seed, mutant: mutant, makeJournal)
        } catch let reason as NotApplicable {
            return judged(check, .notApplicable, reason.description, [])
        } catch {
            return judged(check, .failed, "the harness could not be opened: \(Self.text(error))", [])
        }
        defer { context.fixture.close() }
        do {
            let missing = try check.needs.filter { try !context.has($0) }
            try context.scheduler.run {
                if let first = missing.first { throw try await context.proveAbsence(of: first) }
                try await check.body(context)
                try context.expectPlayed()
                // What the provider still works on shows up in its books, too.
                try await context.decidePending()
                try await context.audit()
            }
            return judged(check, .passed, "", [])
        } catch let reason as NotApplicable {
            return judged(check, .notApplicable, reason.description, [])
        } catch {
            return judged(check, .failed, Self.text(error), context.log.last(Self.exchangesShownMax))
        }
    }

    /// Runs checks up to a level and gives the report.
    public func run(_ checks: [Check] = Check.all, upTo level: ConformanceLevel = .full) -> ProviderConformance {
        var report = ProviderConformance(
            id: harness.name, upTo: level, results: checks.filter { $0.level <= level }.map { run($0) })
        report.declared = declared
        return report
    }

    /// What the provider declares; nil if the harness can't be opened.
    public var declared: ProviderClient.CapabilityTable? {
        try? CheckContext(harness, seed: seed, mutant: mutant).view.capabilityTable
    }

    private func judged(
        _ check: Check, _ status: CheckResult.Status, _ detail: String, _ exchanges: some Sequence<WireLog.Exchange>
    ) -> CheckResult {
        let wire = Array(exchanges)
        let waiver = harness.declaration.waivers.first { $0.check == check.id }
        guard status == .failed, let waiver else {
            return CheckResult(check: check, status: status, detail: detail, wire: wire)
        }
        guard waiver.isActive(at: today) else {
            let why = "\(detail) (its waiver has lapsed, or has no reason or owner)"
            return CheckResult(check: check, status: .failed, detail: why, wire: wire)
        }
        let why = "\(detail) (let off by \(waiver.owner): \(waiver.reason))"
        return CheckResult(check: check, status: .waived, detail: why, wire: wire)
    }

    /// The day against which waivers are held: the real one, unless a test says otherwise.
    var today: Int64 { waiverClock.now }
    /// What waivers are checked against.
    var waiverClock: any PaymentClock = SystemClock()

    static func text(_ error: any Error) -> String {
        switch error {
        case let failure as CheckFailure: failure.description
        case let error as PaymentError: "it ended with \(error)"
        case is TestScheduler.Deadlock: "no task can continue, and the check has not ended"
        default: "it ended with an error of type \(type(of: error))"
        }
    }
}

/// A driver broken on purpose, around an unbroken one: proves that the check meant for it can fail.
public struct Mutant: Sendable, CustomStringConvertible {
    /// Its stable name.
    public let id: String
    /// What is broken, in a sentence.
    public let summary: String
    /// The check that must catch it.
    public let caughtBy: String
    /// Stands between the driver and the line; made again for each client.
    public var interceptor: (@Sendable () -> Interceptor)?
    /// Changes what is around the client: the clock, the token store, the journal.
    public var changeOptions: (@Sendable (ClientOptions) -> ClientOptions)?
    /// Puts another driver in the place of the shipped one.
    public var wrapDriver: (@Sendable (any PaymentDriver) -> any PaymentDriver)?
    /// Changes what the provider sends out on its own.
    public var changeWebhook: (@Sendable (ProviderWebhook) -> ProviderWebhook)?

    /// Names a mutant and the check that must catch it.
    public init(_ id: String, _ sentence: String, caughtBy check: String) {
        (self.id, self.summary, caughtBy) = (id, sentence, check)
    }

    public var description: String { "\(id) → \(caughtBy)" }
}

/// What became of one check at one provider.
public struct CheckResult: Sendable, Identifiable {
    /// How it ended.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// It holds.
        case passed
        /// It does not hold.
        case failed
        /// It says nothing about this provider.
        case notApplicable
        /// It does not hold, and that is let off for a while.
        case waived
    }

    /// The check.
    public let check: Check
    /// How it ended.
    public let status: Status
    /// Why it failed, was waived or says nothing; empty when it passed.
    public let detail: String
    /// The last exchanges before a failure, without anything secret.
    public var exchanges: [String] { wire.map { "\($0)" } }
    /// The same, there and back.
    let wire: [WireLog.Exchange]

    public var id: String { check.id }
}

/// Everything that was found out about one provider.
public struct ProviderConformance: Sendable, Identifiable {
    /// The provider.
    public let id: String
    /// The level up to which it was played.
    public let upTo: ConformanceLevel
    /// Every check, in order.
    public let results: [CheckResult]
    /// What the provider declares, which says how much the checks are about; nil if that is not known.
    public var declared: ProviderClient.CapabilityTable?
    /// What the walk through all faults found; nil when it was not walked.
    public var faults: FaultSweepReport?

    /// Makes a report of what checks came to.
    public init(id: String, upTo level: ConformanceLevel, results: [CheckResult]) {
        (self.id, upTo, self.results) = (id, level, results)
    }

    /// How many ended so.
    public func count(_ status: CheckResult.Status) -> Int { results.count { $0.status == status } }

    /// The level reached: the highest that was played, of which the provider declares what the level is about, and for which
    /// nothing failed, here or below; nil for none.
    public var level: ConformanceLevel? {
        ConformanceLevel.allCases.last { $0 <= upTo && missing(for: $0).isEmpty && lacking(for: $0).isEmpty }
    }

    /// The first level above the reached one that was played; nil when there is none.
    public var next: ConformanceLevel? {
        let reached = level
        return ConformanceLevel.allCases.first { one in one <= upTo && (reached.map { $0 < one } ?? true) }
    }

    /// The checks that are in the way of a level; a waived one is in the way of `full` only. A problem of the walk through all
    /// faults, where it was made, is in the way of each.
    public func missing(for level: ConformanceLevel) -> [String] {
        var names = results.filter { result in
            guard result.check.level <= level else { return false }
            return result.status == .failed || result.status == .waived && level == .full
        }.map(\.id)
        if let faults, !faults.problems.isEmpty { names.append("fault.walk") }
        return names
    }

    /// The capabilities that a level is about and that the provider doesn't declare.
    public func lacking(for level: ConformanceLevel) -> [String] {
        guard let declared else { return level.capabilities }
        return level.capabilities.filter { !declared[$0] }
    }

    /// How much of the neutral API the provider declares: sources and operations, without what a request may carry.
    public var coverage: (declared: [String], of: Int) {
        let entries = (declared?.entries ?? []).filter { !$0.name.hasPrefix("request.") }
        return (entries.filter(\.isSupported).map(\.name), entries.count)
    }

    /// Whether nothing failed that was not waived.
    public var isFine: Bool { count(.failed) == 0 && (faults?.problems.isEmpty ?? true) }
}
