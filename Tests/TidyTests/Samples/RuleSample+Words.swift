extension RuleSample {
    static let wordSamples = [
        RuleSample(
            .floatingPoint, at: [1, 2, 3],
            "let a: Double = 1\nlet b = [Float]()\nlet c = 1.5\n// Double 1.5\nlet d = \"Double 1.5\"\n"),
        RuleSample(.floatingPoint, at: [], "let a = pair.0.1\nlet b = 0..<15\nlet c = 1_500\nlet DoubleRoom = 2\n"),
        RuleSample(.floatingPoint, at: [], "let a = pairs.map { $0.1 + $0.1.0 }\n"),
        RuleSample(.floatingPoint, at: [], "if #available(macOS 15.0, *) { a() }\n#if swift(>=6.3)\n#endif\n"),
        RuleSample(.floatingPoint, at: [], in: "Benchmarks/A.swift", "let a: Double = 1.5\n"),
        RuleSample(
            .unwraps, at: [1, 2, 3, 4, 5, 6, 7],
            """
            let a = b!
            let c = try! d()
            let e = f as! G
            var h: Int!
            let i = j[0]!.k
            let l = m()!
            let n = "\\(o!)"
            """),
        RuleSample(
            .unwraps, at: [],
            "let a = !b && c != d || e!==f\nif !(a) { }\n// b!\nlet g = \"Stop! try!\"\n#if !os(Linux)\n#endif\nf(!a)\n"
        ),
        RuleSample(.unchecked, at: [1], "struct A: @unchecked Sendable {}\n"),
        RuleSample(.unchecked, at: [1], in: "Tests/A/Locked.swift", "struct A: @unchecked Sendable {}\n"),
        RuleSample(.unchecked, at: [], "struct A: Sendable {} // not @unchecked\n"),
        RuleSample(
            .unsafety, at: [1], in: "Tests/A/B.swift", "nonisolated(unsafe) var a = 1\nnonisolated func b() {}\n"),
        RuleSample(.unsafety, at: [], "nonisolated struct A {} // nonisolated(unsafe)\n"),
        RuleSample(.fatalErrors, at: [2], "func a() -> Never {\n    fatalError(\"no\")\n}\n"),
        RuleSample(.fatalErrors, at: [], "/// Never calls fatalError.\nlet fatalErrorCount = 0\n"),
        RuleSample(
            .exposedComparisons, at: [1, 2, 3],
            "let a = given == key.expose()\nif key.exposeBytes() != b {}\nf { self.key.expose() == $0 }\n"),
        RuleSample(
            .exposedComparisons, at: [],
            "let a = Secret(given) == key\nlet b = key.expose()\nlet c = d.expose().count == 1\n// expose() ==\n"),
        RuleSample(
            .markers, at: markerLines, in: "Tests/A/B.swift",
            TidyRule.markerWords.map { "let a = 1  // \($0): later\n" }.joined()),
        RuleSample(.markers, at: [2], in: "Scripts/a", "#!/bin/bash\necho # \(TidyRule.markerWords[1])\n"),
        RuleSample(
            .markers, at: [], TidyRule.markerWords.map { "let a = \"\($0)\" // \($0)S and to-do\n" }.joined()),
        RuleSample(.fileNames, at: [1], in: "Sources/A/StringUtils.swift", ""),
        RuleSample(.fileNames, at: [1], in: "Sources/Helpers/A.swift", ""),
        RuleSample(.fileNames, at: [1], in: "Tests/A/A+Helper.swift", ""),
        RuleSample(.fileNames, at: [1], in: "Scripts/utils", ""),
        RuleSample(.fileNames, at: [1], in: "Sources/A/SessionManager.swift", ""),
        RuleSample(.fileNames, at: [], in: "Sources/A/Money+Text.swift", ""),
    ]

    private static let markerLines = Array(1...TidyRule.markerWords.count)
}
