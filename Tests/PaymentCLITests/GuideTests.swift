import Foundation
import PaymentTestPrograms
import Testing

/// A page of the guides with the lines that its blocks have for a shell.
///
/// A line ends with `# untested: needs …` or `# untested: takes minutes` where no test can run it, and with
/// `# runs until stopped` where it doesn't end; both are for readers, too.
struct GuidePage: Sendable {
    let file: URL
    let lines: [String]
    /// What the page has its reader save.
    let saved: [String]

    var name: String { file.deletingPathExtension().lastPathComponent }

    /// The pages that have lines, in the order in which a reader comes to them.
    static func all() throws -> [GuidePage] {
        let root = OutputSchemas.root
        let book = root.appending(path: "Sources/Payments/Payments.docc")
        let contents = try String(contentsOf: book.appending(path: "Payments.md"), encoding: .utf8)
        let guides = contents.matches(of: #/<doc:([^>#]+)>/#).map { book.appending(path: "\($0.output.1).md") }
        var files = [root.appending(path: "README.md")] + guides
        for folder in ["Sources/PaymentProviderKit/PaymentProviderKit.docc", "docs", "docs/providers"] {
            let place = root.appending(path: folder)
            let names = try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
            files += names.filter { $0.hasSuffix(".md") }.map { place.appending(path: $0) }
        }
        return try files.map(GuidePage.init).filter { !$0.lines.isEmpty }
    }

    init(_ file: URL) throws {
        self.file = file
        var (block, lines, saved) = (String?.none, [String](), [String]())
        for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
            let bare = line.drop { $0 == " " }
            if bare.hasPrefix("```") {
                block = block == nil ? String(bare.dropFirst(3)) : nil
            } else if let block, ["sh", "bash", "shell", "console"].contains(block), !bare.isEmpty {
                lines.append(String(bare))
            } else if block != nil, bare.hasPrefix("{\"attempt\"") {
                saved.append(String(bare))
            }
        }
        (self.lines, self.saved) = (lines, saved)
    }

    /// Why a line is not run; nil where it is.
    static func reason(_ line: String) -> String? {
        line.firstMatch(of: #/#.*untested: ([^)]*)\)?$/#).map { String($0.output.1) }
    }
}

/// What the guides tell, typed line by line as a reader would: each page in an empty folder, and all of them with the state of
/// one user, in their order.
@Suite struct GuideStoryTests {
    /// Where lines end with another status than 0, on purpose.
    private static let statuses: [String: Int32] = [
        "payctl sale 15.00 EUR --reference bill-3 --attempt bill-3": 4,
        "payctl refund bill-4 --attempt bill-4-back": 6,
        "payctl refund order-3 4.00 --attempt order-3-back": 6,
    ]
    /// Lines that ServeTests runs against a service with its keys.
    private static let served = "linesOfTheDocument_work"
    /// Why lines are not run, and how many there may be for each reason.
    private static let untestedMax = [
        "needs an account": 9, "needs a database": 2, "needs an attempt in doubt": 1, "needs a second shell": 1,
        "takes minutes": 19,
        // WebhookProcessTests types them beside a receiver of its own.
        "needs a receiver": 3,
    ]

    @Test func linesThatAreNotRun_haveAReasonAndAreFew() throws {
        let pages = try GuidePage.all()
        let lines = pages.flatMap(\.lines)
        let reasons = lines.compactMap(GuidePage.reason)
        let counts = Dictionary(grouping: reasons) { $0 }.mapValues(\.count)
        for (reason, count) in counts {
            #expect(count <= Self.untestedMax[reason] ?? 0, "\(count) lines are untested: \(reason)")
        }
        #expect(pages.count >= 12 && lines.count >= 95, "\(pages.map(\.name))")
        #expect(reasons.count * 3 < lines.count, "\(reasons.count) of \(lines.count) lines are run by no test")
        let serve = OutputSchemas.root.appending(path: "Tests/PaymentCLITests/ServeTests.swift")
        #expect(try String(contentsOf: serve, encoding: .utf8).contains("func \(Self.served)("))
    }

