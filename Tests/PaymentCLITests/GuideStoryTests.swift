import Foundation
import Testing

/// What the guides tell, typed line by line in an empty folder, as a reader would.
@Suite struct GuideStoryTests {
    /// The exit statuses that a guide leads to on purpose; every other line ends with 0.
    private static let statuses: [(guide: String, line: String, status: Int32)] = [
        ("On-the-command-line", "payctl sale 15.00 EUR --reference order-3 --attempt order-3 --within 2", 4),
        ("Moving-from-ARISE-to-Adyen", "payctl refund order-3 4.00 --attempt order-3-back", 6),
    ]

    @Test(arguments: ["On-the-command-line", "Moving-from-ARISE-to-Adyen"])
    func everyLineOfAGuideDoesWhatItSays(_ guide: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "guide-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = OutputSchemas.root.appending(path: "Sources/PaymentAbstraction/PaymentAbstraction.docc/\(guide).md")
        let blocks = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```sh\n").dropFirst()
        let lines = blocks.flatMap { ($0.components(separatedBy: "\n```").first ?? "").components(separatedBy: "\n") }
        var count = 0
        for line in lines where line.hasPrefix("payctl ") && !line.contains("ATTEMPT") && !line.contains("ADDRESS") {
            count += 1
            let words = line.split(separator: " ").dropFirst().map(String.init)
            let run = try SandboxProcess.plain(words, in: folder, state: folder.appending(path: "state"))
            let expected = Self.statuses.first { $0.guide == guide && $0.line == line }?.status ?? 0
            #expect(run.code == expected, "\(line): \(run.output)\n\(run.words)")
            if line.contains("order-3 --within") {
                #expect(
                    run.words.contains("the connection ended without a reply") && run.words.contains("Nothing moved."))
            }
            if line == "payctl switch plan arise adyen" {
                #expect(
                    run.output.contains("source.card (2×)") || run.output.contains("source.card (3×)"), "\(run.output)")
            }
        }
        #expect(count >= 12)
    }

    @Test func theExitStatusesOfTheGuideAndTheReadmeAreThoseOfTheProgram() async throws {
        let help = await CommandRun.of(["--help"])
        let rows = help.out.drop { $0 != "Exit status:" }.dropFirst().prefix { $0.hasPrefix("  ") }
        #expect(rows.count == 7)
        let guide = try String(
            contentsOf: OutputSchemas.root.appending(
                path: "Sources/PaymentAbstraction/PaymentAbstraction.docc/On-the-command-line.md"), encoding: .utf8)
        let readme = try String(contentsOf: OutputSchemas.root.appending(path: "README.md"), encoding: .utf8)
            .replacingOccurrences(of: "\n", with: " ")
        for row in rows {
            let parts = row.trimmingCharacters(in: .whitespaces).split(separator: " ", maxSplits: 1)
            let (number, words) = (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
            #expect(guide.contains("| \(number) | \(words) |"), "\(row)")
            #expect(readme.contains(" \(number) \(words)"), "\(row)")
        }
    }
}
