internal import PaymentProviderKit

/// What was given to a command: `--key value`, `--key=value`, flags, operands; `--` ends the options.
struct GivenArguments: Sendable {
    let operands: [String]
    private let values: [String: [String]]

    /// Takes a command line apart.
    init(_ arguments: [String], takes: AcceptedArguments) throws(UsageError) {
        var operands: [String] = []
        var values: [String: [String]] = [:]
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("--"), word.count > 2 else {
                operands.append(word)
                continue
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard let option = takes.options.first(where: { $0.name == name }) else {
                let near = SpellingSuggestion.of(name, in: takes.options.map(\.name))
                throw UsageError(
                    message: "there is no option --\(name)\(near.map { "; did you mean --\($0)?" } ?? "")")
            }
            if option.value != nil, !option.isRepeatable, values[name] != nil {
                throw UsageError(message: "--\(name) is given twice, and only one of both can be meant")
            }
            values[name, default: []].append(try Self.value(of: option, parts, &rest))
        }
        if operands.count > takes.operands.count, !takes.takesMoreOperands {
            throw UsageError(message: "\(operands[takes.operands.count]) is one word too many")
        }
        if operands.count < takes.operandsMin {
            throw UsageError(message: "\(takes.operands[operands.count]) is missing")
        }
        (self.operands, self.values) = (operands, values)
    }

    private static func value(
        of option: AcceptedArguments.Option, _ parts: [Substring], _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let placeholder = option.value else {
            if parts.count > 1 { throw UsageError(message: "--\(option.name) takes no value") }
            return ""
        }
        if parts.count > 1 { return String(parts[1]) }
        guard let next = rest.popFirst() else {
            throw UsageError(message: "--\(option.name) needs a value: \(placeholder)")
        }
        return next
    }

    /// The same with more words.
    func adding(_ words: [String], takes: AcceptedArguments) throws(UsageError) -> GivenArguments {
        let more = try GivenArguments(words, takes: takes)
        return GivenArguments(operands + more.operands, values.merging(more.values) { $0 + $1 })
    }

    private init(_ operands: [String], _ values: [String: [String]]) {
        (self.operands, self.values) = (operands, values)
    }

    /// Whether a flag or an option was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// Every value of an option, in order.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The last value of an option.
    subscript(name: String) -> String? { values[name]?.last }
}
