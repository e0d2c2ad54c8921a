import Foundation
import PaymentBase
import Testing

@testable import PaymentCLI

/// The books of a day, and what programs that read tables get.
@Suite struct DayTests {
    /// Puts the simulators' clock forward to the next noon, so that no midnight comes into a test; that day, and one beside it.
    private func noon(_ shop: CommandShop) async throws -> CalendarDate {
        let now = SystemClock().now
        let days = now / 86_400_000 + 1
        let ahead = days * 86_400_000 + 43_200_000 - now
        let run = await CommandRun.of(["sandbox", "clock", "--advance", "\(ahead / 1_000)s", "--state", shop.state])
        #expect(run.status == 0, "\(run.errors)")
        return try #require(CalendarDate(daysSince1970: days))
    }

    private func iso(_ date: CalendarDate, _ days: Int64 = 0) throws -> String {
        try #require(CalendarDate(daysSince1970: date.daysSince1970 + days)).isoText
    }

    @Test func day_sumsWhatMoved_byKindTenderBrandAndReader() async throws {
        let shop = try CommandShop()
        let noon = try await noon(shop)
        let id = try await shop.sold("20", "EUR", "--reference", "order-1", "--provider", "memory")
        _ = try await shop.json("refund", id, "5")
        let room = try await shop.json("authorize", "30", "EUR", "--reference", "room-1", "--provider", "memory")
        _ = try await shop.json("capture", try #require(room["payment"]?.string), "10")
        _ = try await shop.sold("7", "USD", "--provider", "arise", "--source", "card", "--card", "visa")
        let gone = try await shop.sold("9", "EUR", "--provider", "memory", "--reference", "order-2")
        _ = try await shop.json("void", gone)
        let day = try await shop.json("day", "--date", noon.isoText)
        let sums = day["sums"]?.array ?? []
        func sum(_ kind: String, _ currency: String, _ member: String) -> Int {
            sums.filter { $0["kind"]?.string == kind && $0["currency"]?.string == currency }
                .compactMap { row in
                    row[member]?.string.flatMap { Int($0.replacing(".", with: "")) }
                        ?? row[member]?.int64.map { Int($0) }
                }.reduce(0, +)
        }
        #expect(sum("sale", "EUR", "moved") == 2_900 && sum("sale", "EUR", "count") == 2)
        #expect(sum("refund", "EUR", "moved") == -500 && sum("void", "EUR", "moved") == -900)
        #expect(sum("authorize", "EUR", "held") == 3_000 && sum("authorize", "EUR", "moved") == 0)
        #expect(sum("capture", "EUR", "moved") == 1_000 && sum("capture", "EUR", "held") == -1_000)
        #expect(sum("sale", "USD", "moved") == 700)
        #expect(sums.contains { $0["reader"]?.string == "card at arise" && $0["brand"]?.string == "Visa" })
        #expect(day["open"]?.array?.isEmpty == true && day["isEveryScope"]?.bool == true)
        let text = await shop.run("day", "--date", noon.isoText)
        #expect(text.out.contains { $0.contains(#/^all +6 +25\.00 EUR +20\.00 EUR$/#) }, "\(text.out)")
        #expect(text.text.contains("every scope (the default one)") && text.text.contains("all providers simulated"))
        let other = try await shop.json("day", "--date", try iso(noon, -1))
        #expect(other["sums"]?.array?.isEmpty == true)
    }

    /// What was pruned moved money; a year is not smaller for it.
    @Test func day_ofPrunedPayments_saysSoAndIsNotFine() async throws {
        let shop = try CommandShop()
        let line = """
            {"attempt":"old-1","provider":"memory","adapter":"memory","environment":"sandbox","merchant":"m-1",\
            "reference":"before","minorUnits":500,"currency":"EUR","takenAt":1700000000000,"references":{"payment":"p9"}}
            """
        #expect(await shop.run("journal", "import", input: line).status == 0)
        // The newest payment stays.
        _ = try await shop.sold("20", "EUR", "--reference", "order-1")
        let before = try await shop.json("day", "--date", "2023-11-14")
        #expect(before["sums"]?.array?.count == 1 && before["lookedAt"]?["lack"]?.isNull == true, "\(before)")
        #expect(try await shop.json("journal", "prune", "--before", "2024-01-01")["payments"]?.int64 == 1)
        let after = try await shop.json("day", "--date", "2023-11-14", status: 1)
        let lack = after["lookedAt"]?["lack"]?.string
        #expect(lack?.contains("decided before 2024-01-01 were pruned") == true, "\(after)")
        let text = await shop.run("day", "--date", "2023-12-31")
        #expect(text.status == 1 && text.text.contains("were pruned"), "\(text.out)")
        let list = try await shop.json("list", "--from", "2023-01-01", "--to", "2023-12-31")
        #expect(list["lookedAt"]?["lack"]?.string == lack, "\(list)")
        let whole = try await shop.json("list", "--from", "2024-01-01")
        #expect(whole["lookedAt"]?["lack"]?.isNull == true, "\(whole)")
        let table = await shop.run("day", "--date", "2023-11-14", "--format", "csv")
        #expect(table.status == 1 && table.errors.contains { $0.contains("were pruned") }, "\(table.errors)")
        let later = try await shop.json("day", "--date", "2024-01-01")
        #expect(later["lookedAt"]?["lack"]?.isNull == true, "\(later)")
        let words = ["reconcile", "memory", "--from", "2023-11-01", "--to", "2023-11-30"]
        let books = await CommandRun.of(words + shop.place)
        #expect(books.text.contains("were pruned"), "\(books.text)")
    }

    @Test func day_attemptIsOpen_namesItApartAndInNoSum() async throws {
        let shop = try CommandShop()
        let noon = try await noon(shop)
        let id = try await shop.json("authorize", "10", "EUR", "--provider", "adyen", "--reference", "room-1")
        _ = try await shop.json("capture", id["payment"]?.string ?? "", "--attempt", "c-1", status: 6)
        let day = try await shop.json("day", "--date", noon.isoText, status: 6)
        #expect(day["open"]?.array?.compactMap { $0["attempt"]?.string } == ["c-1"])
        #expect(day["sums"]?.array?.compactMap { $0["kind"]?.string } == ["authorize"])
        let text = await shop.run("day", "--date", noon.isoText)
        #expect(text.text.contains("1 open; what may still move is in no sum:"), "\(text.out)")
        #expect(text.text.contains("attempt c-1"), "\(text.out)")
        let table = await shop.run("day", "--date", noon.isoText, "--format", "csv")
        #expect(table.out.count == 3 && table.out[2].hasSuffix(",c-1,"), "\(table.out)")
        #expect(table.out[0].hasSuffix(",open,apart"), "\(table.out)")
    }

    @Test func tables_haveOneRowEach_andNoFormulaFromOutside() async throws {
        let shop = try CommandShop()
        let noon = try await noon(shop)
        _ = try await shop.sold("5", "EUR", "--reference", "=1+1, \"x\"")
        _ = try await shop.sold("6", "EUR", "--reference", "order-2")
        let list = await shop.run("list", "--format", "csv")
        #expect(list.status == 0 && list.out.count == 3, "\(list.out)")
        #expect(list.out[0].hasPrefix("payment,begunAt,provider,environment,"))
        #expect(list.text.contains(",\"'=1+1, \"\"x\"\"\",5.00,"), "\(list.out)")
        let table = try CSVTable(Array((list.text + "\n").utf8))
        #expect(table.rows.map { $0["captured"] }.sorted() == ["5.00", "6.00"])
        let (from, to) = (try iso(noon, -1), try iso(noon, 1))
        let books = await shop.run("reconcile", "memory", "--from", from, "--to", to, "--format", "csv")
        #expect(books.status == 0 && books.out.count == 3, "\(books.out) \(books.errors)")
        #expect(books.out.dropFirst().allSatisfy { $0.hasPrefix("matched,") }, "\(books.out)")
        let refused = await shop.run("show", "order-2", "--format", "csv")
        #expect(refused.status == 2 && refused.errors.first?.contains("is for day, list, reconcile") == true)
    }

    /// Bytes of a zone's file: an hour ahead, and two from one moment to another one, then a rule.
    private func zoneFile(_ changes: [(at: Int64, kind: UInt8)], rule: String) -> [UInt8] {
        func bytes(_ number: Int64, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * (size - 1 - $0))) }
        }
        func block(_ size: Int, _ changes: [(at: Int64, kind: UInt8)]) -> [UInt8] {
            let counts = [0, 0, 0, changes.count, 2, 4].flatMap { bytes(Int64($0), 4) }
            let types = bytes(3_600, 4) + [0, 0] + bytes(7_200, 4) + [1, 0]
            return Array("TZif2".utf8) + Array(repeating: 0, count: 15) + counts
                + changes.flatMap { bytes($0.at, size) } + changes.map(\.kind) + types + Array("CET\0".utf8)
        }
        return block(4, []) + block(8, changes) + Array("\n\(rule)\n".utf8)
    }

    @Test func zone_ofAFile_changesWhenItSays() throws {
        let rule = "CET-1CEST,M3.5.0,M10.5.0/3"
        let file = zoneFile([(at: 1_774_746_000, kind: 1), (at: 1_792_890_000, kind: 0)], rule: rule)
        let zone = try #require(DayZone("Europe/Here", file: file))
        // 2026-03-29 01:00 UTC and 2026-10-25 01:00 UTC, first by the changes and a year later by the rule.
        for (second, offset) in [
            (1_774_745_999, 3_600), (1_774_746_000, 7_200), (1_792_889_999, 7_200), (1_792_890_000, 3_600),
            (1_806_195_599, 3_600), (1_806_195_600, 7_200), (1_824_944_399, 7_200), (1_824_944_400, 3_600),
        ] as [(Int64, Int64)] {
            #expect(zone.offset(at: second * 1_000) == offset, "\(second)")
        }
        // 23:30 UTC is the next day there.
        #expect(zone.day(of: 1_782_862_200_000)?.isoText == "2026-07-01")
        #expect(DayZone.universal.day(of: 1_782_862_200_000)?.isoText == "2026-06-30")
        #expect(DayZone.universal.day(of: -1)?.isoText == "1969-12-31")
        #expect(DayZone.universal.day(of: .max) == nil && zone.day(of: .min) == nil)
    }

    @Test func zone_southOfTheEquator_beginsTheYearInSummer() throws {
        let rule = try #require(ZoneRule("AEST-10AEDT,M10.1.0,M4.1.0/3"))
        #expect(rule.offset(at: 1_767_225_600) == 39_600 && rule.offset(at: 1_782_864_000) == 36_000)
        let plain = try #require(ZoneRule("<+0530>-5:30"))
        #expect(plain.offset(at: 0) == 19_800)
    }

    @Test func zone_brokenFileOrWord_isRefused() throws {
        let whole = zoneFile([(at: 1_774_746_000, kind: 1)], rule: "CET-1")
        for count in 0..<whole.count { #expect(DayZone("x", file: Array(whole.prefix(count))) == nil, "\(count)") }
        let random = SeededRandom(seed: 1)
        for _ in 0..<2_000 {
            var file = whole
            file[Int(random.next() % UInt64(file.count))] = UInt8(truncatingIfNeeded: random.next())
            _ = DayZone("x", file: file)?.offset(at: 1_790_000_000_000)
        }
        for text in ["Europe/../../etc/passwd", "/etc/passwd", "+25:00", "+2", "", ".hidden", "CET-1"] {
            #expect(throws: UsageError.self) { try DayZone(named: text) }
        }
        #expect(try DayZone(named: "-03:30").offset(at: 0) == -12_600)
        for rule in ["CET", "CET-1CEST", "CET-1CEST,M13.1.0,M10.5.0", "CET-1CEST,J60,J300", "C-1"] {
            #expect(ZoneRule(rule) == nil, "\(rule)")
        }
    }

    @Test func importOfATable_sourceAndDatesAsText_takesThePayments() async throws {
        let shop = try CommandShop()
        let head =
            "attempt,provider,adapter,environment,merchant,reference,amount,currency,takenAt,source,references.payment"
        let known = try await shop.json("providers")
        #expect(known["providers"]?.array?.isEmpty == false)
        func table(_ row: String) -> String { head + "\n" + row + "\n" }
        let good = table("old-1,memory,memory,sandbox,m-1,before,12.50,EUR,2026-01-21T19:58:55Z,reader,p-1")
        let run = await shop.run("journal", "import", input: good)
        #expect(run.status == 0 && run.text.contains("1 payment adopted"), "\(run.out) \(run.errors)")
        let list = try await shop.json("list")
        #expect(list["items"]?[0]?["source"]?.string == "reader")
        #expect(list["items"]?[0]?["amount"]?["value"]?.string == "12.50")
        // What an import says happened on the day that it names.
        let day = try await shop.json("day", "--date", "2026-01-21")
        #expect(
            day["sums"]?[0]?["moved"]?.string == "12.50" && day["sums"]?[0]?["reader"]?.string == "reader at memory")
        for (row, word) in [
            ("old-2,memory,memory,sandbox,m-1,r-2,12.505,EUR,2026-01-21T19:58:55Z,reader,p-2", "line 2: amount"),
            ("old-2,memory,memory,sandbox,m-1,r-2,12.50,EUR,21 January,reader,p-2", "row 1: takenAt is no moment"),
            (
                "old-2,memory,memory,sandbox,m-1,r-2,12.50,EUR,2026-01-21T19:58:55Z,magic,p-2",
                "row 1: source is none of"
            ),
            ("old-2,memory,memory,sandbox,m-1,r-2,12.50,EUR,2026-01-21T19:58:55Z,reader", "line 2 has 10 values"),
        ] {
            let refused = await shop.run("journal", "import", input: table(row))
            #expect(refused.status == 2 && refused.errors.first?.contains(word) == true, "\(refused.errors)")
        }
        let column = await shop.run("journal", "import", input: "atempt,provider\nx,y\n")
        #expect(column.errors.first?.contains("did you mean attempt?") == true, "\(column.errors)")
    }
}
