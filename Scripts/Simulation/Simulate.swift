import Foundation
import PaymentBase
import PaymentCLI
import PaymentConformance
import PaymentHarnesses
import PaymentSimulation

/// Plays simulated worlds, as ``Options/usage`` says.
@main struct Simulate {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == ["--help"] { return print(Options.usage) }
        do { try play(Options(arguments)) } catch let wrong as Options.Wrong {
            FileHandle.standardError.write(Data("simulate: \(wrong.description)\n\(Options.usage)\n".utf8))
            exit(2)
        }
    }

    private static func play(_ options: Options) throws {
        let all = HarnessRegistry.builtin.harnesses
        let harnesses = all.filter { options.provider == nil || $0.name == options.provider }
        guard !harnesses.isEmpty else {
            let names = all.map(\.name).joined(separator: ", ")
            throw Options.Wrong("there is no provider \(options.provider ?? ""); there are \(names)")
        }
        let server = options.isOnPostgres ? try WorldServer() : nil
        let clock = ContinuousClock()
        let start = clock.now
        var report = SimulationReport()
        for number in 0..<options.seeds {
            let seed = options.seed + UInt64(number)
            var simulation = try simulation(seed, harnesses, options)
            if let server { simulation.makeStore = { server.journal($0, $1) } }
            let run = try simulation.run(seed: seed, operations: options.operations)
            guard let violation = run.violation else {
                report.add(run)
                run.log.forEach { print($0) }
                continue
            }
            print("seed \(seed), \(run.providers.joined(separator: " and ")): \(violation)")
            if options.endsAtViolation {
                report.add(run)
                run.log.forEach { print($0) }
                break
            }
            let shrunk = try simulation.shrunk(run)
            report.add(run, shrunk: shrunk)
            print("shrunk to \(shrunk.steps.count) steps: \(shrunk.violation ?? "")")
            for step in shrunk.steps { print("  \(step)") }
            shrunk.log.forEach { print($0) }
        }
        let (seconds, attoseconds) = (clock.now - start).components
        report.milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        if !options.isJSON { report.lines.forEach { print($0) } }
        print(String(decoding: report.json.bytes(), as: UTF8.self))
        for name in options.reports { try write(report, name) }
        server?.stop()
        exit(report.isFine ? 0 : 1)
    }

    /// Writes a report as the end of its name says.
    private static func write(_ report: SimulationReport, _ name: String) throws {
        guard let bytes = ReportFormat(fileName: name)?.bytes(report.document, json: report.json, text: report.lines)
        else { throw Options.Wrong("\(name) can't be written") }
        try Data(bytes).write(to: URL(filePath: name), options: .atomic)
    }

    /// The worlds of a seed: each provider in its turn, every other time with another one beside it.
    private static func simulation(
        _ seed: UInt64, _ harnesses: [any ConformanceHarness], _ options: Options
    ) throws -> ChaosTest {
        let all = HarnessRegistry.builtin.harnesses
        let count = UInt64(harnesses.count)
        let harness = harnesses[Int(seed % count)]
        let other = all[Int((seed / count / 2) % UInt64(all.count))]
        var simulation = try ChaosTest(harness, beside: (seed / count) % 2 == 1 ? other : nil)
        simulation.keepsLog = options.keepsLog
        return simulation
    }
}
