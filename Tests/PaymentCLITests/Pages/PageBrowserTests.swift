import Foundation
import PaymentBase
import PaymentTestPrograms
import Testing

/// Each of our pages in a browser: it says nothing wrong, fits a telephone, can be read, and its filter works.
@Suite(.serialized, .enabled(if: PageBrowser.isThere, PageBrowser.missing)) struct PageBrowserTests {
    @Test(arguments: PageSamples.names, PageBrowser.Theme.allCases)
    func aPageIsAccessible(_ name: String, _ theme: PageBrowser.Theme) async throws {
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

    /// The pages alone, into the folder that `PAGE_FILES` names: Scripts/axe.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["PAGE_FILES"] != nil, "PAGE_FILES names no folder"))
    func pages() async throws {
        let folder = try #require(ProcessInfo.processInfo.environment["PAGE_FILES"])
        for name in PageSamples.names {
            let page = try await PageSamples.page(name)
            try page.write(toFile: "\(folder)/\(name).html", atomically: true, encoding: .utf8)
        }
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

/// Chromium without a window: opens one of our pages at a width, in light or dark, and says what was found there.
struct PageBrowser {
    enum Theme: String, CaseIterable { case light, dark }

    /// Where Debian puts it.
    static let program = "/usr/bin/chromium"
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: program) }
    static let missing: Comment = "chromium isn't installed: apt-get install chromium"

    let theme: Theme

    /// What the probe says of a page in each width: its problems, and whatever it measured.
    func probe(_ html: String, _ widths: [Int]) throws -> [JSON] {
        let folder = try Folder()
        // A browser's window is never narrower than 500 pixels, so that the page stands in a frame.
        let first = "<script>\(PageProbe.listening)</script>"
        let inner = html.replacing("<head>", with: "<head>" + first, maxReplacements: 1)
        let frames = widths.map { width in
            "<iframe style=\"border:0;width:\(width)px;height:900px\" srcdoc=\"\(Self.quoted(inner))\"></iframe>"
        }
        let outer = """
            <!doctype html><html><head><meta charset="utf-8"></head><body style="margin:0">
            \(frames.joined(separator: "\n"))
            <script>\(PageProbe.script)</script></body></html>
            """
        try outer.write(to: folder.file("outer.html"), atomically: true, encoding: .utf8)
        let text = try run(folder, ["--dump-dom", folder.file("outer.html").absoluteString])
        let found = try #require(text.firstMatch(of: /data-probe="([A-Za-z0-9+\/=]+)"/), "\(text.prefix(300))")
        return try JSONReader().read(Array(try #require(Data(base64Encoded: String(found.1))))).array ?? []
    }

    /// Takes a picture of a page down to a height.
    func shoot(_ html: String, width: Int, height: Int, to path: String) throws {
        let folder = try Folder()
        let outer = """
            <!doctype html><html><head><meta charset="utf-8"></head><body style="margin:0;overflow:hidden">
            <iframe style="border:0;width:\(width)px;height:\(height)px" scrolling="no" srcdoc="\(Self.quoted(html))"></iframe>
            </body></html>
            """
        try outer.write(to: folder.file("outer.html"), atomically: true, encoding: .utf8)
        _ = try run(
            folder,
            [
                "--screenshot=\(path)", "--hide-scrollbars", "--window-size=\(width),\(height)",
                folder.file("outer.html").absoluteString,
            ])
    }

    private static func quoted(_ html: String) -> String {
        html.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
    }

    private func run(_ folder: Folder, _ words: [String]) throws -> String {
        let ending = try TestProgram.run(
            "/usr/bin/timeout",
            [
                "--kill-after=5", "60", Self.program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--disable-extensions", "--user-data-dir=\(folder.file("profile").path)",
                "--blink-settings=preferredColorScheme=\(theme == .dark ? 0 : 1)",
            ] + words, errors: .nowhere)
        #expect(ending.code == 0, "chromium ended with \(ending.code)")
        return ending.output
    }

    /// A folder that goes with the value that uses it.
    private final class Folder {
        private let url = FileManager.default.temporaryDirectory.appending(path: "browser-\(UUID().uuidString)")
        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: url) }
        func file(_ name: String) -> URL { url.appending(path: name) }
    }
}

/// What is looked at inside of a page, in the browser's own language.
enum PageProbe {
    /// Stands first in the page and hears what goes wrong in it.
    static let listening = """
        window.problems = [];
        window.addEventListener('error', event => problems.push('error: ' + event.message));
        window.addEventListener('unhandledrejection', event => problems.push('rejection: ' + event.reason));
        document.addEventListener('securitypolicyviolation', event => problems.push('policy: ' + event.blockedURI));
        for (const name of ['error', 'warn']) console[name] = (...words) => problems.push(name + ': ' + words.join(' '));
        """

    /// Looks at the page in the frame, works its filter, and writes what was found into an attribute.
    static let script = """
        function look(view) {
          const page = view.document;
          const problems = view.problems, all = [...page.querySelectorAll('body *')];
          const seen = element => element.checkVisibility() && !element.closest('.unseen');
          const say = (what, element) =>
            problems.push(what + ': <' + element.tagName.toLowerCase() + '> ' + element.textContent.trim().slice(0, 60));
          if (page.documentElement.lang !== 'en') problems.push('no language');
          if (!page.title.trim()) problems.push('no title');
          if (page.querySelectorAll('h1').length !== 1) problems.push('not one h1');
          if (page.querySelectorAll('main').length !== 1) problems.push('not one main');
          let level = 0;
          for (const heading of page.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
            const own = Number(heading.tagName[1]);
            if (own > level + 1) say('heading after a level that is missing', heading);
            if (!heading.textContent.trim()) say('empty heading', heading);
            level = own;
          }
          const ids = all.map(element => element.id).filter(Boolean);
          for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push('id twice: ' + id);
          for (const element of all) for (const name of ['aria-labelledby', 'for'])
            for (const id of (element.getAttribute(name) || '').split(' ').filter(Boolean))
              if (!page.getElementById(id)) say(name + ' ' + id + ' names nothing', element);
          const named = element => {
            const by = page.getElementById(element.getAttribute('aria-labelledby'));
            const text = element.getAttribute('aria-label') || by?.textContent || element.labels?.[0]?.textContent
              || element.textContent;
            return text.trim().length > 0;
          };
          for (const element of page.querySelectorAll('a, button, input, select, summary, nav, svg, [role=region]'))
            if (!named(element)) say('without a name', element);
          for (const link of page.querySelectorAll('a'))
            if (!page.getElementById(decodeURIComponent(link.getAttribute('href').slice(1)))) say('leads nowhere', link);
          for (const table of page.querySelectorAll('table')) {
            const heads = table.querySelectorAll('thead th[scope=col]').length;
            if (!heads) say('without heads', table);
            for (const row of table.querySelectorAll('tbody tr')) {
              if (row.children.length !== heads) say('has another number of cells than heads', row);
              if (row.children[0].getAttribute('scope') !== 'row') say('row without a head', row);
            }
          }
          for (const area of all)
            if (area.scrollWidth > area.clientWidth + 1 && ['auto', 'scroll'].includes(view.getComputedStyle(area).overflowX)
              && area.tabIndex < 0 && area.tagName !== 'INPUT') say('scrolls, and not by keyboard', area);
          const channels = text => (text.match(/[\\d.]+/g) || []).map(Number);
          const light = ([r, g, b]) => [r, g, b].map(value => value / 255)
            .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
            .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
          const behind = element => {
            for (let at = element; at; at = at.parentElement) {
              const colour = channels(view.getComputedStyle(at).backgroundColor);
              if (colour.length === 3 || colour[3] > 0) return colour;
            }
            return channels(view.getComputedStyle(page.body).backgroundColor);
          };
          let checked = 0, worst = 99;
          for (const element of all) {
            const texts = [...element.childNodes].some(node => node.nodeType === 3 && node.nodeValue.trim());
            if (!texts || !seen(element) || ['SCRIPT', 'STYLE', 'TITLE'].includes(element.tagName.toUpperCase())) continue;
            const style = view.getComputedStyle(element), drawn = element.namespaceURI.endsWith('svg');
            const ink = channels(drawn ? style.fill : style.color);
            const group = drawn && element.classList.contains('inside') ? element.previousElementSibling : null;
            const paper = group ? channels(view.getComputedStyle(group).fill) : behind(element);
            const [one, other] = [light(ink), light(paper)].sort((a, b) => b - a);
            const contrast = (one + 0.05) / (other + 0.05);
            checked += 1;
            worst = Math.min(worst, contrast);
            if (contrast < 4.5) say('contrast ' + contrast.toFixed(2), element);
          }
          const html = page.documentElement, wide = html.scrollWidth > view.innerWidth;
          if (wide) problems.push('scrolls sideways: ' + html.scrollWidth + ' of ' + view.innerWidth + ', by '
            + all.filter(seen).filter(element => element.getBoundingClientRect().right > view.innerWidth + 1)
              .slice(0, 3).map(element => element.tagName + '.' + element.className + ' ' + element.textContent.slice(0, 40)));
          const height = html.scrollHeight;
          const rows = [...page.querySelectorAll('tbody tr, .case')];
          const count = () => rows.filter(row => row.checkVisibility()).length;
          const filter = page.getElementById('filter'), different = page.getElementById('different');
          const type = text => { filter.value = text; filter.dispatchEvent(new view.Event('input')); return count(); };
          const word = (rows[rows.length - 1].querySelector('th, h3').textContent.trim().split(/\\s+/)[0] || '');
          const before = count(), found = type(word), none = type('no such word here'), told =
            page.getElementById('nothing').checkVisibility(), again = type('');
          different.click();
          const differing = count();
          const wanted = rows.filter(row => row.classList.contains('bad') || row.classList.contains('doubt')).length;
          different.click();
          page.body.dispatchEvent(new view.KeyboardEvent('keydown', {key: '/', bubbles: true}));
          const outside = [...page.querySelectorAll('[src], link, [style]')].length;
          return {problems, checked, worst: worst.toFixed(2), height, rows: rows.length, before, found, none, told,
            again, differing, wanted, focused: page.activeElement === filter, outside, word,
            dark: view.matchMedia('(prefers-color-scheme: dark)').matches, width: view.innerWidth};
        }
        window.addEventListener('load', () => {
          const found = [...document.querySelectorAll('iframe')].map(frame => look(frame.contentWindow));
          const bytes = new TextEncoder().encode(JSON.stringify(found));
          document.documentElement.dataset.probe = btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
        });
        """
}
