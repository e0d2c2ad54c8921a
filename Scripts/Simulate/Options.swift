/// What the command line says.
struct Options {
    /// Why it can't be done.
    struct Wrong: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    var seeds = 20
    var operations = 500
    var seed: UInt64 = 1
    var provider: String?
    var isJSON = false
    var keepsLog = false

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        var hasSeeds = false
        while let name = rest.popFirst() {
            if name == "--log" {
                keepsLog = true
                continue
            }
            guard let value = rest.popFirst() else { throw Wrong("\(name) needs a value") }
            switch (name, Int(value)) {
            case ("--seeds", let number?) where number > 0: (seeds, hasSeeds) = (number, true)
            case ("--operations", let number?) where number > 0: operations = number
            case ("--seed", let number?) where number >= 0: seed = UInt64(number)
            case ("--provider", _): provider = value
            case ("--format", _) where value == "json": isJSON = true
            default: throw Wrong("\(name) \(value) is not understood")
            }
        }
        // One seed is what is asked for to see it again.
        if arguments.contains("--seed"), !hasSeeds { seeds = 1 }
    }
}
