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

    /// Two names that differ in case alone are one on a Mac's usual file system, so that a clone there is broken.
    @Test func noTwoPaths_differInCaseAlone() {
        #expect(Self.clashes(in: ["Scripts/site", "Scripts/Site/pages.py"]) == ["Scripts/Site", "Scripts/site"])
        #expect(Self.clashes(in: Repository.files.map(\.path)) == [])
    }

    private static func clashes(in files: [String]) -> [String] {
        var spelled: [String: Set<String>] = [:]
        for file in files {
            let parts = file.split(separator: "/")
            for count in parts.indices.map({ $0 + 1 }) {
                let path = parts.prefix(count).joined(separator: "/")
                spelled[path.lowercased(), default: []].insert(path)
            }
        }
        return spelled.values.filter { $0.count > 1 }.flatMap(\.self).sorted()
    }
}
