extension RuleSample {
    private static func function(_ lineCount: Int, _ head: String = "func long()") -> String {
        let body = String(repeating: "        _ = \"}\" // }\n", count: lineCount - 2)
        return "struct A {\n    \(head) {\n\(body)    }\n}\n"
    }

    static let sizeSamples = [
        RuleSample(.fileLength, at: [], String(repeating: "\n", count: 700)),
        RuleSample(.fileLength, at: [701], String(repeating: "\n", count: 701)),
        RuleSample(.fileLength, at: [701], in: "Tests/A/B.swift", String(repeating: "\n", count: 700) + "let a = 1"),
        RuleSample(.functionLength, at: [], function(70)),
        RuleSample(.functionLength, at: [2], function(71)),
        RuleSample(.functionLength, at: [2], in: "Tests/A/B.swift", function(71, "func long<A>() async throws -> [A]")),
        RuleSample(.functionLength, at: [2], function(71, "init?(_ a: Int = { 4 }(), b: () -> Void)")),
        RuleSample(.functionLength, at: [2], function(71, "var long: Int")),
        RuleSample(.functionLength, at: [2], function(71, "subscript(a: Int) -> Int")),
        RuleSample(.functionLength, at: [2], function(71, "func a() where A: B,\n        C: D")),
        RuleSample(.functionLength, at: [], function(80, "struct Inner")),
        RuleSample(.functionLength, at: [], "protocol P {\n    func a() -> Int\n    init()\n}\n" + function(70)),
        RuleSample(.functionLength, at: [], "let a = A.init(4)\nvar b = 4\n" + function(80, "enum Inner")),
    ]
}
