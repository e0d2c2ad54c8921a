import Foundation
import PaymentBase
import PaymentConformance
import PaymentLinux
import PaymentTransport
import Testing

@testable import PaymentCLI

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

    @Test func aPageAsksForNothingAndCanBeUsedByEverybody() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString).html").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let run = await CommandRun.of(["compare", "arise", "halo", "--scenario", "sale", "--report", path])
        #expect(run.status == 0, "\(run.errors)")
        let html = try String(contentsOfFile: path, encoding: .utf8)
        for outside in ["src=", "href=", "url(", "@import", "http://", "https://", "fetch(", "onclick"] {
            #expect(!html.contains(outside), "\(outside)")
        }
        for needed in [
            "lang=\"en\"", "default-src 'none'", "prefers-color-scheme: dark", "@media print", "scope=\"col\"",
            "scope=\"row\"", "tabindex=\"0\"", "aria-live=\"polite\"", "<label for=\"filter\">", "<main>",
        ] { #expect(html.contains(needed), "\(needed)") }
        #expect(html.contains("Comparison: arise, halo"))
    }
}

/// What differs and is known already doesn't fail.
@Suite struct BaselineTests {
    @Test func onlyANewDifferenceFails() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "baseline-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let words = ["compare", "arise", "halo", "--scenario", "sale", "--scenario", "void"]
        let written = await CommandRun.of(words + ["--write-baseline", path])
        #expect(written.status == 0, "\(written.errors)")
        let same = await CommandRun.of(words + ["--baseline", path])
        #expect(same.status == 0 && same.errors.isEmpty, "\(same.errors)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
        #expect(lines.count > 2 && text.contains("void result: arise=approved; halo="))
        try lines.dropFirst().joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let fresh = await CommandRun.of(words + ["--baseline", path])
        #expect(fresh.status == 1 && fresh.errors == ["new: \(lines[0])"])
        let none = await CommandRun.of(words + ["--baseline", path + ".none"])
        #expect(none.status == 2)
    }
}
