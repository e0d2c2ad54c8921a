import Foundation
import PaymentBase
import PaymentCLI
import PaymentService
import Testing

/// What `--help` says, word for word; `RECORD_SNAPSHOTS=1` records it again.
@Suite struct HelpTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/Help")

    /// Every command that the program lists.
    static func names() async -> [String] {
        let help = await CommandRun.of(["--help"])
        return help.text.split(separator: "\n").prefix { $0 != "Exit status:" }.filter { $0.hasPrefix("  ") }.map {
            line in
            let name = line.dropFirst(2).split(separator: "  ", maxSplits: 1).first ?? ""
            return String(name).trimmingCharacters(in: .whitespaces)
        }
    }

    /// The first words of commands of two words.
    static func families() async -> [String] {
        let names = await names().map { $0.split(separator: " ") }
        return Set(names.filter { $0.count == 2 }.map { String($0[0]) }).sorted()
    }

    @Test func everyCommandExplainsItselfWithAnExample() async throws {
        let names = await Self.names()
        #expect(names.count >= 40)
        for name in names {
            let help = await CommandRun.of(name.split(separator: " ").map(String.init) + ["--help"])
            #expect(help.status == 0 && help.errors.isEmpty)
            #expect(help.text.contains("Example:\n  payctl \(name)"), "\(name) shows no example of itself")
            try Self.compare(help.text + "\n", name.replacingOccurrences(of: " ", with: "-"))
        }
        let overview = await CommandRun.of(["--help"])
        try Self.compare(overview.text + "\n", "payctl")
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let families = await Self.families()
        let expected = Set((names + families + ["payctl"]).map { $0.replacingOccurrences(of: " ", with: "-") + ".txt" })
        #expect(Set(files) == expected, "there are snapshots of commands that are gone")
    }

    private static func compare(_ text: String, _ name: String) throws {
        let file = folder.appending(path: "\(name).txt")
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text, "\(name)")
    }

    /// What both faces have is called the same: `displayText` over HTTP is `--display-text` here.
    @Test(arguments: [
        "sale": "sale", "authorize": "authorize", "capture": "capture", "adjust": "adjust", "void": "void",
        "refund": "refund", "listPayments": "list", "attempt": "status", "resolve": "resolve", "receipt": "receipt",
    ])
    func parametersOfAnOperation_areOptionsOfItsCommand(_ operation: String, _ command: String) async throws {
        /// What a command line says without an option of that name, and how.
        let others = [
            "amount": "AMOUNT", "payment": "PAYMENT", "newTotal": "AMOUNT", "attempt": "PAYMENT",
            "all": "without an AMOUNT", "timeout": "--within", "contact": "--email, --phone, --field",
            "token": "--secret",
            "wallet": "--source wallet", "cursor": "--after", "decision": "--executed, --not-executed, …",
            "providerName": "--executed", "acknowledges": "--acknowledge", "reason": "--because",
        ]
        // A service has readers by name, keeps words of the shop, and decides on what a person saw.
        let alone: Set = ["reader", "metadata", "version"]
        let help = await CommandRun.of([command, "--help"]).text
        let names = PaymentService.parameters(of: operation)
        #expect(!names.isEmpty)
        for name in names where others[name] == nil && !alone.contains(name) {
            let option = name.replacing(/[A-Z]/) { "-" + $0.output.lowercased() }
            #expect(help.contains("\n  --\(option) ") || help.contains("\n  --\(option)\n"), "\(operation): \(name)")
        }
    }

    @Test func everyFamilyListsItsCommands() async throws {
        let (names, families) = await (Self.names(), Self.families())
        #expect(
            families == [
                "cassette", "journal", "key", "nexo", "reader", "readings", "sandbox", "switch",
                "webhooks",
            ])
        for family in families {
            let members = names.filter { $0.hasPrefix(family + " ") }
            for word in ["--help", "-h"] {
                let help = await CommandRun.of([family, word])
                #expect(help.status == 0 && help.errors.isEmpty, "\(family) \(word)")
                for name in members { #expect(help.text.contains("\n  \(name)"), "\(family) lacks \(name)") }
                try Self.compare(help.text + "\n", family)
            }
            if family == "sandbox" { continue }  // it is a command of its own
            let bare = await CommandRun.of([family])
            #expect(bare.status == 2 && bare.out.isEmpty, "\(family) alone does nothing, and says so")
        }
    }

    @Test func theVersionIsSaid() async {
        let run = await CommandRun.of(["--version"])
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.out.count == 1 && run.text.wholeMatch(of: #/payctl \d+\.\d+\.\d+(-[a-z0-9.]+)?/#) != nil)
    }

    @Test func noProviderIsMadeWhereNoCommandRuns() async {
        for words in [["--version"], ["--help"], ["help", "sale"], ["journal", "--help"], ["refnd"], []] {
            var isMade = false
            func registry() -> CommandRegistry {
                isMade = true
                return .builtin
            }
            _ = await CommandRun.of(words, registry: registry())
            #expect(!isMade, "\(words)")
        }
    }

    @Test func aMistypedCommandSuggestsTheNearest() async {
        for (typed, meant) in [("refnd", "refund"), ("stat", "status"), ("conformence", "conformance")] {
            let run = await CommandRun.of([typed])
            #expect(run.status == 2 && run.out.isEmpty)
            #expect(run.errors.first?.contains("did you mean \(meant)?") == true, "\(run.errors)")
        }
        let family = await CommandRun.of(["journal", "chek"])
        #expect(family.status == 2)
        #expect(family.errors.first?.contains("check, export, import, prune") == true)
    }

    @Test func aMistypedOptionSuggestsTheNearest() async {
        let run = await CommandRun.of(["sale", "--unreferenced", "1", "EUR", "--referense", "x"])
        #expect(run.status == 2)
        #expect(run.errors.first?.contains("did you mean --reference?") == true)
    }

    @Test func aWordTooFewOrTooManyIsSaid() async {
        let few = await CommandRun.of(["capture"])
        #expect(few.status == 2 && few.errors.first?.contains("PAYMENT is missing") == true)
        let many = await CommandRun.of(["recover", "now"])
        #expect(many.status == 2 && many.errors.first?.contains("now is one word too many") == true)
    }

    @Test func completionsNameEveryCommand() async {
        let names = await Set(Self.names().compactMap { $0.split(separator: " ").first.map(String.init) })
        for shell in ["bash", "zsh", "fish"] {
            let run = await CommandRun.of(["completions", shell])
            #expect(run.status == 0)
            for name in names { #expect(run.text.contains(name), "\(shell) lacks \(name)") }
        }
        let none = await CommandRun.of(["completions", "csh"])
        #expect(none.status == 2)
    }
}

/// What the documents show to type: every command and option is there, and every piece of JSON can be read.
@Suite struct ShellSnippetTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func documents() throws -> [URL] {
        let guides = ["Payments/Payments", "PaymentProviderKit/PaymentProviderKit"].map { module in
            root.appending(path: "Sources/\(module).docc")
        }
        var files = [root.appending(path: "README.md")]
        for folder in guides + [root.appending(path: "docs"), root.appending(path: "docs/providers")] {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            files += names.filter { $0.hasSuffix(".md") }.sorted().map { folder.appending(path: $0) }
        }
        return files
    }

    /// The blocks of a kind, as text.
    private static func blocks(_ kind: String) throws -> [(file: String, text: String)] {
        try documents().flatMap { file in
            let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```\(kind)\n")
                .dropFirst()
            return parts.map { (file.lastPathComponent, $0.components(separatedBy: "\n```").first ?? "") }
        }
    }

    @Test func everyLineForTheShellIsAccepted() async throws {
        var count = 0
        for (file, text) in try Self.blocks("sh") {
            for line in text.split(separator: "\n") {
                let words = Self.words(String(line))
                guard words.first == "payctl" else { continue }
                count += 1
                let pieces = words.dropFirst().map(String.init)
                let name = pieces.prefix { !$0.hasPrefix("-") }
                let help = await CommandRun.of(Array(name) + ["--help"])
                #expect(help.status == 0, "\(file): \(line)")
                for option in pieces where option.hasPrefix("--") {
                    #expect(help.text.contains("  \(option)"), "\(file): \(line) has \(option)")
                }
            }
        }
        #expect(count >= 12)
    }

    /// The words of a command, without comments, pipes and what is redirected.
    private static func words(_ line: String) -> [Substring] {
        line.prefix { $0 != "#" && $0 != ">" && $0 != "|" && $0 != "&" }.split(separator: " ")
    }

    @Test func everyPieceOfJSONCanBeRead() throws {
        let blocks = try Self.blocks("json")
        for (file, text) in blocks {
            let isPiece = !text.hasPrefix("{") && !text.hasPrefix("[")
            let whole = isPiece ? "{\(text)}" : text
            #expect(throws: Never.self, "\(file): \(text)") { try JSONReader().read(Array(whole.utf8)) }
        }
        #expect(blocks.count >= 4)
    }
}

