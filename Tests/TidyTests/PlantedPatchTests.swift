import Foundation
import Testing

/// Each planted defect fits the sources of today: a patch that does not apply proves nothing.
@Suite struct PlantedPatchTests {
    /// A part of a patch: what it finds in a file.
    private struct Hunk {
        let file: String
        var lines: [Substring] = []
    }

    private static func hunks(_ patch: String) -> [Hunk] {
        var (file, hunks) = ("", [Hunk]())
        for line in patch.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("--- a/") {
                file = String(line.dropFirst(6))
            } else if line.hasPrefix("@@") {
                hunks.append(Hunk(file: file))
            } else if line.hasPrefix(" ") || line.hasPrefix("-"), !line.hasPrefix("---"), !hunks.isEmpty {
                hunks[hunks.count - 1].lines.append(line.dropFirst())
            }
        }
        return hunks
    }

    private static func problem(_ hunk: Hunk) -> String? {
        guard !hunk.lines.isEmpty else { return "a part of it finds nothing" }
        let file = Repository.root.appending(path: hunk.file)
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return "there is no \(hunk.file)" }
        let isThere = "\n\(text)".contains("\n\(hunk.lines.joined(separator: "\n"))\n")
        return isThere ? nil : "\(hunk.file) has other lines than it finds: \(hunk.lines.first ?? "")"
    }

    @Test func plantedPatch_fitsTheSources() throws {
        let folder = Repository.root.appending(path: "Tests/Planted")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "patch" {
            let hunks = Self.hunks(try String(contentsOf: file, encoding: .utf8))
            #expect(!hunks.isEmpty, "\(file.lastPathComponent)")
            for hunk in hunks {
                let problem = Self.problem(hunk)
                #expect(problem == nil, "\(file.lastPathComponent): \(problem ?? "")")
            }
            count += 1
        }
        #expect(count >= 29)
    }

    @Test func testThatGuardsAFinding_isThere() throws {
        let file = Repository.root.appending(path: "Tests/Planted/Security/found.tsv")
        let table = try String(contentsOf: file, encoding: .utf8)
        let rows = table.split(separator: "\n").dropFirst().map { $0.split(separator: "\t") }
        #expect(rows.count >= 47)
        let tests = Repository.files.filter(\.isTest)
        for row in rows where row.count == 4 && !row[2].hasPrefix("growth:") {
            #expect(tests.contains { $0.text.contains("func \(row[2])(") }, "\(row[0]): there is no test \(row[2])")
        }
        #expect(rows.allSatisfy { $0.count == 4 })
    }

    @Test func patchOfOtherLines_isFound() {
        let patch = "--- a/Package.swift\n+++ b/Package.swift\n@@ -1,1 +1,1 @@\n-no such line\n+another\n"
        #expect(Self.hunks(patch).map { Self.problem($0) != nil } == [true])
    }
}
