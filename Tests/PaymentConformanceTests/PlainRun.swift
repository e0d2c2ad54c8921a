import PaymentBase
import PaymentConformance
import PaymentHarnesses

/// What the checks say of the unbroken drivers, each played once however many tests ask: a run is the same every time.
enum PlainRun {
    private static let results = Locked([String: CheckResult]())

    /// What a check says of a provider of ours, by function calls and from the first seed.
    static func result(_ harness: any ConformanceHarness, _ check: Check) -> CheckResult {
        let key = "\(harness.name) \(check.id)"
        if let known = results.withLock({ $0[key] }) { return known }
        let result = ConformanceRunner(harness).run(check)
        results.withLock { $0[key] = result }
        return result
    }

    /// What all checks say of it.
    static func report(_ harness: any ConformanceHarness) -> ProviderConformance {
        ProviderConformance(id: harness.name, upTo: .full, results: Check.all.map { result(harness, $0) })
    }
}
