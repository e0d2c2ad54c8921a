import Foundation
import PaymentConformance
import Testing

/// The table of checks and mutants in `docs/conformance.md` is what the code says; `RECORD_SNAPSHOTS=1` writes it.
@Suite struct ConformanceDocumentTests {
    private static let path = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../docs/conformance.md").standardized

    private static var text: String {
        let mutants = Mutant.all + AdyenMutants.terminal + EcommpayMutants.sending
        var lines = [
            "# Checks and mutants", "",
            "Written by a test. \(Check.all.count) checks, \(mutants.count) drivers broken on purpose; each is caught "
                + "by the check beside it.",
        ]
        for family in Check.Family.allCases {
            let checks = Check.all.filter { $0.family == family }
            if checks.isEmpty { continue }
            lines += ["", "## \(family.rawValue)", "", "| check | level | behaviour | mutants |", "|---|---|---|---|"]
            for check in checks {
                let names = mutants.filter { $0.caughtBy == check.id }.map { "`\($0.id)`" }.joined(separator: ", ")
                lines.append("| `\(check.id)` | \(check.level.rawValue) | \(check.summary) | \(names) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test func theTableIsWhatTheCodeSays() throws {
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
            try FileManager.default.createDirectory(
                at: Self.path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(Self.text.utf8).write(to: Self.path)
        }
        #expect(try String(contentsOf: Self.path, encoding: .utf8) == Self.text)
    }
}
