package import PaymentAbstraction
internal import PaymentBase
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
        ProviderConformance(
            id: harness.name, upTo: level, results: checks.filter { $0.level <= level }.map { run($0) })
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
    /// What waivers are held against.
    var waiverClock: any PaymentClock = SystemClock()

    static func text(_ error: any Error) -> String {
        switch error {
        case let failure as CheckFailure: failure.description
        case let error as PaymentError: "it ended with \(error)"
        case is TestScheduler.Deadlock: "nothing can go on any more, and the check has not ended"
        default: "it ended with an error of type \(type(of: error))"
        }
    }
}