    @Test func everyLineOfEveryGuide_inTheOrderOfThePages_doesWhatItSays() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "guides-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "bin"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "bin/payctl"), withDestinationURL: try SandboxProcess.program())
        var count = 0
        for (number, page) in try GuidePage.all().enumerated() {
            let lines = page.lines.filter { line in
                GuidePage.reason(line) == nil
                    && !(page.name == "serve" && (line.contains("$") || line.hasPrefix("curl")))
            }
            if lines.isEmpty { continue }
            // A page may lead to the folder beside its own.
            let place = folder.appending(path: "\(number)/page")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            if !page.saved.isEmpty {
                let text = page.saved.joined(separator: "\n") + "\n"
                try Data(text.utf8).write(to: place.appending(path: "old-payments.jsonl"))
            }
            let ends = try run(lines, in: place, of: folder)
            for (index, line) in lines.enumerated() {
                let (status, said) = ends[index] ?? (-1, "it was not reached")
                #expect(status == Self.statuses[line] ?? 0, "\(page.name): \(line): \(status): \(said)")
                try look(at: said, of: line)
            }
            count += lines.count
        }
        #expect(count >= 60)
    }

    /// What some lines have to say, since the page says so.
    private func look(at said: String, of line: String) throws {
        if line.hasSuffix("--attempt bill-3") {
            #expect(said.contains("the connection ended without a reply") && said.contains("Nothing moved."), "\(said)")
        }
        if line == "payctl switch plan arise adyen" {
            #expect(said.contains("source.card (2×)") || said.contains("source.card (3×)"), "\(said)")
        }
        if line.hasPrefix("payctl journal import") { #expect(said.contains("payment adopted"), "\(said)") }
    }

    /// Runs lines in one shell, so that what one of them sets the next one has; the status and the words of each.
    private func run(_ lines: [String], in place: URL, of folder: URL) throws -> [Int: (Int32, String)] {
        // Each provider has a port behind the first; below those that the system gives out.
        let port = 20_000 + Int(ProcessInfo.processInfo.processIdentifier % 500) * 20
        var script = "exec 3>statuses\n"
        for (index, line) in lines.enumerated() {
            let real = line.replacing("--ports 7000", with: "--ports \(port)")
                .replacing("--listen 127.0.0.1:8080", with: "--listen 127.0.0.1:0")
            let isBackground = line.hasSuffix("&")
            if isBackground || line.contains("runs until stopped") {
                let command = isBackground ? String(real.dropLast()) : String(real.prefix { $0 != "#" })
                // It is there when it has said its first line.
                let bare = command.replacing("> addresses.json", with: "")
                script += """
                    mkfifo \(index).pipe; \(bare) >\(index).pipe 2>\(index).err & pid=$!
                    read -r -t 60 first <\(index).pipe; echo "\(index) $?" >&3
                    kill -TERM $pid; wait $pid

                    """
            } else {
                script += "{ \(real)\n} >\(index).out 2>\(index).err; echo \"\(index) $?\" >&3\n"
            }
        }
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_STATE_HOME"] = folder.appending(path: "state").path
        environment["PATH"] = "\(folder.appending(path: "bin").path):\(environment["PATH"] ?? "/usr/bin:/bin")"
        let run = try TestProgram.run("/bin/bash", ["-c", script + "true\n"], in: place.path, environment: environment)
        #expect(run.code == 0, "\(run.errors)")
        let statuses = try String(contentsOf: place.appending(path: "statuses"), encoding: .utf8)
        var ends: [Int: (Int32, String)] = [:]
        for parts in statuses.split(separator: "\n").map({ $0.split(separator: " ") }) {
            guard parts.count == 2, let index = Int(parts[0]), let status = Int32(parts[1]) else { continue }
            let words = try ["out", "err"].map { kind in
                let file = place.appending(path: "\(index).\(kind)")
                guard FileManager.default.fileExists(atPath: file.path) else { return "" }
                return try String(contentsOf: file, encoding: .utf8)
            }
            ends[index] = (status, words.joined())
        }
        return ends
    }

    @Test func theExitStatusesOfTheGuideAndTheReadmeAreThoseOfTheProgram() async throws {
        let help = await CommandRun.of(["--help"])
        let rows = help.out.drop { $0 != "Exit status:" }.dropFirst().prefix { $0.hasPrefix("  ") }
        #expect(rows.count == 7)
        let guide = try String(
            contentsOf: OutputSchemas.root.appending(
                path: "Sources/Payments/Payments.docc/On-the-command-line.md"), encoding: .utf8)
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
