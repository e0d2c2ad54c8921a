import Foundation
import PaymentBase
import PaymentTestPrograms
import Testing

/// Chromium without a window: opens one page of ours at a width, in light or dark, and says what was found there.
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

    /// A folder that goes with whoever uses it.
    private final class Folder {
        private let url = FileManager.default.temporaryDirectory.appending(path: "browser-\(UUID().uuidString)")
        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: url) }
        func file(_ name: String) -> URL { url.appending(path: name) }
    }
}
