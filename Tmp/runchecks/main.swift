import PaymentBase
import PaymentAbstraction
@testable import PaymentConformance
import PaymentHarnesses
import PaymentTesting
unsafe debugJournal = CommandLine.arguments.contains("debug")
let names = Array(CommandLine.arguments.dropFirst()).filter { $0 != "debug" && $0 != "twin" }
let every: [any Harness] = [MemoryHarness()] + ARISEHarness.all() + AdyenHarness.all() + EcommpayHarness.all() + HaloHarness.all() + NIHarness.all()
let checks = names.filter { $0.contains(".") }
let providers = names.filter { !$0.contains(".") }
for h in every where providers.isEmpty || providers.contains(h.name) {
    var (passed, na, failed) = (0, 0, 0)
    for check in Check.all where checks.isEmpty || checks.contains(check.id) {
        var suite = Conformance(h)
        if CommandLine.arguments.contains("twin") { suite.makeJournal = { _, table in Twin(table) } }
        let before = unsafe differences
        let r = suite.run(check)
        if unsafe differences > before { print("   ^", h.name, check.id) }
        switch r.status {
        case .passed: passed += 1
        case .notApplicable: na += 1
        default: failed += 1; print("FAILED", h.name, check.id, r.detail); if !checks.isEmpty { for w in r.wire { print("   ", w) } }
        }
    }
    print(h.name, "passed", passed, "n/a", na, "failed", failed)
}
