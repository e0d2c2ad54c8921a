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
    static let format = Self(name: "format", value: "FORMAT", summary: "text (the default) or json")
    static let noColor = Self(name: "no-color", value: nil, summary: "no colours, also when NO_COLOR is set")
    static let config = Self(name: "config", value: "FILE", summary: "the configuration; providers.json by default")
    static let provider = Self(
        name: "provider", value: "NAME", summary: "the configured provider; by default the active one")
    static let state = Self(
        name: "state", value: "FOLDER", summary: "where simulated providers and `state:` files are kept")
    static let attempt = Self(
        name: "attempt", value: "ID", summary: "our name for this operation; the same id never does it twice")
    static let after = Self(
        name: "after", value: "ATTEMPT",
        summary: "moves money once more although this attempt has moved it before; may be given for each",
        isRepeatable: true)
    static let within = Self(
        name: "within", value: "SECONDS", summary: "how long to wait for the answer before it is left open")

    static let reading = Self(
        name: "reading", value: "NAME",
        summary: "the simulated provider plays this reading of its documents; may be given for each", isRepeatable: true
    )

    /// What every command takes that reads a configuration.
    static let configured: [Self] = [.config, .state]
}
