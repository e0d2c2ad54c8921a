import Foundation
import PaymentBase
import PaymentAbstraction
@testable import PaymentConformance
import PaymentHarnesses
import PaymentTesting
import PaymentSimulation
if let i = CommandLine.arguments.firstIndex(of: "sim") {
    let first = UInt64(CommandLine.arguments[i + 1])!, count = Int(CommandLine.arguments[i + 2])!, ops = Int(CommandLine.arguments[i + 3])!
    let only = CommandLine.arguments.count > i + 4 ? CommandLine.arguments[i + 4] : nil
    let every: [any Harness] = ([MemoryHarness()] + ARISEHarness.all() + AdyenHarness.all() + EcommpayHarness.all() + HaloHarness.all() + NIHarness.all()).filter { only == nil || $0.name == only }
    var bad = 0, calls = 0
    for n in 0..<count {
        let seed = first + UInt64(n)
        let h = every[Int(seed % UInt64(every.count))]
        let other: any Harness = CommandLine.arguments.contains("withni") ? NIHarness() : every[Int((seed / UInt64(every.count) / 2) % UInt64(every.count))]
        var sim = try Simulation(h, beside: CommandLine.arguments.contains("withni") || (seed / UInt64(every.count)) % 2 == 1 ? other : nil)
        sim.keepsLog = CommandLine.arguments.contains("log")
        let run = try sim.run(seed: seed, operations: ops)
        calls += run.calls
        if let v = run.violation {
            bad += 1
            print("SEED", seed, run.providers, v)
            if bad <= 3 { let s = try sim.shrunk(run); print("  shrunk \(s.steps.count): \(s.violation ?? "")"); for st in s.steps { print("    \(st)") }; for l in s.log { print("      ", l) } }
        }
    }
    print("worlds", count, "calls", calls, "bad", bad)
    exit(0)
}
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
