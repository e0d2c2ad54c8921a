import Foundation
import PaymentTestPrograms

/// How long the command line takes to start, and how much memory it has then.
///
/// It stands beside this program, built the same way.
enum StartBenchmark {
    static func run(_ options: BenchmarkOptions) throws -> [BenchmarkResult] {
        let program = (CommandLine.arguments[0] as NSString).deletingLastPathComponent + "/payctl"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw NotHere(what: "no \(program): swift build -c release --product payctl")
        }
        var (times, floors) = ([Double](), [Double]())
        for _ in 0..<options.rounds {
            floors.append(try milliseconds("/bin/true", []))
            times.append(try milliseconds(program, ["--version"]))
        }
        return [
            BenchmarkResult("payctl --version", unit: "ms", samples: times),
            BenchmarkResult("/bin/true", unit: "ms", samples: floors),
            BenchmarkResult("payctl --version, memory", unit: "MiB", samples: [mebibytesOfChildren()]),
        ]
    }

    private static func milliseconds(_ program: String, _ arguments: [String]) throws -> Double {
        let start = ContinuousClock().now
        let run = try TestProgram.run(program, arguments)
        let (seconds, attoseconds) = (ContinuousClock().now - start).components
        guard run.code == 0 else { throw NotHere(what: "\(program) ends with an error") }
        return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
    }

    /// The most that any child of this process has had, of which the command line is by far the largest.
    private static func mebibytesOfChildren() -> Double {
        var usage = rusage()
        let code = unsafe getrusage(RUSAGE_CHILDREN.rawValue, &usage)
        precondition(code == 0, "the system counts nothing")
        return Double(usage.ru_maxrss) / 1_024
    }
}
