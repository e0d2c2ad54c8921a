import Foundation
import PaymentBase
import PaymentCLI
import Testing

/// `payctl screens`: the two tables of the guide on the till's screen, played at the simulated providers.
@Suite struct ScreensTests {
    @Test func tables_ofEveryLink_areThoseOfTheGuide() async throws {
        let guide = try String(
            contentsOf: OutputSchemas.root.appending(path: "Sources/Payments/Payments.docc/The-tills-screen.md"),
            encoding: .utf8)
        let run = await CommandRun.of(["screens"])
        #expect(run.status == 0, "\(run.errors)")
        let shown = run.text.split(separator: "\n").map(String.init)
        #expect(shown.count > 40)
        let told = Set(guide.split(separator: "\n").map(String.init))
        for line in shown where !told.contains(line) { Issue.record("the guide lacks: \(line)") }
        // Nor does the guide have a row that the program doesn't print.
        let links = Set(shown.compactMap { $0.split(separator: " ").first.map(String.init) })
        for line in told where links.contains(line.split(separator: " ").first.map(String.init) ?? "") {
            #expect(shown.contains(line), "the program doesn't print: \(line)")
        }
    }

    @Test func screens_ofALinkThatIsNotThere_areRefused() async {
        let run = await CommandRun.of(["screens", "acme"])
        #expect(run.status == 2 && run.errors.contains { $0.contains("acme") })
    }
}
