import PaymentBase

/// The public interface of one module as text: a heading for each type and extension, its members below, all sorted.
struct ModuleInterface {
    let name: String
    private var symbols: [PublicSymbol] = []
    private var types: [String: PublicSymbol] = [:]
    /// What each type conforms to, by the type's precise name.
    private var conformances: [String: Set<Conformance>] = [:]
    private var requirements: Set<String> = []
    private var parents: [String: String] = [:]

    /// That a type fulfils a protocol, perhaps under a condition.
    private struct Conformance: Hashable {
        let target: String
        let name: String
        let condition: String
    }

    init(_ name: String) { self.name = name }

    /// What every type has or hasn't although our code doesn't say so.
    private static let implied: Set<String> = ["Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"]
    /// Members that a protocol in the heading promises already.
    private static let promised = [
        "==(_:_:)": "Equatable", "hash(into:)": "Hashable", "description": "CustomStringConvertible",
        "debugDescription": "CustomDebugStringConvertible", "customMirror": "CustomReflectable",
    ]

    /// Takes in one graph; a module has one of its own and one for each module that it extends.
    mutating func add(_ graph: JSON) {
        for symbol in (graph["symbols"]?.array ?? []).compactMap({ PublicSymbol($0) }) {
            symbols.append(symbol)
            if symbol.isType { types[symbol.id] = symbol }
        }
        for relation in graph["relationships"]?.array ?? [] {
            guard let source = relation["source"]?.string, let target = relation["target"]?.string else { continue }
            switch relation["kind"]?.string {
            case "conformsTo":
                // A protocol of the module itself is named by its symbol.
                let full = relation["targetFallback"]?.string ?? ""
                let known = Conformance(
                    target: target, name: full.split(separator: ".").last.map(String.init) ?? "",
                    condition: PublicSymbol.terms(relation["swiftConstraints"]))
                if !Self.implied.contains(known.name) { conformances[source, default: []].insert(known) }
            case "requirementOf", "optionalRequirementOf":
                requirements.insert(source)
                parents[source] = target
            case "memberOf": parents[source] = target
            default: break
            }
        }
    }

    /// The whole listing, with a line break at its end.
    var text: String {
        var groups: [String: [PublicSymbol]] = [:]
        for symbol in symbols {
            if symbol.isType || symbol.path.count == 1 {
                groups[heading(symbol), default: []] += []
                for words in protocols(of: symbol.id, isConditional: true) {
                    groups["extension \(symbol.path.joined(separator: ".")): \(words)", default: []] += []
                }
            } else if !isPromised(symbol) {
                groups[heading(over: symbol), default: []].append(symbol)
            }
        }
        let order = groups.keys.sorted { Self.place($0) < Self.place($1) }
        let blocks = order.map { heading in
            let members = (groups[heading] ?? []).sorted { ($0.rank, $0.text) < ($1.rank, $1.text) }
            return ([heading] + members.map { "    \($0.text)" }).joined(separator: "\n")
        }
        return "// Every public declaration of \(name), written by Scripts/api.\n\n"
            + blocks.joined(separator: "\n\n") + "\n"
    }

    /// The line over a type's members.
    private func heading(_ symbol: PublicSymbol) -> String {
        let known = protocols(of: symbol.id, isConditional: false)
        // A protocol's own declaration names what it refines.
        guard symbol.isType, symbol.kind != "protocol", !known.isEmpty else { return symbol.text }
        let shown = known.subtracting(known.contains("Hashable") || known.contains("Comparable") ? ["Equatable"] : [])
        let list = ": " + shown.sorted().joined(separator: ", ")
        guard let terms = symbol.text.firstRange(of: " where ") else { return symbol.text + list }
        return symbol.text[..<terms.lowerBound] + list + symbol.text[terms.lowerBound...]
    }

    /// The line over a member: its type's, or an extension's where the type isn't ours, where there is a condition, or
    /// where a protocol doesn't ask for it.
    private func heading(over symbol: PublicSymbol) -> String {
        let owner = parents[symbol.id].flatMap { types[$0] }
        let isExtra = owner?.kind == "protocol" && !requirements.contains(symbol.id)
        if let owner, !isExtra, symbol.condition.isEmpty { return heading(owner) }
        return "extension \(symbol.path.dropLast().joined(separator: "."))\(symbol.condition)"
    }

    private func isPromised(_ symbol: PublicSymbol) -> Bool {
        guard let promise = symbol.path.last.flatMap({ Self.promised[$0] }), let parent = parents[symbol.id] else {
            return false
        }
        return protocols(of: parent, isConditional: false).contains(promise)
    }

    /// The names of the protocols that a type conforms to always, or those with the condition behind them.
    private func protocols(of id: String, isConditional: Bool) -> Set<String> {
        let those = (conformances[id] ?? []).filter { $0.condition.isEmpty != isConditional }
        return Set(
            those.map { known in
                let name = known.name.isEmpty ? types[known.target]?.path.joined(separator: ".") : known.name
                return (name ?? known.target) + known.condition
            })
    }

    /// What a heading is sorted by: the name that it is about, and extensions behind the type itself.
    private static func place(_ heading: String) -> (String, Int, String) {
        let words = heading.split { " :(<".contains($0) }
        let kinds = ["struct", "class", "enum", "actor", "protocol", "extension", "typealias", "func", "var", "let"]
        let place = words.firstIndex { kinds.contains(String($0)) } ?? words.startIndex
        let name = words.dropFirst(place + 1).first.map(String.init) ?? heading
        return (name, heading.hasPrefix("extension ") ? 1 : 0, heading)
    }
}
