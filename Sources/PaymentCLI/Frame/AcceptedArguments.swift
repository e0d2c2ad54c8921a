/// What a command takes.
struct AcceptedArguments: Sendable {
    /// One option; without a value it is a flag.
    struct Option: Sendable {
        let name: String
        let value: String?
        let summary: String
        /// Whether it may be given more than once.
        var isRepeatable = false

        var usage: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }

        static func flag(_ name: String, _ summary: String) -> Self { Self(name: name, value: nil, summary: summary) }

        static func value(_ name: String, _ value: String, _ summary: String) -> Self {
            Self(name: name, value: value, summary: summary)
        }

        /// One that may be given more than once.
        static func values(_ name: String, _ value: String, _ summary: String) -> Self {
            Self(name: name, value: value, summary: summary, isRepeatable: true)
        }
    }

    /// What stands without a name, in order; those in brackets may be left out.
    var operands: [String] = []
    /// Whether the last operand may be given again.
    var takesMoreOperands = false
    var options: [Option] = []

    /// What a command takes that reads a configuration: what all of those take, and its own.
    static func configured(_ operands: String..., with own: [Option] = []) -> AcceptedArguments {
        AcceptedArguments(operands: operands, options: Option.configured + own)
    }

    var usage: String {
        operands.map { " \($0)" }.joined() + (options.isEmpty ? "" : " [options]")
    }

    /// How many operands there must be.
    var operandsMin: Int { operands.count { !$0.hasPrefix("[") } }

    /// The same with what every command takes.
    var withCommon: AcceptedArguments {
        var all = self
        all.options += [.format, .noColor]
        return all
    }
}

extension AcceptedArguments.Option {
    static let format = value("format", "FORMAT", "text (the default) or json")
    static let noColor = flag("no-color", "no colours, also when NO_COLOR is set")
    static let config = value("config", "FILE", "the configuration; providers.json by default")
    static let provider = value("provider", "NAME", "the configured provider; by default the active one")
    static let state = value("state", "FOLDER", "where simulated providers and `state:` files are kept")
    static let attempt = value("attempt", "ID", "our name for this operation; the same id never does it twice")
    static let reference = value(
        "reference", "TEXT", "your own name for it, such as the number of an order; it is paid once")
    static let part = value("part", "TEXT", "which part of the reference is paid, such as \"1 of 2\"")
    static let holdsFor = value(
        "holds-for", "MINUTES", "how long the reference stays taken; for labels that come again")
    static let unreferenced = flag("unreferenced", "it has no reference: the same line typed again moves money again")
    static let within = value("within", "SECONDS", "how long to wait for the answer before it is left open")

    static let reading = values(
        "reading", "NAME", "the simulated provider plays this reading of its documents; may be given for each")

    /// What every command takes that reads a configuration.
    static let configured: [Self] = [.config, .state]
}
