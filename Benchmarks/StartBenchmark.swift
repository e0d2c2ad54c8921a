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
        let head = [
            BenchmarkResult("payctl --version", unit: "ms", samples: times),
            BenchmarkResult("/bin/true", unit: "ms", samples: floors),
        ]
        guard let mebibytes = try mebibytes(program) else { return head }
        return head + [BenchmarkResult("payctl --version, memory", unit: "MiB", samples: [mebibytes])]
    }

    private static func milliseconds(_ program: String, _ arguments: [String]) throws -> Double {
        let start = ContinuousClock().now
        let run = try TestProgram.run(program, arguments)
        let (seconds, attoseconds) = (ContinuousClock().now - start).components
        guard run.code == 0 else { throw NotHere(what: "\(program) ends with an error") }
        return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
    }

    /// The most memory that the program has; nil without GNU time. It is asked, since the system counts for a child what
    /// its parent had when it was started, and this program has more than the command line.
    private static func mebibytes(_ program: String) throws -> Double? {
        let time = "/usr/bin/time"
        guard FileManager.default.isExecutableFile(atPath: time) else {
            FileHandle.standardError.write(Data("no memory is counted without \(time) (apt-get install time)\n".utf8))
            return nil
        }
        let run = try TestProgram.run(time, ["-f", "%M", program, "--version"])
        guard run.code == 0, let kibibytes = run.errors.split(separator: "\n").last.flatMap({ Double($0) }) else {
            throw NotHere(what: "no memory was counted: \(run.errors)")
        }
        return kibibytes / 1_024
    }
}
