import Testing

/// The version stands in one place of the code, and the changes of that version on top of their list.
@Suite struct VersionTests {
    private static func text(_ path: String) -> String { Repository.files.first { $0.path == path }?.text ?? "" }

    @Test func theChangeLogBeginsWithTheVersionOfTheProgram() throws {
        let file = try #require(Repository.files.first { $0.name == "PaymentsVersion.swift" })
        let version = try #require(file.text.firstMatch(of: #/text = "([^"]+)"/#)?.output.1)
        let heading = try #require(Self.text("CHANGELOG.md").firstMatch(of: #/\n## ([^\n]+)/#)?.output.1)
        let isDevelopment = version.hasSuffix("-dev")
        #expect(heading.hasPrefix("\(version) ("), "CHANGELOG.md is about \(heading), the program is \(version)")
        #expect(heading.hasSuffix("(unreleased)") == isDevelopment, "a version with a date is no -dev")
    }

    @Test func everyVersionHasADateOrIsTheOneOnTop() {
        let headings = Self.text("CHANGELOG.md").split(separator: "\n").filter { $0.hasPrefix("## ") }
        #expect(!headings.isEmpty)
        for (index, heading) in headings.enumerated() {
            let isDated = heading.wholeMatch(of: #/## \d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\)/#) != nil
            #expect(isDated || (index == 0 && heading.hasSuffix(" (unreleased)")), "\(heading)")
        }
    }
}
