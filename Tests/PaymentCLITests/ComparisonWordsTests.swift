import Foundation
import PaymentBase
import PaymentConformance
import PaymentHarnesses
import Testing

@testable import PaymentCLI

/// What a reader takes from a comparison who knows nothing but its words: who did what, and what became of the money.
@Suite struct ComparisonWordsTests {
    /// One comparison in the terminal's words, on lines that are wide enough for every cell.
    private struct Told {
        let lines: [String]
        let words: String

        init(_ arguments: String...) async {
            let run = await CommandRun.of(["compare", "arise", "adyen"] + arguments, columns: 900)
            lines = run.out
            words = run.out.flatMap { $0.split(separator: " ") }.joined(separator: " ")
        }

        /// The lines of one scenario, from its name to the next empty line.
        func row(_ scenario: String) -> [String] {
            Array(lines.drop { !$0.hasPrefix("\(scenario): ") }.prefix { !$0.isEmpty })
        }

        func rowWords(_ scenario: String) -> String {
            row(scenario).flatMap { $0.split(separator: " ") }.joined(separator: " ")
        }
    }

    /// Everything, played once for all tests.
    private static let whole = Task {
        let path = FileManager.default.temporaryDirectory.appending(path: "words-\(UUID().uuidString)").path
        defer { for end in ["html", "json"] { try? FileManager.default.removeItem(atPath: "\(path).\(end)") } }
        let told = await Told("--report", "\(path).html", "--report", "\(path).json")
        let json = try JSONReader().read(Array(Data(contentsOf: URL(filePath: "\(path).json"))))
        return (told: told, page: try String(contentsOfFile: "\(path).html", encoding: .utf8), json: json)
    }

    private static var told: Told { get async throws { try await whole.value.told } }

    private static var played: [JSON] {
        get async throws { try #require(try await whole.value.json["scenarios"]?.array) }
    }

    private static func scenarios(_ arguments: String...) async throws -> [JSON] {
        let run = await CommandRun.of(["compare"] + arguments + ["--format", "json"])
        return try #require(try run.json["scenarios"]?.array, "\(run.errors)")
    }

    private static func calls(_ seen: JSON) -> [JSON] { seen["calls"]?.array ?? [] }

    private static func page(_ arguments: String...) async throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "words-\(UUID().uuidString).html").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = await CommandRun.of(["compare", "arise", "adyen"] + arguments + ["--report", path])
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    // MARK: What costs money

    @Test func saleChargedTwice_isNamedAtTheTop_inOneLine() async throws {
        let money = "COSTS MONEY UNSEEN: duplicated (charged twice at arise-kit and adyen)."
        let told = try await Self.told
        #expect(told.lines[1].hasPrefix(money), "\(told.lines.prefix(4))")
        // The answers are the same, and the row is shown all the same, before every other.
        #expect(told.lines.first { $0.hasPrefix("duplicated: ") || $0.hasPrefix("lost-card: ") }?.first == "d")
        #expect(told.rowWords("duplicated").contains("costs money unseen: charged twice"), "\(told.row("duplicated"))")
        let one = await Told("--scenario", "duplicated")
        #expect(one.lines.first?.hasPrefix("COSTS MONEY UNSEEN: duplicated") == true, "\(one.lines.prefix(2))")
        let page = try await Self.page("--scenario", "duplicated", "--scenario", "sale")
        #expect(page.contains("<p>\(money)"), "the first line of the page")
        #expect(page.contains("<tr role=\"row\" class=\"bad\"><th role=\"rowheader\" scope=\"row\">duplicated<"))
    }

    @Test func costOfMoney_isSaidOfTheProvidersThatCauseIt_andOfNoOther() async throws {
        let none = await Told("--scenario", "sale", "--scenario", "refund", "--scenario", "deadline")
        #expect(none.lines.first?.hasPrefix("No row costs money unseen") == true, "\(none.lines.prefix(2))")
        // Halo refuses a second request under one id.
        let run = await CommandRun.of(["compare", "halo", "memory", "--format", "json"])
        let costs = try #require(try run.json["costs"]?.array)
        #expect(costs.compactMap { $0["scenario"]?.string } == ["duplicated"])
        #expect(costs.compactMap { $0["words"]?.string } == ["charged twice at memory"])
    }

