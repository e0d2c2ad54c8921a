import Foundation

/// Measures the libraries; `Scripts/bench` runs every family and prints one table.
///
/// `swift run -c release Benchmarks <family>|all [--format text|json] [--rounds n] [--payments n] [--only name] [--short]`,
/// or `counts`
@main struct Benchmarks {
    /// Every family of benchmarks under the name of its subcommand; a new one adds its line here.
    static let families: [(name: String, run: @Sendable (BenchmarkOptions) throws -> [BenchmarkResult])] = [
        ("json", { try JSONBenchmark.run($0) }),
        ("transport", { try TransportBenchmark.run($0) }),
        ("adapters", { try AdapterBenchmark.run($0) }),
        ("payments", { try PaymentBenchmark.run($0) }),
        ("tills", { try TillBenchmark.run($0) }),
        ("merchants", { try MerchantBenchmark.run($0) }),
        ("growth", { try GrowthBenchmark.run($0) }),
        ("start", { try StartBenchmark.run($0) }),
        ("reconcile", { try ReconcileBenchmark.run($0) }),
        ("flood", { try FloodBenchmark.run($0) }),
        ("journal", { try JournalBenchmark.run($0) }),
        ("postgres", { try PostgresBenchmark.run($0) }),
        ("peers", { try PeerBenchmark.run($0) }),
    ]

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // The processes that clients are measured against; `transport` and `peers` start them.
        if arguments == ["transport-server"] { return try TransportServer.run() }
        if arguments.first == PeerServer.command {
            return try PeerServer.run(arguments.last.flatMap { Int64($0) } ?? 0)
        }
        if arguments == ["counts"] { return print(try InstructionCounts.json()) }
        guard let name = arguments.first, let options = BenchmarkOptions(arguments.dropFirst()) else { usage() }
        let chosen = name == "all" ? families : families.filter { $0.name == name }
        if chosen.isEmpty { usage() }
        var results: [BenchmarkResult] = []
        for family in chosen {
            if chosen.count > 1 { FileHandle.standardError.write(Data("\(family.name) …\n".utf8)) }
            do { results += try family.run(options) } catch let missing as NotHere where name == "all" {
                FileHandle.standardError.write(Data("\(family.name) is left out: \(missing.what)\n".utf8))
            }
        }
        print(options.isJSON ? BenchmarkResult.json(results) : BenchmarkResult.table(results))
    }

    private static func usage() -> Never {
        let names = (families.map(\.name) + ["all"]).joined(separator: "|")
        print("usage: Benchmarks \(names) [--format text|json] [--rounds n] [--payments n] [--only name] [--short]")
        print("n rounds are \(BenchmarkOptions.roundsMin) to \(BenchmarkOptions.roundsMax)")
        exit(64)
    }
}

/// What a family needs isn't on this machine.
struct NotHere: Error {
    let what: String
}
