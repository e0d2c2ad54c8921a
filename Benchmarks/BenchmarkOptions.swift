/// How a family of benchmarks is to be run.
struct BenchmarkOptions {
    static let roundsMin = 9
    static let roundsMax = 1_000

    /// Whether the results are printed as JSON rather than as a table.
    var isJSON = false
    /// How many rounds are measured; at least nine, so that the median means something.
    var rounds = 15
    /// Only work whose name contains this: repeated for a profiler in `json`, where nothing is compared then.
    var only: String?
    /// How many payments a large history holds; nil for what the family takes.
    var payments: Int?
    /// How often `adapters` does one piece of work, for a counter of instructions; nothing is measured then.
    var repeats: Int?
    /// Shows that everything runs, with one round and small histories; the figures mean nothing.
    var isShort = false

    /// Reads the arguments behind the subcommand; nil when one is unknown.
    init?(_ arguments: ArraySlice<String>) {
        var rest = arguments
        while let name = rest.popFirst() {
            if name == "--short" {
                (isShort, rounds, payments) = (true, 1, Self.paymentsOfShort)
                continue
            }
            guard let value = rest.popFirst() else { return nil }
            switch (name, value) {
            case ("--format", "json"): isJSON = true
            case ("--format", "text"): isJSON = false
            case ("--rounds", _):
                guard let rounds = Int(value), (Self.roundsMin...Self.roundsMax).contains(rounds) else { return nil }
                self.rounds = rounds
            case ("--only", _): only = value
            case ("--repeat", _):
                guard let repeats = Int(value), repeats > 0 else { return nil }
                self.repeats = repeats
            case ("--payments", _):
                guard let payments = Int(value), payments >= Self.paymentsMin else { return nil }
                self.payments = payments
            default: return nil
            }
        }
    }

    /// A page far down needs so many payments above it.
    private static let paymentsMin = 100
    private static let paymentsOfShort = 400
}
