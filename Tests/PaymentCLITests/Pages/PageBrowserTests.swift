import Foundation
import PaymentBase
import Testing

/// Every page of ours in a browser: it says nothing wrong, fits a telephone, can be read, and its filter works.
@Suite(.serialized, .enabled(if: PageBrowser.isThere, PageBrowser.missing)) struct PageBrowserTests {
    @Test(arguments: PageSamples.names, PageBrowser.Theme.allCases)
    func aPageCanBeUsedByEverybody(_ name: String, _ theme: PageBrowser.Theme) async throws {
        let page = try await PageSamples.page(name)
        let widths = [1_280, 400]
        for (width, found) in zip(widths, try PageBrowser(theme: theme).probe(page, widths)) {
            #expect(found["problems"]?.array?.compactMap(\.string) == [], "\(name) \(theme) \(width)")
            #expect(found["dark"]?.bool == (theme == .dark) && found["width"]?.int64 == Int64(width))
            #expect((found["checked"]?.int64 ?? 0) > 10 && found["outside"]?.int64 == 0)
            // The filter leaves what has the word, nothing where nothing has it, and everything without it.
            let (rows, before) = (found["rows"]?.int64 ?? 0, found["before"]?.int64 ?? 0)
            let some = found["found"]?.int64 ?? 0
            #expect(rows > 0 && before == rows && some > 0 && some <= rows, "\(found)")
            #expect(found["none"]?.int64 == 0 && found["told"]?.bool == true && found["again"]?.int64 == rows)
            #expect(found["differing"]?.int64 == found["wanted"]?.int64)
            #expect(found["focused"]?.bool == true)
        }
    }

    /// The probe itself sees what is wrong.
    @Test func whatIsWrongIsFound() throws {
        let page = """
            <!doctype html><html><head><title> </title></head><body><main><h1>A</h1><h3>B</h3>
            <p style="color:#999;background:#fff">faint</p><input id="x"><a href="#gone">where</a><div style="width:900px">w</div>
            <form><label for="filter">f</label><input id="filter"><input id="different" type="checkbox" aria-label="d"></form>
            <p id="nothing" hidden>n</p><table><tbody><tr><td>1</td></tr></tbody></table><b id="x">twice</b>
            <section class="case"><h3>word</h3></section>
            </main><script>console.error('told'); missing()</script></body></html>
            """
        let found = try #require(try PageBrowser(theme: .light).probe(page, [400]).first)
        let problems = (found["problems"]?.array ?? []).compactMap(\.string)
        for expected in [
            "no language", "no title", "heading after a level", "contrast 2.85", "without a name: <input>",
            "leads nowhere",
            "without heads", "row without a head", "id twice: x", "error: told", "missing is not defined",
            "scrolls sideways",
        ] { #expect(problems.contains { $0.contains(expected) }, "\(expected): \(problems)") }
    }

    /// Pictures for people, into the folder that `PAGE_SHOTS` names: Scripts/screenshots.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["PAGE_SHOTS"] != nil, "PAGE_SHOTS names no folder"))
    func pictures() async throws {
        let folder = try #require(ProcessInfo.processInfo.environment["PAGE_SHOTS"])
        for name in PageSamples.names {
            let page = try await PageSamples.page(name)
            try page.write(toFile: "\(folder)/\(name).html", atomically: true, encoding: .utf8)
            for theme in PageBrowser.Theme.allCases {
                let (browser, widths) = (PageBrowser(theme: theme), [1_280, 400])
                for (width, found) in zip(widths, try browser.probe(page, widths)) {
                    let height = Int(found["height"]?.int64 ?? 900)
                    let path = "\(folder)/\(name)-\(theme.rawValue)-\(width).png"
                    try browser.shoot(page, width: width, height: min(max(height, 400), 9_000), to: path)
                    #expect(FileManager.default.fileExists(atPath: path))
                }
            }
        }
    }
}
