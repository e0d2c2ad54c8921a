import Testing

@Suite struct TidyTests {
    @Test(arguments: TidyRule.all)
    func theRepositoryKeeps(_ rule: TidyRule) {
        for finding in Repository.files.flatMap(rule.findings) { Issue.record("\(finding)") }
    }

    @Test func theWholeRepositoryIsRead() {
        let paths = Set(Repository.files.map(\.path))
        let expected = ["Package.swift", "README.md", ".ci/run", "Tests/TidyTests/TidyTests.swift", "Scripts/test"]
        let missing = expected.filter { !paths.contains($0) }
        #expect(missing.isEmpty)
        #expect(Repository.files.count { $0.isSource } >= 30)
        let built = paths.filter { $0.contains(".build") }
        #expect(built.isEmpty)
        #expect(Repository.manifest.contains("// swift-tools-version"))
    }
}