    /// The till waits no longer, and the customer was charged: that is said at the top too.
    @Test func moneyThatMovedBeforeTheTillKnows_isNamedAtTheTop() async throws {
        let told = try await Self.told
        #expect(
            told.lines[2].hasPrefix(
                "MONEY MOVED, AND THE TILL DOESN'T KNOW YET: deadline (charged all at arise-kit and adyen); "
                    + "refund-reply-lost (refunded all at adyen)."), "\(told.lines.prefix(4))")
        #expect(told.rowWords("deadline").contains("not known to the till yet: charged all"), "\(told.row("deadline"))")
        #expect(told.lines.contains("Same answer, still open (1):"))
    }

    // MARK: Who answered

    @Test func refusal_saysWhetherTheClientOrTheProviderRefused() async throws {
        let told = try await Self.told
        #expect(told.rowWords("capture-released").contains("refused by the client, nothing sent"))
        #expect(told.rowWords("refused-access").contains("sale: refused by the provider: it refuses the access"))
        #expect(told.rowWords("lost-card").contains("sale: declined by the provider: lostCard"))
        #expect(told.rowWords("refund-unlinked").contains("refused by the client, nothing sent (unsupported)"))
    }

    /// The words say that nothing was sent exactly where no request that may move money left.
    @Test(arguments: [["arise", "adyen"], ["ni", "ecommpay"], ["halo", "memory"]])
    func words_sayThatNothingWasSent_whereNoRequestLeft(_ pair: [String]) async throws {
        var (quiet, sent) = (0, 0)
        for scenario in try await Self.scenarios(pair[0], pair[1]) {
            for (_, seen) in scenario["observations"]?.object?.members.map({ ($0.key, $0.value) }) ?? [] {
                for call in Self.calls(seen) where call["what"]?.string?.hasPrefix("status") == false {
                    let answer = try #require(call["answer"]?.string)
                    let isQuiet = ["nothing sent", "nothing was sent", "anything was sent"].contains {
                        answer.contains($0)
                    }
                    let requests = try #require(call["requests"]?.int64)
                    #expect(isQuiet == (requests == 0), "\(scenario["name"]?.string ?? ""): \(answer), \(requests)")
                    (quiet, sent) = isQuiet ? (quiet + 1, sent) : (quiet, sent + 1)
                }
            }
        }
        #expect(quiet > 10 && sent > 50, "\(quiet), \(sent)")
    }

    // MARK: Which call

    @Test func rowOfSeveralCalls_numbersEachCallWithItsAnswer() async throws {
        let told = try await Self.told
        let refund = told.row("refund")
        #expect(refund.contains { $0.hasPrefix("1 sale: approved") } && refund.contains { $0.hasPrefix("2 refund: ") })
        for scenario in try await Self.played {
            for (_, seen) in scenario["observations"]?.object?.members.map({ ($0.key, $0.value) }) ?? [] {
                guard seen["played"]?.bool == true else { continue }
                #expect(Self.calls(seen).last?["answer"]?.string == seen["result"]?.string, "\(scenario)")
            }
        }
    }

    @Test func twoVoids_areBothAskedAndAnswered_andTheRowSaysWhatMoved() async throws {
        let told = try await Self.told
        let words = told.rowWords("void-twice")
        #expect(words.hasPrefix("void-twice: The till sells, then asks for two voids of the sale"), "\(words)")
        for needed in [
            "1 sale: approved", "2 first void: approved", "2 first void: pending", "3 second void: refused by the",
            "booked: charge all, reversal all", "open: void pending",
        ] { #expect(words.contains(needed), "\(needed): \(words)") }
        let scenario = try #require(
            try await Self.scenarios("arise", "adyen", "--scenario", "void-twice").first)
        for name in ["arise-kit", "adyen"] {
            let calls = Self.calls(try #require(scenario["observations"]?[name]))
            #expect(calls.compactMap { $0["what"]?.string } == ["sale", "first void", "second void"], "\(name)")
            #expect(calls.compactMap { $0["requests"]?.int64 } == [1, 1, 0], "\(name)")
        }
    }

    /// A scenario does what its sentence says: the second sale has the reference of the first.
    @Test func secondSaleUnderAPaidReference_isRefusedByTheClient() async throws {
        let scenario = try #require(try await Self.scenarios("arise", "adyen", "--scenario", "two-sales").first)
        for name in ["arise-kit", "adyen"] {
            let seen = try #require(scenario["observations"]?[name])
            #expect(seen["books"]?.array?.compactMap(\.string) == ["charge all"], "\(seen)")
            #expect(
                seen["result"]?.string == "refused by the client, nothing sent (referenceInUse); no money moved")
        }
    }

    /// A restarted till sells from the same source, so that its second call is the same request.
    @Test func saleRepeatedAfterARestart_isAnsweredFromTheRecord() async throws {
        let scenario = try #require(try await Self.scenarios("arise", "adyen", "--scenario", "replay-later").first)
        for name in ["arise-kit", "adyen"] {
            let seen = try #require(scenario["observations"]?[name])
            #expect(seen["result"]?.string == "approved, from the record: nothing was sent", "\(seen)")
        }
    }

    // MARK: Marks

    @Test func greenMark_isForWhatWasDoneAsAskedAlone() async throws {
        let page = try await Self.whole.value.page
        func mood(_ scenario: String) throws -> String {
            let row = "<th role=\"rowheader\" scope=\"row\">\(scenario)<br>"
            let end = try #require(page.firstRange(of: row), "\(scenario)").lowerBound
            let start = try #require(page[..<end].ranges(of: "class=\"").last).upperBound
            return String(page[start..<end].prefix { $0 != "\"" })
        }
        // Another amount, a part, a decline, a refusal and what is open are not as asked.
        #expect(try mood("wrong-amount") == "doubt" && mood("partial") == "doubt" && mood("deadline") == "doubt")
        #expect(try mood("no-money") == "plain" && mood("two-sales") == "plain" && mood("expired") == "plain")
        #expect(try mood("sale") == "good" && mood("reply-lost") == "good" && mood("duplicated") == "bad")
        #expect(!page.contains("<div class=\"verdict good\">"))
        // Nowhere else on the page stands the mark.
        #expect(page.ranges(of: ">✓").count == 1 && page.contains("scope=\"row\">✓ green</th>"))
        let told = await Told("--scenario", "wrong-amount")
        #expect(told.words.contains("the provider named another amount"), "\(told.words)")
        for scenario in try await Self.played where scenario["standing"]?.string == "asAsked" {
            for (_, seen) in scenario["observations"]?.object?.members.map({ ($0.key, $0.value) }) ?? [] {
                #expect(seen["asAsked"]?.bool == true && seen["open"]?.array?.isEmpty == true, "\(scenario)")
            }
        }
    }

    @Test func marksAndWords_areExplained() async throws {
        let page = try await Self.page("--scenario", "sale")
        #expect(page.contains(">Marks and words</h2>"))
        let told = try await Self.told
        let full = await Told("--scenario", "sale")
        for word in ["client", "provider", "pending", "in doubt", "still running", "booked", "open", "1, 2, 3"] {
            #expect(told.lines.contains { $0.hasPrefix("  \(word): ") }, "\(word)")
            #expect(full.lines.contains { $0.hasPrefix("  \(word): ") }, "\(word)")
            #expect(page.contains("scope=\"row\">\(word)</th>"), "\(word)")
        }
        for mark in ["✓ green", "✗ red", "? amber", "no mark"] {
            #expect(full.lines.contains { $0.hasPrefix("  \(mark): ") } && page.contains("scope=\"row\">\(mark)</th>"))
        }
    }

    // MARK: Doubt

    @Test func doubt_saysWhoAsksHowLongAndWhatEndsIt() async throws {
        let told = try await Self.told
        #expect(told.lines.contains("How what is in doubt ends:"))
        for needed in [
            "arise-kit: sale, hold, capture, void, refund: the client asks the provider every 2 s for at most 16 s within "
                + "the call.", "That nothing is found proves nothing and ends nothing.",
            "adyen: sale, hold, refund: the client asks the terminal every 5 s for at most 160 s within the call.",
            "If nothing is found 150 s after the last request, no money moved: that ends it.",
            "adyen: capture, void: the provider can't be asked.", "or a person (payctl resolve)",
        ] { #expect(told.words.contains(needed), "\(needed)") }
        #expect(try await Self.page("--scenario", "sale").contains(">How what is in doubt ends</h2>"))
    }

    @Test func pendingAndInDoubt_areNeverMixed() async throws {
        let told = try await Self.told
        #expect(!told.words.contains("decided later") && !told.words.contains("inDoubt"), "\(told.words)")
        for name in ["capture-released", "refund-undone", "void-twice"] {
            let words = told.rowWords(name)
            #expect(words.contains("the void before it is pending") && words.contains("open: void pending"), "\(words)")
            #expect(!words.contains("doubt"), "\(words)")
        }
        for scenario in try await Self.played {
            for (_, seen) in scenario["observations"]?.object?.members.map({ ($0.key, $0.value) }) ?? [] {
                let open = (seen["open"]?.array ?? []).compactMap(\.string)
                let last = seen["result"]?.string ?? ""
                if last.hasPrefix("in doubt") { #expect(open.contains { $0.hasSuffix("in doubt") }, "\(scenario)") }
                if last.hasPrefix("pending") { #expect(open.contains { $0.hasSuffix("pending") }, "\(scenario)") }
            }
        }
    }

    // MARK: The head

    @Test func linkThatWasNotNamed_isExplainedInWholeSentences() async throws {
        let told = try await Self.told
        #expect(
            told.words.contains(
                "arise-kit: arise over its link kit, simulated. You named arise: arise-kit was played, a link that a real "
                    + "account has. Not played was arise-reader: money from reader over the link reader exists in the "
                    + "simulator only."), "\(told.words.prefix(600))")
    }

    @Test func figures_agreeWithWhatTheyCount() async throws {
        let told = try await Self.told
        let missing = told.lines.filter { $0.contains(": not played: ") }
        let names = missing.map { $0.prefix { $0 != ":" }.split(separator: " ")[0] }
        let groups = Dictionary(grouping: names) { $0 }.mapValues(\.count)
        let (once, twice) = (groups.values.count { $0 == 1 }, groups.values.count { $0 == 2 })
        let total = Scenario.all.count
        #expect(once + 2 * twice == missing.count)
        let places = "\(groups.count) scenarios: \(once) at 1 provider, \(twice) at 2 providers"
        #expect(
            told.words.contains(
                "\(missing.count) of \(2 * total) results (\(total) scenarios at 2 providers) were not played, in \(places)"
            ))
        #expect(told.words.contains("Not played: \(missing.count) results in \(places); all as the adapters declare:"))
        #expect(told.words.contains("\(total - groups.count) of \(total) scenarios are compared"))
        #expect(
            told.words.contains("\(groups.count) scenarios are not compared: fewer than two providers could play them.")
        )
        // A heading counts the rows below it, and all headings together count what is compared.
        var sum = 0
        for title in [
            "Costs money unseen", "Another answer", "Same answer, still open", "Same answer, another amount was named",
        ] {
            let part = told.lines.drop { !$0.hasPrefix("\(title) (") }
            let count = try #require(Int(part.first?.split(separator: "(").last?.prefix { $0.isNumber } ?? ""))
            let rows = part.dropFirst().prefix { !$0.hasSuffix("):") && !$0.hasPrefix("Done as asked") }
            #expect(rows.filter { $0.hasPrefix("booked: ") }.count == count, "\(title)")
            sum += count
        }
        for title in ["Done as asked", "Same answer, not all done as asked"] {
            let line = try #require(told.lines.first { $0.hasPrefix("\(title) (") })
            let count = try #require(Int(line.split(separator: "(")[1].prefix { $0.isNumber }))
            #expect(line.split(separator: ":")[1].split(separator: ",").count == count, "\(line)")
            sum += count
        }
        #expect(sum == total - groups.count)
    }
}
