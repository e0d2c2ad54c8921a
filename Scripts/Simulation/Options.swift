import PaymentCLI

/// What the command line says.
struct Options {
    /// Why it can't be done.
    struct Wrong: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    static let usage = """
        Scripts/simulate [--seeds N] [--operations M] [--seed S] [--provider NAME] [--format json] [--log]
                         [--until-violation] [--report FILE] [--journal memory|postgres]
          --seeds       how many worlds, each of its own seed (20; 1 where --seed is given alone)
          --operations  how many steps each world has (500)
          --seed        the first seed (1)
          --provider    the one that all worlds are about; else each in its turn
          --format      json: the findings and the line of figures alone
          --report      writes .html, .json, .xml (JUnit), .md or .txt; may be given again
          --journal     postgres: every world writes to a database of its own server, time being simulated still
          --log         everything that happened in each world
          --until-violation  ends with the first world in which something is wrong, as it was played
        """

    var seeds = 20
    var operations = 500
    var seed: UInt64 = 1
    var provider: String?
    var isJSON = false
    var keepsLog = false
    var endsAtViolation = false
    var reports: [String] = []
    var isOnPostgres = false

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        var hasSeeds = false
        while let name = rest.popFirst() {
            if name == "--log" {
                keepsLog = true
                continue
            }
            if name == "--until-violation" {
                endsAtViolation = true
                continue
            }
            guard let value = rest.popFirst() else { throw Wrong("\(name) needs a value") }
            switch (name, Int(value)) {
            case ("--seeds", let number?) where number > 0: (seeds, hasSeeds) = (number, true)
            case ("--operations", let number?) where number > 0: operations = number
            case ("--seed", let number?) where number >= 0: seed = UInt64(number)
            case ("--provider", _): provider = value
            case ("--report", _) where ReportFormat(fileName: value) != nil: reports.append(value)
            case ("--journal", _) where ["memory", "postgres"].contains(value): isOnPostgres = value == "postgres"
            case ("--format", _) where value == "json": isJSON = true
            default: throw Wrong("\(name) \(value) is not understood")
            }
        }
        // One seed is what is asked for to see it again.
        if arguments.contains("--seed"), !hasSeeds { seeds = 1 }
    }
}