/// The table of what each provider has is what the code says; `RECORD_SNAPSHOTS=1` writes it again.
@Suite struct ReadmeTableTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/providers/README.md")
    private static let (start, end) = ("<!-- providers: begin -->\n", "<!-- providers: end -->")
    private static let order = ["arise", "adyen", "ni", "ecommpay", "halo"]

    private static func table() async throws -> String {
        let rows = try await CommandShop().json("providers")["providers"]?.array ?? []
        let providers = order.compactMap { id in rows.first { $0["id"]?.string == id } }
        let names = providers.first?["capabilities"]?.object?.members.map(\.key) ?? []
        var lines = ["| | \(order.joined(separator: " | ")) |", "|---|\(order.map { _ in "---|" }.joined())"]
        for name in names where !name.hasPrefix("request.") && name != "session" {
            let cells = providers.map { $0["capabilities"]?[name]?.bool == true ? "✓" : "–" }
            lines.append("| `\(name)` | \(cells.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test func theTableIsWhatTheCodeSays() async throws {
        let table = try await Self.table()
        #expect(table.split(separator: "\n").count > 25)
        var text = try String(contentsOf: Self.file, encoding: .utf8)
        let start = try #require(text.range(of: Self.start)), end = try #require(text.range(of: Self.end))
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
            text.replaceSubrange(start.upperBound..<end.lowerBound, with: table)
            try Data(text.utf8).write(to: Self.file)
        } else {
            #expect(text[start.upperBound..<end.lowerBound] == table)
        }
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 150)
    }
}

/// The day that newcomers see first, over real sockets.
@Suite struct DemoTests {
    /// In a process of its own: its clock runs at many times the machine's speed, and other tests would take its time limits.
    @Test func theDayEndsWithBooksThatAgreeAtEveryProvider() throws {
        let run = try SandboxProcess.plain(["demo"])
        #expect(run.code == 0, "\(run.output) \(run.words)")
        let text = run.output.split(separator: "\n")
        let books = text.filter { $0.hasPrefix("Books of ") }
        #expect(books.count >= 4)
        #expect(books.allSatisfy { $0.hasSuffix("they agree.") })
        #expect(text.contains { $0.hasSuffix("0 attempts are open.") })
        // The last provider's till gives money back at every other provider.
        #expect(text.count { $0.contains("refund by ") } == books.count)
    }
}
