/// How a family of benchmarks is to be run.
struct BenchmarkOptions {
    static let roundsMin = 9
    static let roundsMax = 1_000

    /// Whether the results are printed as JSON rather than as a table.
    var isJSON = false
    /// How many rounds are measured; at least nine, so that the median means something.
    var rounds = 15
    /// Only work whose name contains this is repeated for a profiler; nothing is compared then.
    var only: String?

    /// Reads the arguments behind the subcommand; nil when one is unknown.
    init?(_ arguments: ArraySlice<String>) {
        var rest = arguments
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch (name, value) {
            case ("--format", "json"): isJSON = true
            case ("--format", "text"): isJSON = false
            case ("--rounds", _):
                guard let rounds = Int(value), (Self.roundsMin...Self.roundsMax).contains(rounds) else { return nil }
                self.rounds = rounds
            case ("--only", _): only = value
            default: return nil
            }
        }
    }
}
