import Foundation
import PaymentTestPrograms
import Testing

/// `Scripts/commits` in small repositories made for it.
@Suite struct CommitTitleTests {
    private struct Ending {
        let code: Int32
        let text: String
    }

    /// A folder with the script and its areas, and what shell lines make of it.
    private static func ending(after lines: [String], in place: String = ".") throws -> Ending {
        let folder = FileManager.default.temporaryDirectory.appending(path: "commits-\(UUID().uuidString)")
        let scripts = folder.appending(path: "Scripts")
        try FileManager.default.createDirectory(at: scripts, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["commits", "areas"] {
            let file = Repository.root.appending(path: "Scripts/\(name)")
            try FileManager.default.copyItem(at: file, to: scripts.appending(path: name))
        }
        let said = lines + ["cd \(place)", "exec Scripts/commits"]
        let environment = [
            "PATH": "/usr/bin:/bin", "HOME": folder.path, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a",
            "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
        ]
        let run = try TestProgram.run(
            "/bin/bash", ["-euc", said.joined(separator: "\n")], in: folder.path, environment: environment,
            errors: .withOutput)
        return Ending(code: run.code, text: run.output)
    }

    /// A history in which bad titles stand before the rule, and one beside it.
    private static let history = [
        "git init -q -b main .", "git commit -q --allow-empty -m 'whatever'", "git add Scripts",
        "git commit -q -m 'ci: the rule' -m 'Because.'",
    ]

    private static func commit(_ title: String, _ body: String = "Because.") -> String {
        "git commit -q --allow-empty -m '\(title)'" + (body.isEmpty ? "" : " -m '\(body)'")
    }

    @Test func goodTitlesPassAndOlderOnesAreLeftAlone() throws {
        let none = try Self.ending(after: Self.history)
        #expect(none.code == 0 && none.text.hasPrefix("0 commits since "))
        let title = "journal: " + String(repeating: "é", count: 63)
        let good = try Self.ending(after: Self.history + [Self.commit("ci: a: b"), Self.commit(title)])
        #expect(good.code == 0 && good.text.hasPrefix("2 commits since "), "\(good.text)")
    }

    @Test(arguments: [
        ("journal: " + String(repeating: "e", count: 64), "Because.", "has 73 characters"),
        ("gizmo: a new thing", "Because.", "\"gizmo\" is no area"), ("a new thing", "Because.", "isn't of the form"),
        ("journal:a new thing", "Because.", "isn't of the form"), ("journal: ", "Because.", "isn't of the form"),
        ("journal, ci: two", "Because.", "isn't of the form"), ("Journal: large", "Because.", "is no area"),
        ("journal: a new thing", "", "no body"),
    ])
    func aBadTitleIsNamedWithWhatIsWrong(_ title: String, _ body: String, _ wrong: String) throws {
        let ending = try Self.ending(after: Self.history + [Self.commit(title, body), Self.commit("ci: after it")])
        #expect(ending.code == 1 && ending.text.contains(wrong), "\(ending.text)")
    }

    @Test func mergesAndWhatBeganBeforeTheRuleAreFree() throws {
        let beside = [
            "git checkout -q -b beside HEAD~1", Self.commit("no rule here", ""), "git checkout -q main",
            "git merge -q --no-ff -m 'Merge branch beside' beside",
        ]
        let ending = try Self.ending(after: Self.history + beside)
        #expect(ending.code == 0 && ending.text.hasPrefix("0 commits since "), "\(ending.text)")
        let after = try Self.ending(after: Self.history + beside + [Self.commit("whatever")])
        #expect(after.code == 1)
    }

    @Test func whereThereIsNoHistoryThatIsSaid() throws {
        let none = try Self.ending(after: [])
        #expect(none.code == 0 && none.text.contains("has no history of its own. No title was checked."))
        let empty = try Self.ending(after: ["git init -q ."])
        #expect(empty.code == 0 && empty.text.contains("Nothing was committed yet."), "\(empty.text)")
        let uncommitted = try Self.ending(after: ["git init -q .", Self.commit("whatever")])
        #expect(uncommitted.code == 0 && uncommitted.text.contains("never committed"), "\(uncommitted.text)")
        let clone = Self.history + [Self.commit("whatever"), "git clone -q --depth 1 file://$PWD cut"]
        let shallow = try Self.ending(after: clone, in: "cut")
        #expect(shallow.code == 0 && shallow.text.contains("(a shallow clone). No title was checked."))
    }
}

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
