import PaymentBase

/// One public declaration out of a symbol graph.
struct PublicSymbol {
    /// The compiler's own name for it.
    let id: String
    /// The names of the types around it, and its own.
    let path: [String]
    /// What it is, as the graph says without the language: `struct`, `method`, …
    let kind: String
    /// The declaration on one line; a type with its whole path.
    let text: String
    /// ` where …` of the extension that it stands in; empty without one.
    let condition: String

    /// What stands over members of its own.
    private static let types: Set<String> = ["struct", "class", "enum", "protocol", "actor"]
    /// In which order the members of a type are listed.
    private static let ranks = [
        "associatedtype", "typealias", "enum.case", "init", "type.property", "property", "type.method", "method",
        "type.subscript", "subscript", "func.op",
    ]

    /// Whether it has members of its own.
    var isType: Bool { Self.types.contains(kind) }
    /// Its place among the members of a type.
    var rank: Int { Self.ranks.firstIndex(of: kind) ?? Self.ranks.count }

    /// Reads a symbol; nil where the compiler made it or it isn't public.
    init?(_ symbol: JSON) {
        let level = symbol["accessLevel"]?.string
        guard level == "public" || level == "open", symbol["location"] != nil,
            let id = symbol["identifier"]?["precise"]?.string, !id.contains("::SYNTHESIZED::"),
            let kind = symbol["kind"]?["identifier"]?.string, kind != "swift.extension",
            let path = symbol["pathComponents"]?.array?.compactMap(\.string), !path.isEmpty
        else { return nil }
        (self.id, self.path) = (id, path)
        self.kind = kind.hasPrefix("swift.") ? String(kind.dropFirst("swift.".count)) : kind
        let isType = Self.types.contains(self.kind)
        let words = (symbol["declarationFragments"]?.array ?? []).map { fragment in
            let isName = fragment["kind"]?.string == "identifier"
            return isType && isName ? path.joined(separator: ".") : fragment["spelling"]?.string ?? ""
        }
        let line = words.joined().split { $0.isWhitespace }.joined(separator: " ").replacing(" : ", with: ": ")
        let isDeprecated = (symbol["availability"]?.array ?? []).contains {
            $0["isUnconditionallyDeprecated"]?.bool == true || $0["deprecated"] != nil
        }
        text = (isDeprecated ? "@available(*, deprecated) " : "") + (level == "open" ? "open " : "") + line
        condition = Self.terms(symbol["swiftExtension"]?["constraints"])
    }

    /// The conditions of an extension or a conformance as ` where …`; empty where there are none.
    static func terms(_ constraints: JSON?) -> String {
        let terms = (constraints?.array ?? []).compactMap { term -> String? in
            guard let left = term["lhs"]?.string, let right = term["rhs"]?.string else { return nil }
            return term["kind"]?.string == "sameType" ? "\(left) == \(right)" : "\(left): \(right)"
        }
        return terms.isEmpty ? "" : " where " + terms.sorted().joined(separator: ", ")
    }
}
