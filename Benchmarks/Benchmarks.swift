import Foundation

/// Measures the libraries: `swift run -c release Benchmarks <family> [--format text|json] [--rounds n]`.
@main struct Benchmarks {
    /// Every family of benchmarks under the name of its subcommand; a new one adds its line here.
    static let families: [(name: String, run: @Sendable (BenchmarkOptions) throws -> [BenchmarkResult])] = [
        ("json", { try JSONBenchmark.run($0) }),
        ("transport", { try TransportBenchmark.run($0) }),
        ("journal", { try JournalBenchmark.run($0) }),
        ("postgres", { try PostgresBenchmark.run($0) }),
    ]

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // The process that the transports are measured against; `transport` starts it.
        if arguments == ["transport-server"] { return try TransportServer.run() }
        guard
            let name = arguments.first, let family = families.first(where: { $0.name == name }),
            let options = BenchmarkOptions(arguments.dropFirst())
        else {
            let names = families.map(\.name).joined(separator: "|")
            print("usage: Benchmarks \(names) [--format text|json] [--rounds n]")
            exit(64)
        }
        let results = try family.run(options)
        print(options.isJSON ? BenchmarkResult.json(results) : BenchmarkResult.table(results))
    }
}
