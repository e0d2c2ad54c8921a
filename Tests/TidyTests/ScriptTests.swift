import Foundation
import PaymentTestPrograms
import Testing

/// The scripts in places where something is missing, played with commands of our own in front of the system's.
@Suite struct ScriptTests {
    private struct Ending {
        let code: Int32
        let text: String
    }

    /// Runs a script with some commands replaced by shell lines, from another working directory.
    private func run(
        _ script: String, _ arguments: String..., replacing commands: [String: String]
    ) throws -> Ending {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, line) in commands {
            let file = folder.appending(path: "\(name).line")
            try "#!/bin/sh\n\(line)\n".write(to: file, atomically: true, encoding: .utf8)
        }
        // What is run is written by a process of its own: a file that a child of another test has inherited open for
        // writing can't be run.
        let install = "for line in *.line; do install -m 755 \"$line\" \"${line%.line}\"; done; exec /bin/bash \"$@\""
        let run = try TestProgram.run(
            "/bin/bash", ["-c", install, "bash", Repository.root.appending(path: script).path] + arguments,
            in: folder.path, environment: ["PATH": "\(folder.path):/usr/bin:/bin"], errors: .withOutput)
        return Ending(code: run.code, text: run.output)
    }

    /// A Swift of the right version, whose tests of findings end as the list in the repository says.
    private static let swift = """
        case "$*" in
        *'--filter ^FindingTests'*)
            names=$(grep '^[a-z]' Tests/FindingTests/open.txt)
            for name in $names; do echo "x Test $name() failed after 0.1 seconds with 1 issue."; done
            echo "x Test run with $(echo $names | wc -w) tests in 9 suites failed after 1 second." ;;
        *) echo 'Swift version 6.3.1 (swift-6.3.1-RELEASE)' ;;
        esac
        """
    private static let nothingInstalled = ["dpkg-query": "exit 1", "swift": swift]

    @Test(arguments: ["Scripts/test", "Scripts/demo", "Scripts/ci", "Scripts/api", "Scripts/sanitize"])
    func anOlderSwiftIsNamedWithWhatIsExpected(script: String) throws {
        for version in ["6.2.4", "5.10", "6.1"] {
            let old = try run(script, replacing: ["swift": "echo 'Apple Swift version \(version) (x)'"])
            #expect(old.code == 2)
            let short = version.split(separator: ".").prefix(2).joined(separator: ".")
            #expect(old.text.hasPrefix("Swift \(short) was found at ") && old.text.contains("Version 6.3 or later"))
        }
        let strange = try run(script, replacing: ["swift": "exit 1"])
        #expect(strange.code == 2 && strange.text.hasPrefix("Swift of unknown version was found at "))
    }

    @Test func aMissingPackageNamesTheOneCommand() throws {
        let commands = Self.nothingInstalled.merging(["id": "echo 1000", "sudo": "exit 1"]) { $1 }
        let ending = try run("Scripts/test", replacing: commands)
        #expect(ending.code == 2)
        #expect(
            ending.text.contains(
                "apt-get install -y --no-install-recommends curl libcurl4-openssl-dev libmicrohttpd-dev libpq-dev libsqlite3-dev"
            ))
    }

    @Test func missingPackagesAreInstalledAndAFailureIsSaid() throws {
        let failing = Self.nothingInstalled.merging(["id": "echo 0", "apt-get": "echo no mirror; exit 100"]) { $1 }
        let refused = try run("Scripts/test", replacing: failing)
        #expect(refused.code == 2 && refused.text.contains("no mirror"))
        let working = Self.nothingInstalled.merging(["id": "echo 0", "apt-get": "exit 0"]) { $1 }
        let installed = try run("Scripts/test", replacing: working)
        #expect(
            installed.code == 0
                && installed.text.contains(
                    "will be installed: curl libcurl4-openssl-dev libmicrohttpd-dev libpq-dev libsqlite3-dev")
        )
    }

    @Test func nothingIsInstalledWhereNothingIsMissing() throws {
        let commands = ["swift": Self.swift, "dpkg-query": "printf installed", "apt-get": "echo called; exit 100"]
        let ending = try run("Scripts/test", replacing: commands)
        #expect(ending.code == 0 && !ending.text.contains("called") && ending.text.contains("Built in "))
    }

    /// Compares two tests that fail with a list of both, after `sed` has changed what they print.
    private func findings(_ change: String) throws -> Ending {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let list = folder.appending(path: "open.txt")
        try "# Two.\na_fails\nb_fails\n".write(to: list, atomically: true, encoding: .utf8)
        let swift = """
            if [ "$*" = --version ]; then echo 'Swift version 6.3.1'; exit; fi
            {
                echo 'x Test a_fails() recorded an issue at A.swift:1:1: Expectation failed: 1 == 2'
                echo 'x Test a_fails() failed after 0.1 seconds with 1 issue.'
                echo 'x Test b_fails() failed after 0.1 seconds with 1 issue.'
                echo 'v Test c_passes() passed after 0.1 seconds.'
                echo 'x Test run with 3 tests in 1 suite failed after 1 second with 2 issues.'
            } | sed '\(change)'
            exit 1
            """
        return try run("Scripts/findings", list.path, replacing: ["swift": swift, "dpkg-query": "printf installed"])
    }

    @Test func findingsThatAreAsListedPass() throws {
        let ending = try findings("")
        #expect(ending.code == 0 && ending.text.hasPrefix("Findings: 2 open, 1 closed"), "\(ending.text)")
    }

    @Test(arguments: [
        ("2s/failed/passed/", "a_fails passes: take its line out of open.txt"),
        ("2d; $s/3/2/", "a_fails is in open.txt and was not run"),
        ("4s/passed/failed/", "c_passes fails and is not in open.txt"),
        ("$d", "the run ended early with status 1"),
        ("$s/3/4/", "4 tests were run, and 3 results were read"),
        ("1s/Expectation.*/Caught error: Stuck/", "a_fails fails by something else than an expectation: Caught error"),
    ])
    func aFindingThatIsNotAsListedIsNamed(_ change: String, _ problem: String) throws {
        let ending = try findings(change)
        #expect(ending.code == 1 && ending.text.contains(problem), "\(ending.text)")
    }

    /// A Swift that knows two tests and says what it was asked to run.
    private static let twoTests = [
        "dpkg-query": "printf installed",
        "swift": """
        case "$*" in
        --version) echo 'Swift version 6.3.1' ;;
        'test list'*) printf 'ATests.BTests/c()\\nATests.DTests/e()\\n' ;;
        *) echo "swift $*" ;;
        esac
        """,
    ]

    @Test func aSanitizerRunsOnlyTestsThatThereAre() throws {
        let thread = try run("Scripts/sanitize", "BTests", replacing: Self.twoTests)
        #expect(thread.code == 0 && thread.text.contains("The thread sanitizer found nothing."))
        #expect(thread.text.contains("--sanitize thread --scratch-path .build/sanitize-thread --filter BTests\n"))
        let address = try run("Scripts/sanitize", "address", "^ATests", "DTests", replacing: Self.twoTests)
        #expect(address.code == 0 && address.text.contains("--scratch-path .build/sanitize-address --filter ^ATests"))
        #expect(address.text.contains("--filter DTests"))
        let none = try run("Scripts/sanitize", "thread", "BTests", "GoneTests", replacing: Self.twoTests)
        #expect(none.code == 2 && none.text.contains("No test is meant by GoneTests"))
        // Its own list is compared with the tests as well.
        let whole = try run("Scripts/sanitize", replacing: Self.twoTests)
        #expect(whole.code == 2 && whole.text.contains("correct the list in Scripts/sanitize"))
    }

    @Test func aFindingOfASanitizerFailsTheRun() throws {
        var commands = Self.twoTests
        commands["swift"] = commands["swift"]?.replacing(
            "*) echo", with: "'test --disable-xctest'*) exit 66 ;;\n*) echo")
        let ending = try run("Scripts/sanitize", "BTests", replacing: commands)
        #expect(ending.code == 66 && !ending.text.contains("found nothing"))
    }

    @Test(arguments: ["Scripts/test", "Scripts/sanitize"])
    func theTestsThatAScriptNamesAreThere(script: String) throws {
        let text = try #require(Repository.files.first { $0.path == script }?.text)
        let names = Set(text.matches(of: #/[A-Z]\w*Tests\b/#).map { String($0.output) })
        #expect(names.count > 3)
        let tests = Repository.files.filter(\.isTest)
        for name in names {
            let isThere = tests.contains { file in
                file.path.hasPrefix("Tests/\(name)/") || file.text.contains("struct \(name) {")
            }
            #expect(isThere, "\(script) names \(name), and there are no such tests")
        }
    }
}
