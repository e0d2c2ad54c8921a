import Foundation
import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentLinux
import PaymentSimulation
import PaymentTestTill
import PaymentTransport
import Testing

@testable import PaymentCLI

/// Whatever a command finds out is written in every format by one writer, and the JSON file is what is said as JSON.
@Suite struct ReportFormatTests {
    private static let formats = ["html", "json", "xml", "md", "txt"]

    /// Runs a command with a report in every format and looks at each; gives what stands in them.
    @discardableResult private func written(
        _ words: [String], in shop: CommandShop, status: Int32 = 0
    ) async throws -> [String: String] {
        let files = Self.formats.map { "\(shop.folder)/report.\($0)" }
        let run = await CommandRun.of(words + shop.place + files.flatMap { ["--report", $0] })
        #expect(run.status == status, "\(words): \(run.errors)")
        var texts: [String: String] = [:]
        for (format, file) in zip(Self.formats, files) {
            texts[format] = try String(contentsOfFile: file, encoding: .utf8)
        }
        let json = try JSONReader().read(Array(try #require(texts["json"]).utf8))
        #expect(json["format"]?.int64 == 2)
        #expect(try OutputSchemas.problems(words, json) == [])
        #expect(texts["txt"] == run.text + "\n")
        let suite = try #require(
            texts["xml"]?.firstMatch(of: /tests="(\d+)" failures="(\d+)" errors="0" skipped="(\d+)"/))
        #expect((Int(suite.1) ?? 0) > 0 && (Int(suite.2) == 0) == (status == 0), "\(words)")
        let title = try #require(texts["md"]?.split(separator: "\n").first?.dropFirst(2))
        #expect(texts["html"]?.contains("<h1>") == true && !title.isEmpty)
        #expect(texts["md"]?.contains("\n|---|") == true)
        return texts
    }

    @Test func aComparisonIsWrittenInEveryFormat() async throws {
        let shop = try CommandShop()
        let files = Self.formats.map { "\(shop.folder)/report.\($0)" }
        let words = ["compare", "arise", "halo", "--scenario", "sale", "--scenario", "refund"]
        let run = await CommandRun.of(words + files.flatMap { ["--report", $0] })
        #expect(run.status == 0, "\(run.errors)")
        let json = try JSONReader().read(Array(Data(contentsOf: URL(filePath: files[1]))))
        #expect(try OutputSchemas.problems(words, json) == [])
        let xml = try String(contentsOfFile: files[2], encoding: .utf8)
        #expect(xml.contains("tests=\"2\" failures=\"0\"") && xml.contains("name=\"refund\""))
        let markdown = try String(contentsOfFile: files[3], encoding: .utf8)
        #expect(
            markdown.contains("| scenario | comparison | arise-kit | halo |") && markdown.contains("## Capabilities"))
        // A difference that the baseline doesn't have fails there too.
        let baseline = "\(shop.folder)/baseline"
        try "".write(toFile: baseline, atomically: true, encoding: .utf8)
        let fresh = await CommandRun.of(words + ["--baseline", baseline, "--report", files[2]])
        let failed = try String(contentsOfFile: files[2], encoding: .utf8)
        #expect(
            fresh.status == 1 && !failed.contains("failures=\"0\"") && failed.contains("<failure message=\"refund "))
    }

    @Test func aPlanIsWrittenInEveryFormatAndNeverFails() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("20", "USD", "--provider", "arise")
        _ = await shop.run("void", id)
        let texts = try await written(["switch", "plan", "arise", "adyen"], in: shop)
        #expect(texts["xml"]?.contains("classname=\"switch.capability\"") == true)
        #expect(texts["md"]?.contains("| capability | arise | adyen | in this journal |") == true)
    }

    @Test func booksAreWrittenInEveryFormat() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("20", "EUR", "--reference", "order-1")
        let day = Date.now.formatted(.iso8601.year().month().day())
        let words = ["reconcile", "memory", "--from", day, "--to", day]
        try await books(words, shop, failing: nil)
        let other = "\(shop.folder)/other.json"
        try String(contentsOfFile: shop.path, encoding: .utf8).replacing("simulation.sqlite", with: "other.sqlite")
            .write(toFile: other, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other)
        _ = await CommandRun.of([
            "sale", "7", "EUR", "--reference", "theirs", "--config", other, "--state", shop.state,
        ])
        try await books(words, shop, failing: "nothing is only in the statement")
    }

    /// Books that agree have nothing to show in a table; those that don't have.
    private func books(_ words: [String], _ shop: CommandShop, failing: String?) async throws {
        let files = Self.formats.map { "\(shop.folder)/report.\($0)" }
        let run = await CommandRun.of(words + shop.place + files.flatMap { ["--report", $0] })
        #expect(run.status == (failing == nil ? 0 : 1), "\(run.errors)")
        let json = try JSONReader().read(Array(Data(contentsOf: URL(filePath: files[1]))))
        #expect(try OutputSchemas.problems(words, json) == [])
        let xml = try String(contentsOfFile: files[2], encoding: .utf8)
        #expect(xml.contains("tests=\"7\" failures=\"\(failing == nil ? 0 : 1)\""), "\(xml)")
        if let failing { #expect(xml.contains("name=\"\(failing)\" classname=\"reconcile\" time=\"0\"><failure")) }
        let markdown = try String(contentsOfFile: files[3], encoding: .utf8)
        #expect(markdown.contains("| only in the statement | theirs") == (failing != nil))
    }

    @Test func aPaymentIsWrittenInEveryFormatWithItsTimeline() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("20", "EUR", "--reference", "order-1")
        let texts = try await written(["show", id], in: shop)
        let html = try #require(texts["html"])
        #expect(html.contains("<svg class=\"ladder\"") && html.contains("role=\"img\"") && html.contains("approved"))
        #expect(texts["md"]?.contains("`submitted") == true)
    }

    @Test func aSimulationIsWrittenInEveryFormat() throws {
        var report = SimulationReport()
        let memory = try #require(HarnessRegistry.builtin["memory"])
        report.add(try ChaosTest(memory).run(seed: 1, operations: 60))
        report.milliseconds = 500
        let schema = try OutputSchemas.schema("simulation")
        #expect(SchemaValidator(schema).problems(report.json) == [])
        let document = report.document
        let xml = String(decoding: try #require(JUnitReport.bytes(document.suites)), as: UTF8.self)
        #expect(report.isFine && xml.contains("tests=\"1\" failures=\"0\"") && xml.contains("name=\"seed 1\""))
        #expect(document.markdown.contains("| seed | providers | operations |"))
        #expect(report.lines.last?.hasSuffix("120 operations a second") == true, "\(report.lines)")
    }

    @Test func anotherEndingIsRefusedBeforeAnythingIsDone() async throws {
        let shop = try CommandShop()
        for words in [
            ["compare", "arise", "halo"], ["switch", "plan", "arise", "adyen"], ["show", "x"],
            ["reconcile", "memory", "--from", "2026-01-01", "--to", "2026-01-02"], ["conformance", "memory"],
        ] {
            let run = await CommandRun.of(words + ["--report", "\(shop.folder)/report.pdf"])
            #expect(run.status == 2 && run.errors.joined().contains("ends in none of .html"), "\(run.errors)")
        }
    }
}

