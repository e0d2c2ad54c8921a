import Testing

@Suite struct SurfaceTests {
    @Test(arguments: KitSurface.all)
    func aKitHasItsDocumentsMembersAndNoOthers(_ kit: KitSurface) throws {
        let document = Set(try KitFixture.rows("\(kit.list)-members").map { $0[0] })
        let ours = try KitFixture.sources(kit.folder).reduce(into: Set<String>()) {
            $0.formUnion(KitSource.names(in: $1, space: kit.space))
        }
        let differences = kit.differences(document: document, ours: ours)
        print(
            "\(kit): \(document.count) documented names, \(kit.notBuilt.count) not built, \(ours.count) names of ours")
        for difference in differences { Issue.record("\(kit): \(difference)") }
    }

    @Test(arguments: KitSurface.all)
    func everyRowNamesALineAndNoRowStandsTwice(_ kit: KitSurface) throws {
        let rows = try KitFixture.rows("\(kit.list)-members")
        let wrong = rows.filter { $0.count != 2 || Int($0[1]) == nil }
        #expect(wrong.isEmpty)
        #expect(Set(rows).count == rows.count)
    }

    @Test(arguments: KitSurface.all)
    func everyReasonIsGiven(_ kit: KitSurface) {
        let silent = (Array(kit.notBuilt) + Array(kit.own)).filter { $0.value.count < 4 }
        #expect(silent.isEmpty)
    }

    @Test func aMissingAndASuperfluousNameAreFound() {
        let kit = KitSurface(folder: "F", space: "S", list: "l", notBuilt: ["c": "why"], own: ["z": "why"])
        #expect(kit.differences(document: ["a", "c"], ours: ["a", "z"]).isEmpty)
        #expect(kit.differences(document: ["a", "b", "c"], ours: ["a", "z"]) == ["b is documented and not built"])
        #expect(kit.differences(document: ["a", "c"], ours: ["a", "b", "z"]) == ["b is in no document"])
        #expect(kit.differences(document: ["a"], ours: ["a", "z"]) == ["c is not documented"])
        #expect(kit.differences(document: ["a", "c"], ours: ["a"]) == ["z is not there any more"])
        let both = kit.differences(document: ["a", "c"], ours: ["a", "c", "z"])
        #expect(both == ["c is built after all", "c is in no document"])
    }

    @Test func theSourceReaderSeesWhatIsDeclared() {
        let text = """
            extension Kit {
                /// A comment with func nothing(at: all).
                public protocol Calls: Sendable {
                    var one: Int { get async }
                    func pay(_ amount: Int, for goods: [String: Int], then: @Sendable (Int) -> Void) async
                }
                public enum Event { case plain, with(label: Int, other: String), bare(Int), word = "a } b" }
                public struct Value {
                    public var member: Int?
                    let hidden = 1
                    public static let fixed = Self(rawValue: "x { y")
                    public struct Inner { public let deep: Int; private var secret = 0 }
                    public func ask(what: Int) -> Int { switch what { case 1: return 2; default: return 3 } }
                }
                public typealias Leg = @Sendable () -> Int
            }
            extension Kit.Value { public static let later = 1 }
            extension Elsewhere { public var foreign: Int { 1 } }
            """
        let expected: Set<String> = [
            "Calls", "one", "pay", "pay.amount", "pay.for", "pay.then", "Event", "Event.plain", "Event.with",
            "Event.with.label", "Event.with.other", "Event.bare", "Event.word", "Value", "Value.member", "Value.fixed",
            "Value.Inner", "Value.Inner.deep", "Value.ask", "Value.ask.what", "Leg", "Value.later",
        ]
        #expect(KitSource.names(in: text, space: "Kit") == expected)
    }
}
