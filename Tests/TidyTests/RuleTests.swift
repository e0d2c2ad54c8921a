import Testing

@Suite struct RuleTests {
    @Test(arguments: RuleSample.all)
    func aRuleFindsExactlyWhatBreaksIt(_ sample: RuleSample) {
        let found = sample.rule.findings(sample.file)
        let expected = sample.lines.map { "\(sample.file.path):\($0):" }
        #expect(found.count == expected.count, "\(found)")
        for place in expected { #expect(found.contains { $0.hasPrefix(place) }, "nothing at \(place) in \(found)") }
        #expect(found.allSatisfy { $0.hasSuffix("[\(sample.rule.name)]") })
    }

    @Test(arguments: TidyRule.all)
    func everyRuleIsShownToFindSomethingAndToBeSilent(_ rule: TidyRule) {
        let samples = RuleSample.all.filter { $0.rule.name == rule.name }
        #expect(samples.contains { !$0.lines.isEmpty })
        #expect(samples.contains { $0.lines.isEmpty && rule.applies($0.file) })
    }

    @Test func rulesHaveNamesOfTheirOwn() {
        #expect(Set(TidyRule.all.map(\.name)).count == TidyRule.all.count)
    }

    @Test func aTargetMustBeInTheManifestAndInTheTable() {
        let manifest = #"targets: [.target(name: "PaymentBase"), .target(name: "New"), .target(name: "CCurl")]"#
        func problems(_ path: String) -> [String] {
            TidyRule.unknownTarget(SourceFile(path, ""), manifest: manifest).map(\.problem)
        }
        #expect(problems("Sources/PaymentBase/A.swift").isEmpty)
        #expect(problems("Sources/CCurl/shim.h").isEmpty)
        #expect(problems("Sources/PaymentSQLite/A.swift") == ["Package.swift has no target \"PaymentSQLite\""])
        #expect(problems("Sources/New/A.swift") == ["the import table has no target \"New\""])
        #expect(problems("Sources/Other/A/B.swift").count == 2)
    }

    @Test func aRequirementIsExplainedWhereItStands() {
        let text = "public protocol P {\n    func asked()\n}\nextension P {\n    public func asked() {}\n}\n"
        let file = SourceFile("Sources/PaymentAbstraction/P.swift", text)
        let requirements = Block.requirements(in: file.tokens)
        #expect(requirements == ["asked"])
        #expect(TidyRule.undocumented(file, requirements: Set(requirements)).map(\.line) == [1])
        #expect(TidyRule.undocumented(file, requirements: []).map(\.line) == [1, 5])
    }

    @Test func thePlaceOfTheRepositoryIsNotNamed() {
        let file = SourceFile("docs/a.md", "see /srv/trees/x\nor https://example.org/srv/trees/\n")
        #expect(TidyRule.machinePaths(file, root: "/srv/trees/money").map(\.line) == [1])
        #expect(TidyRule.machinePaths(file, root: "/payments").isEmpty)
        let script = SourceFile("Scripts/a", "#!/usr/bin/env bash\necho /usr/src/x\n")
        #expect(TidyRule.machinePaths(script, root: "/usr/src").map(\.line) == [2])
    }
}
