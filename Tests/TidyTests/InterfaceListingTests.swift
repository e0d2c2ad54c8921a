import PaymentBase
import Testing

@testable import interface_listing

/// The listing of a module's public interface, read off small symbol graphs.
@Suite struct InterfaceListingTests {
    /// One symbol as the compiler writes it, with the declaration as words and the name apart.
    private static func symbol(
        _ id: String, _ kind: String, _ path: [String], _ before: String, _ after: String = "",
        level: String = "public",
        conditions: [JSON] = [], isMade: Bool = false
    ) -> JSON {
        var symbol: JSONObject = [
            "identifier": ["precise": .string(id)], "kind": ["identifier": .string("swift.\(kind)")],
            "pathComponents": .array(path.map { .string($0) }), "accessLevel": .string(level),
            "swiftExtension": ["constraints": .array(conditions)],
            "declarationFragments": [
                ["kind": "keyword", "spelling": .string(before)],
                ["kind": "identifier", "spelling": .string(path.last ?? "")],
                ["kind": "text", "spelling": .string(after)],
            ],
        ]
        if !isMade { symbol["location"] = ["uri": "file"] }
        return .object(symbol)
    }

    private static func relation(_ kind: String, _ source: String, _ target: String, _ name: String? = nil) -> JSON {
        var relation: JSONObject = ["kind": .string(kind), "source": .string(source), "target": .string(target)]
        if let name { relation["targetFallback"] = .string(name) }
        return .object(relation)
    }

    private static func listing(_ symbols: [JSON], _ relations: [JSON] = []) -> [String] {
        var module = ModuleInterface("Module")
        module.add(["symbols": .array(symbols), "relationships": .array(relations)])
        return module.text.split(separator: "\n").dropFirst().map(String.init)
    }

    private static let type = symbol("T", "struct", ["Tape"], "struct ")

    @Test func aTypeStandsOverItsMembersInOrder() {
        let symbols = [
            Self.symbol("b", "method", ["Tape", "play(_:)"], "func play(_ tape: Tape) async -> ", "Bool"),
            Self.symbol("a", "property", ["Tape", "length"], "let length: Int ", ""), Self.type,
            Self.symbol("c", "init", ["Tape", "init()"], "init() ", ""),
            Self.symbol("K", "enum", ["Tape", "Kind"], "enum "),
            Self.symbol("k", "enum.case", ["Tape", "Kind", "short"], "case ", ""),
        ]
        let relations =
            ["a", "b", "c"].map { Self.relation("memberOf", $0, "T") } + [
                Self.relation("memberOf", "k", "K"), Self.relation("memberOf", "K", "T"),
            ]
        let lines = Self.listing(symbols, relations)
        #expect(lines.first == "struct Tape" && lines.last == "    case short")
        #expect(lines.map { $0.prefix(8) } == ["struct T", "    init", "    let ", "    func", "enum Tap", "    case"])
        #expect(lines[4] == "enum Tape.Kind")
        #expect(Self.listing(symbols.reversed(), relations.reversed()) == lines)
    }

    @Test func whatTheCompilerMadeOrIsNotPublicIsLeftOut() {
        let symbols = [
            Self.type, Self.symbol("x", "method", ["Tape", "x()"], "func ", "()", level: "package"),
            Self.symbol("y", "func.op", ["Tape", "==(_:_:)"], "static func ", "", isMade: true),
            Self.symbol("z::SYNTHESIZED::T", "func.op", ["Tape", "!=(_:_:)"], "static func "),
            Self.symbol("d", "property", ["Tape", "description"], "var ", ": String { get }"),
        ]
        let printed = Self.relation("conformsTo", "T", "s", "Swift.CustomStringConvertible")
        let relations = ["x", "y", "z::SYNTHESIZED::T", "d"].map { Self.relation("memberOf", $0, "T") }
        #expect(Self.listing(symbols, relations + [printed]) == ["struct Tape: CustomStringConvertible"])
        // Without the protocol it is a member like any other.
        #expect(Self.listing(symbols, relations).count == 2)
    }

    @Test func protocolsAreNamedAndConditionsStandApart() {
        let symbols = [Self.type, Self.symbol("P", "protocol", ["Player"], "protocol ", ": Sendable")]
        var conditional: JSONObject = [
            "kind": "conformsTo", "source": "T", "target": "c", "targetFallback": "Swift.Comparable",
        ]
        conditional["swiftConstraints"] = [["kind": "conformance", "lhs": "Value", "rhs": "Comparable"]]
        let relations = [
            Self.relation("conformsTo", "T", "P"), Self.relation("conformsTo", "T", "e", "Swift.Equatable"),
            Self.relation("conformsTo", "T", "h", "Swift.Hashable"),
            Self.relation("conformsTo", "T", "y", "Swift.Copyable"), .object(conditional),
        ]
        let expected = [
            "protocol Player: Sendable", "struct Tape: Hashable, Player",
            "extension Tape: Comparable where Value: Comparable",
        ]
        #expect(Self.listing(symbols, relations) == expected)
    }

    @Test func protocolRequirements_areDistinguishedFromExtensions() {
        let symbols = [
            Self.symbol("P", "protocol", ["Player"], "protocol "),
            Self.symbol("r", "method", ["Player", "play()"], "func ", ""),
            Self.symbol("g", "method", ["Player", "play()"], "func ", ""),
            Self.symbol(
                "f", "method", ["Array", "play()"], "func ", "",
                conditions: [["kind": "sameType", "lhs": "Element", "rhs": "Tape"]]),
        ]
        let relations = [
            Self.relation("requirementOf", "r", "P"), Self.relation("memberOf", "g", "P"),
            Self.relation("memberOf", "f", "a", "Swift.Array"),
        ]
        let expected = [
            "extension Array where Element == Tape", "    func play()", "protocol Player", "    func play()",
            "extension Player", "    func play()",
        ]
        #expect(Self.listing(symbols, relations) == expected)
    }
}