/// Reports as pages: they need nothing from outside, and nothing in them is taken for markup.
@Suite struct ReportPageTests {
    @Test func whateverComesFromOutsideStaysText() throws {
        let nasty = "<script>alert(1)</script>\"'&\u{202E}\u{0}<img src=x onerror=alert(2)>"
        var page = ReportDocument(title: nasty)
        page.verdict = [nasty]
        page.add(
            .init(
                title: nasty, about: nasty, head: [nasty, nasty], rows: [.init(cells: [[nasty], [nasty]], mood: .bad)]))
        page.add(
            nasty,
            [
                .init(
                    nasty, .bad, [(nasty, nasty)],
                    .init(title: nasty, lanes: [nasty], steps: [.init(from: 0, to: 0, nasty, when: nasty)]))
            ])
        let html = page.html
        #expect(html.components(separatedBy: "<script>").count == 2 && !html.contains("<img"))
        #expect(!html.contains("\u{202E}") && !html.contains("\u{0}"))
        #expect(html.components(separatedBy: "&lt;script&gt;alert(1)").count > 15)
        // Markdown takes none of it for markup either, and a cell stays one cell.
        page.suites = [.init(nasty, [.init(nasty, in: nasty, .failed, nasty, lines: [nasty])])]
        let markdown = page.markdown
        #expect(!markdown.contains(" <script>") && markdown.contains("\\<script\\>") && !markdown.contains("\u{202E}"))
        let xml = String(decoding: try #require(JUnitReport.bytes(page.suites)), as: UTF8.self)
        #expect(!xml.contains("<script>") && !xml.contains("<img") && !xml.contains("\u{0}"))
    }

    /// What is not seen, or turns around what stands beside it, is in no form of a report.
    @Test(arguments: ["\u{202E}", "\u{061C}", "\u{200B}", "\u{FEFF}", "\u{2066}", "\u{85}", "\u{E0041}", "\u{2028}"])
    func reports_ofTextWithInvisibleCharacters_showNoneOfThem(_ hidden: String) throws {
        let text = "order\(hidden)1"
        var page = ReportDocument(title: text)
        page.verdict = [text]
        page.suites = [.init(text, [.init(text, in: text, .failed, text, lines: [text])])]
        let xml = String(decoding: try #require(JUnitReport.bytes(page.suites)), as: UTF8.self)
        for form in [page.html, page.markdown, xml] {
            #expect(!form.unicodeScalars.contains { hidden.unicodeScalars.contains($0) }, "\(form.prefix(300))")
        }
    }

    /// Markdown's viewers make links of bare addresses.
    @Test func markdown_ofTextWithAnAddress_makesNoLink() {
        var page = ReportDocument(title: "t")
        page.verdict = ["see https://evil.test/pay or www.evil.test or mail a@evil.test"]
        let markdown = page.markdown
        #expect(!markdown.contains("https://evil") && !markdown.contains("www.evil"), "\(markdown)")
        #expect(!markdown.contains("a@evil"), "\(markdown)")
    }

    /// The only script and the only style that run are the page's own, by their digests.
    @Test func page_allowsItsOwnScriptAlone() throws {
        let html = ReportDocument(title: "t").html
        let start = try #require(html.firstRange(of: "Content-Security-Policy")).upperBound
        let policy = String(html[start..<(try #require(html[start...].firstRange(of: "\">")).lowerBound)])
        #expect(!policy.contains("unsafe-inline"), "\(policy)")
        #expect(policy.contains("base-uri 'none'") && policy.contains("form-action 'none'"), "\(policy)")
        for (tag, kind) in [("script", "script-src"), ("style", "style-src")] {
            let begin = try #require(html.firstRange(of: "<\(tag)>")).upperBound
            let end = try #require(html.firstRange(of: "</\(tag)>")).lowerBound
            let digest = try OpenSSLCrypto().digest(.sha256, Array(html[begin..<end].utf8))
            #expect(policy.contains("\(kind) 'sha256-\(Base64.standard.encode(digest))'"), "\(policy)")
        }
    }

    @Test func aPageAsksForNothingAndIsAccessible() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString).html").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let run = await CommandRun.of(["compare", "arise", "halo", "--scenario", "sale", "--report", path])
        #expect(run.status == 0, "\(run.errors)")
        let html = try String(contentsOfFile: path, encoding: .utf8)
        for outside in ["src=", "url(", "@import", "http://", "https://", "fetch(", "onclick"] {
            #expect(!html.contains(outside), "\(outside)")
        }
        // The contents lead to parts of the page itself.
        #expect(html.ranges(of: "href=").count == html.ranges(of: "href=\"#").count)
        for needed in [
            "lang=\"en\"", "default-src 'none'", "prefers-color-scheme: dark", "@media print", "scope=\"col\"",
            "scope=\"row\"", "tabindex=\"0\"", "aria-live=\"polite\"", "<label for=\"filter\">", "<main>",
        ] { #expect(html.contains(needed), "\(needed)") }
        #expect(html.contains("Comparison: arise-kit, halo"))
    }
}

/// What differs and is known already doesn't fail.
@Suite struct BaselineTests {
    @Test func onlyANewDifferenceFails() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "baseline-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let words = ["compare", "arise", "adyen", "--scenario", "sale", "--scenario", "refund"]
        let written = await CommandRun.of(words + ["--write-baseline", path])
        #expect(written.status == 0, "\(written.errors)")
        let same = await CommandRun.of(words + ["--baseline", path])
        #expect(same.status == 0 && same.errors.isEmpty, "\(same.errors)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
        #expect(lines.count > 2 && text.contains("refund result: arise-kit=approved; adyen="))
        try lines.dropFirst().joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let fresh = await CommandRun.of(words + ["--baseline", path])
        #expect(fresh.status == 1 && fresh.errors == ["new: \(lines[0])"])
        let none = await CommandRun.of(words + ["--baseline", path + ".none"])
        #expect(none.status == 2)
    }
}
