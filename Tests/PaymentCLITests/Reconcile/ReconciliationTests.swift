import Foundation
import PaymentAbstraction
import PaymentBase
import PaymentTestTill
import Testing

@testable import PaymentCLI

/// Our journal against the provider's books.
@Suite struct ReconciliationTests {
    @Test func ofTenThousandPaymentsExactlyTheTwentyFiveThatDifferAreFound() throws {
        let month = try ReconciledMonth()
        let elsewhere = [111, 2_222, 5_555, 7_777, 9_111], replies = [1_003, 4_004, 8_008],
            requests = [2_005, 3_006, 6_001]
        var accidents: [Int: ReconciledMonth.Accident] = [:]
        for number in elsewhere { accidents[number] = .elsewhere }
        for number in replies { accidents[number] = .replyLost }
        for number in requests { accidents[number] = .requestLost }
        try month.sell(10_000, accidents)
        var statement = try month.listed()
        #expect(statement.payments.count == 10_000 - requests.count)
        // What is planted in the statement: gone, over another amount, in another state, not booked yet.
        let gone = [10, 1_010, 2_010, 3_010, 4_010], amounts = [20, 1_020, 2_020, 3_020, 4_020]
        let states = [30, 1_030], late = [9_990, 9_995]
        func orders(_ numbers: [Int]) -> Set<String> { Set(numbers.map { "order-\($0)" }) }
        let hidden = orders(gone + late)
        statement = statement.without { hidden.contains($0.reference ?? "") }
        for index in statement.listings.indices {
            let reference = statement.listings[index].reference ?? ""
            if orders(amounts).contains(reference) { statement.listings[index].moved = .cents(1) }
            if orders(states).contains(reference) { statement.listings[index].state = .refused }
        }
        let found = try month.reconciled(statement, transit: ReconciledDays.day)
        func references(
            _ group: ReconciledItem.Group, _ proposal: ReconciledItem.Action,
            _ what: ReconciledItem.Difference? = nil
        ) -> Set<String> {
            let some = found.differences.filter { $0.group == group && $0.proposal == proposal && $0.what == what }
            return Set(some.compactMap(\.reference))
        }
        #expect(found.differences.count == 25)
        #expect(references(.onlyInStatement, .import) == orders(elsewhere))
        #expect(references(.differs, .recover, .state) == orders(replies))
        #expect(references(.onlyInJournal, .recover) == orders(requests))
        #expect(references(.onlyInJournal, .ask) == orders(gone))
        #expect(references(.differs, .ask, .amount) == orders(amounts))
        #expect(references(.differs, .ask, .state) == orders(states))
        #expect(references(.inTransit, .wait) == orders(late))
        #expect(!found.items.contains { $0.group == .notComparable && $0.isOpen })
        try found.expectIdentity()

        // Beside money that no attempt claims the statement proves of none that it never arrived.
        let tried = try month.concluded(by: found)
        #expect(tried.count == 3 && tried.allSatisfy { $0.refusal?.contains("claims") == true }, "\(tried)")
    }

    @Test func conclude_amongOtherDifferences_concludesWhatNeverArrived() throws {
        let month = try ReconciledMonth()
        let requests = [205, 306, 601]
        try month.sell(1_000, Dictionary(uniqueKeysWithValues: requests.map { ($0, .requestLost) }))
        var statement = try month.listed()
        statement = statement.without { ["order-110", "order-998"].contains($0.reference ?? "") }
        for index in statement.listings.indices {
            let reference = statement.listings[index].reference ?? ""
            if reference == "order-120" { statement.listings[index].moved = .cents(1) }
            if reference == "order-130" { statement.listings[index].state = .refused }
        }
        var found = try month.reconciled(statement, transit: ReconciledDays.day)
        #expect(found.differences.count == 7)
        let tried = try month.concluded(by: found)
        #expect(tried.count == 3 && tried.allSatisfy { $0.refusal == nil }, "\(tried.compactMap(\.refusal))")
        found = try month.reconciled(statement, transit: ReconciledDays.day)
        #expect(
            Set(found.differences.compactMap(\.reference)) == ["order-110", "order-998", "order-120", "order-130"])
    }

    /// The provider is asked for a list from the first day on; a report says nothing of the time before its first row.
    @Test(arguments: [
        (0, Statement.Kind.list, String?.none), (0, .accounting, "no rows from before it and from a day after it"),
        (39, .list, "no rows from before it and from a day after it"),
        (39, .accounting, "no rows from before it and from a day after it"),
    ])
    func conclude_attemptAtAnEndOfTheRows_isConcludedOnlyAtTheBeginningOfAList(
        _ lost: Int, _ kind: Statement.Kind, _ why: String?
    ) throws {
        let month = try ReconciledMonth()
        try month.sell(40, [lost: .requestLost])
        let statement = try month.listed().without(as: kind) { _ in false }
        let tried = try month.concluded(by: month.reconciled(statement))
        #expect(tried.count == 1, "\(tried)")
        if let why {
            #expect(tried.first?.refusal?.contains(why) == true, "\(tried)")
        } else {
            #expect(tried.first?.refusal == nil && tried.first?.witnesses.count == 1, "\(tried)")
        }
    }

    @Test func whatCouldBeTheMissingOneIsNeverConcludedAway() throws {
        let month = try ReconciledMonth()
        try month.sell(40, [20: .requestLost])
        func refusal(_ change: (inout Statement) -> Void) throws -> String? {
            var statement = try month.listed()
            change(&statement)
            return try month.concluded(by: month.reconciled(statement)).first?.refusal
        }
        let stranger = try refusal { statement in
            var like = statement.payments[3]
            (like.names, like.payment, like.reference) = (["mp-unknown"], "mp-unknown", "elsewhere")
            like.moved = .cents(7_000)
            statement.add(like, at: "item 99")
        }
        #expect(stranger?.contains("no attempt here claims") == true)
        let unread = try refusal { $0.refuse("line 3", "it is cut off") }
        #expect(unread?.contains("can't be read") == true)
        let alone = try refusal { $0 = $0.without { _ in true } }
        #expect(alone?.contains("no rows from before it") == true)
        // And with nothing in its way it is concluded, once.
        let plain = try month.concluded(by: month.reconciled(try month.listed()))
        #expect(plain.count == 1 && plain.first?.refusal == nil)
        #expect(try month.concluded(by: month.reconciled(try month.listed())).isEmpty)
    }

    /// Money that no attempt claims, none of it over the amount of the attempt that is missing.
    enum Unclaimed: CaseIterable {
        case part, more, sameReference, otherCurrency, held, unread, undated, refund, chargeback

        func add(to statement: inout Statement) throws {
            var row = statement.payments[3]
            (row.names, row.payment, row.reference, row.moved) = (["mp-unknown"], "mp-unknown", nil, .cents(3_500))
            switch self {
            case .part: break
            case .more: row.moved = .cents(7_700)
            case .sameReference: row.reference = "order-20"
            case .otherCurrency: row.moved = Money(minorUnits: 7_000, try Currency("USD"))
            case .held: (row.moved, row.held, row.state) = (nil, row.moved, .held)
            case .unread: row.state = .unread
            case .undated: row.at = nil
            case .refund, .chargeback:
                (row.subject, row.names, row.payment) = (self == .refund ? .refund : .chargeback, ["back-unknown"], nil)
            }
            statement.add(row, at: "item 99")
        }
    }

    @Test(arguments: Unclaimed.allCases)
    func conclude_moneyThatNoAttemptClaims_provesNothing(_ money: Unclaimed) throws {
        let month = try ReconciledMonth()
        try month.sell(40, [20: .requestLost])
        var statement = try month.listed()
        try money.add(to: &statement)
        let tried = try month.concluded(by: month.reconciled(statement))
        #expect(tried.map(\.attempt.attempt.text) == ["sale-20"])
        #expect(tried.first?.refusal?.contains("item 99") == true, "\(tried.map(\.refusal))")
    }

    @Test(arguments: ["sale-20", "order-20", "order-21"])
    func conclude_rowOfAnotherAccountCarriesAName_provesNothingOfThatAttempt(_ carried: String) throws {
        let month = try ReconciledMonth()
        try month.sell(40, [20: .requestLost])
        let rows = try month.listed().payments.filter { $0.state == .charged }.map { payment in
            let amount = try #require(payment.moved).decimalText
            return StatementFileTests.booked(
                try #require(payment.names.first), payment.reference ?? "", "SentForSettle", captured: amount)
        }
        let other = StatementFileTests.booked(
            "P99", carried, "SentForSettle", captured: "1.00", merchant: "AnotherShop")
        let text = ([StatementFileTests.accounting] + rows + [other]).joined(separator: "\n") + "\n"
        var statement = try AdyenReport.statement(
            Array(text.utf8), "report.csv", adapter: "adyen", merchant: "Shop")
        // Booked over the whole month, as they were sold.
        let pause = (ReconciledMonth.days.end - ReconciledMonth.days.start) / Int64(statement.listings.count)
        for index in statement.listings.indices {
            statement.listings[index].at = ReconciledMonth.days.start + Int64(index) * pause
        }
        let tried = try month.concluded(by: month.reconciled(statement))
        #expect(tried.map(\.attempt.attempt.text) == ["sale-20"])
        let refusal = tried.first?.refusal
        if carried == "order-21" { return #expect(refusal == nil, "\(String(describing: refusal))") }
        #expect(refusal?.contains("line \(rows.count + 2)") == true, "\(String(describing: refusal))")
        #expect(refusal?.contains("another merchant account") == true, "\(String(describing: refusal))")
    }

    @Test func secondChargeUnderOneName_isOnlyInTheStatement() throws {
        let month = try ReconciledMonth()
        try month.sell(3)
        var statement = try month.listed()
        statement.add(statement.payments[0], at: "item 9")
        let found = try month.reconciled(statement)
        #expect(found.differences.map(\.group) == [.onlyInStatement] && found.differences.first?.place == "item 9")
        try found.expectIdentity()
    }
}

/// Every row of a statement and every movement of the journal ends in exactly one group, and in the right one.
@Suite struct AccountingTests {
    /// Some deals as one statement and one journal, with where everything ends.
    private struct World {
        let maker: DealMaker
        var deals: [Deal]
        /// How rows are shuffled.
        let seed: UInt64

        func reconciled() throws -> (Reconciliation, rows: [ReconciledItem.Group]) {
            let random = SeededRandom(seed: seed)
            var rows = deals.flatMap(\.rows)
            for index in rows.indices.dropFirst() {
                rows.swapAt(index, Int(random.next() % UInt64(index + 1)))
            }
            let statement = try maker.statement(rows)
            let books = try OwnBooks(deals.flatMap(\.attempts), maker.account)
            let reconciliation = Reconciliation(
                books, statement, ReconciledMonth.days, transit: statement.kind.transitDays * ReconciledDays.day)
            return (reconciliation, rows.map(\.group))
        }

        /// What is wrong; nil if nothing is.
        func problem() throws -> String? {
            let (found, rows) = try reconciled()
            if let broken = found.brokenIdentity { return broken }
            for item in found.items {
                for row in item.rows where item.group != rows[row] {
                    return "\(found.statement.rows[row].place) is \(item.words) and should be \(rows[row].words)"
                }
                for number in item.movements {
                    let id = found.books.movements[number].attempt.text
                    let group = deals.lazy.compactMap { $0.groups[id] }.first
                    if item.group != group { return "\(id) is \(item.words) and should be \(group?.words ?? "absent")" }
                }
            }
            let count = deals.reduce(0) { $0 + $1.openCount }
            let open = found.items.count(where: \.isOpen)
            return open == count ? nil : "\(open) items have to be looked at and not \(count)"
        }

        /// The same with as few deals as show the problem.
        func shrunk() throws -> World {
            var world = self
            var index = 0
            while index < world.deals.count {
                var less = world
                less.deals.remove(at: index)
                if try less.problem() != nil { world = less } else { index += 1 }
            }
            return world
        }

        var text: String {
            deals.map { deal in
                let attempts = deal.attempts.map { "\($0.intent.operation) \($0.intent.attempt) \($0.intent.amount)" }
                let rows = deal.rows.map { row in
                    "  \(row.line)\(row.item.map { "\($0.state) \($0.references)" } ?? "") \(row.group)"
                }
                return (["\(deal.kind): \(attempts)"] + rows).joined(separator: "\n")
            }.joined(separator: "\n")
        }
    }

    private static func world(_ seed: UInt64) throws -> World {
        let random = SeededRandom(seed: seed)
        let shape = DealMaker.Shape.allCases[Int(random.next() % 4)]
        var maker = DealMaker(shape, random)
        var deals: [Deal] = []
        for _ in 0...maker.pick(12) {
            switch shape {
            case .accounting:
                deals.append(try maker.booked(BookedDeal.allCases[maker.pick(BookedDeal.allCases.count)]))
            case .settlement:
                deals.append(try maker.settled(SettledDeal.allCases[maker.pick(SettledDeal.allCases.count)]))
            case .rows, .totals:
                deals.append(try maker.listed(ListedDeal.allCases[maker.pick(ListedDeal.allCases.count)]))
            }
        }
        return World(maker: maker, deals: deals, seed: seed)
    }

    /// `RECONCILED_WORLDS=10000` plays as many, and `RECONCILED_SEED=N` begins with another one.
    @Test func randomBooks_everyRowAndMovement_endsInItsOneGroup() throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["RECONCILED_WORLDS"].flatMap { UInt64($0) } ?? 400
        let first = environment["RECONCILED_SEED"].flatMap { UInt64($0) } ?? 1
        for seed in first..<first + count {
            let world = try Self.world(seed)
            guard let problem = try world.problem() else { continue }
            let small = try world.shrunk()
            Issue.record("RECONCILED_SEED=\(seed): \(problem); \(try small.problem() ?? ""), with\n\(small.text)")
            return
        }
    }

    /// Each way alone, so that none is missed by chance.
    @Test func everyKindOfDeal_alone_endsInItsGroups() throws {
        var worlds: [World] = []
        for kind in BookedDeal.allCases {
            var maker = DealMaker(.accounting, SeededRandom(seed: 7))
            worlds.append(World(maker: maker, deals: [try maker.booked(kind)], seed: 7))
        }
        for kind in SettledDeal.allCases {
            var maker = DealMaker(.settlement, SeededRandom(seed: 7))
            worlds.append(World(maker: maker, deals: [try maker.settled(kind)], seed: 7))
        }
        for shape in [DealMaker.Shape.rows, .totals] {
            for kind in ListedDeal.allCases {
                var maker = DealMaker(shape, SeededRandom(seed: 7))
                worlds.append(World(maker: maker, deals: [try maker.listed(kind)], seed: 7))
            }
        }
        for world in worlds {
            let problem = try world.problem()
            #expect(problem == nil, "\(world.maker.shape): \(world.text)")
        }
    }

    @Test func fiftyDifferencesOfTwentyFiveKinds_amongAThousandPayments_areFoundAndNothingElse() throws {
        let kinds = Array(BookedDeal.planted.prefix(25))
        #expect(kinds.count == 25)
        var maker = DealMaker(.accounting, SeededRandom(seed: 25))
        var deals: [Deal] = []
        for number in 0..<1_000 {
            deals.append(try maker.booked(BookedDeal.agreeing[number % BookedDeal.agreeing.count]))
        }
        for kind in kinds + kinds { deals.insert(try maker.booked(kind), at: maker.pick(deals.count)) }
        let world = World(maker: maker, deals: deals, seed: 25)
        #expect(try world.problem() == nil)
        let (found, _) = try world.reconciled()
        #expect(found.items.count(where: \.isOpen) == 50)
        #expect(deals.reduce(0) { $0 + $1.openCount } == 50)
    }

    /// Twice as much takes twice as many steps, also where all of it is about one payment or in doubt.
    @Test(arguments: [BookedDeal.sale, .saleElsewhere, .refundUnknown, .doubtMissing, .doubtUnderItsReference])
    func steps_ofTwiceAsManyPayments_areTwiceAsMany(_ kind: BookedDeal) throws {
        func steps(_ count: Int) throws -> Int {
            var maker = DealMaker(.accounting, SeededRandom(seed: 3))
            var deals: [Deal] = []
            for _ in 0..<count { deals.append(try maker.booked(kind)) }
            return try World(maker: maker, deals: deals, seed: 3).reconciled().0.steps
        }
        let (once, twice) = (try steps(500), try steps(1_000))
        #expect(twice <= 2 * once + 20 && once >= 500, "\(once), then \(twice)")
    }
}

extension Reconciliation {
    /// What is wrong with the sums of the groups; nil if they are what was read.
    var brokenIdentity: String? {
        let rows = items.flatMap(\.rows)
        if rows.sorted() != Array(statement.rows.indices) { return "rows end not exactly once: \(rows.sorted())" }
        let movements = items.flatMap(\.movements)
        if Set(movements).count != movements.count { return "movements end more than once: \(movements.sorted())" }
        let missing = books.movements.indices.filter { number in
            let movement = books.movements[number]
            return movement.counts && days.contains(movement.begunAt) && !movements.contains(number)
        }
        if !missing.isEmpty { return "movements end nowhere: \(missing.map { books.movements[$0].attempt })" }
        var (groups, whole) = (ReconciledSum(), ReconciledSum())
        for item in items { groups.add(item, statement, books) }
        for row in statement.rows { whole.add(row) }
        for number in movements { whole.add(books.movements[number]) }
        return groups == whole ? nil : "the sums are \(groups) and not \(whole)"
    }

    func expectIdentity() throws { #expect(brokenIdentity == nil) }
}

/// What a statement proves of an attempt that it doesn't show, and of rows that say less than they seem to.
@Suite struct CoverageTests {
    private func month(_ accident: ReconciledMonth.Accident = .requestLost) throws -> ReconciledMonth {
        let month = try ReconciledMonth()
        try month.sell(60, [20: accident])
        return month
    }

    private func item(_ month: ReconciledMonth, _ statement: Statement, _ attempt: String) throws -> ReconciledItem {
        let found = try month.reconciled(statement).items.filter { $0.attempt?.text == attempt }
        return try #require(found.count == 1 ? found.first : nil, "\(found)")
    }

    /// The same rows as a report that was made for other days: what is in it was booked before, or long after.
    @Test(arguments: [1, 25] as [Int64])
    func conclude_rowsOfOtherDaysAlone_provesNothing(_ day: Int64) throws {
        let month = try month()
        let listed = try month.listed()
        var report = Statement(.accounting, "a report", lists: listed.lists.union([.chargeback]))
        for listing in listed.listings {
            var booked = listing
            booked.at = ReconciledMonth.days.start + day * ReconciledDays.day
            report.add(booked, at: "line \(report.rows.count + 2)")
        }
        let tried = try month.concluded(by: month.reconciled(report))
        #expect(tried.count == 1 && tried.first?.refusal?.contains("a day after it") == true, "\(tried)")
    }

    @Test func absentFromEmptyStatement_lookedUpInVain_isAskedAbout() throws {
        let month = try month()
        try month.noteLook(20)
        let nothing = try month.listed().without { _ in true }
        #expect(try item(month, nothing, "sale-20").proposal == .ask)
        #expect(try item(month, month.listed(), "sale-20").proposal == .resolve)
    }

    @Test func declinedHere_pendingThere_isADifference() throws {
        let month = try month(.none)
        var statement = try month.listed()
        #expect(try month.reconciled(statement).differences.isEmpty)
        for index in statement.listings.indices where statement.listings[index].reference == "order-49" {
            statement.listings[index].state = .pending
        }
        let found = try item(month, statement, "sale-49")
        #expect(found.group == .differs && found.what == .state, "\(found)")
    }

    @Test func rowOverAPartUnderADoubtfulReference_isNotImported() throws {
        let month = try month(.replyLost)
        var statement = try month.listed()
        for index in statement.listings.indices where statement.listings[index].reference == "order-20" {
            statement.listings[index].moved = .cents(1_000)
        }
        let found = try month.reconciled(statement).items.filter { $0.group == .onlyInStatement }
        #expect(found.count == 1 && found.first?.proposal == .ask && found.first?.line == nil, "\(found)")
    }

    @Test func rowWithoutReadableAmount_isNotMatched() throws {
        var statement = Statement.list(of: ProviderID(rawValue: "ni"), "ni")
        var row = PaymentDetails("SUCCESS", references: ["order": "o-1"])
        statement.add(row, "ni", "item 1")
        (row.amount, row.refunded) = (.cents(1_000), nil)
        statement.add(row, "ni", "item 2")
        row.refunded = .cents(0)
        statement.add(row, "ni", "item 3")
        #expect(statement.listings.map { $0.problem == nil } == [false, false, true])
    }

    @Test func nameFromOutside_isQuotedInTheLineToType() {
        #expect(Invocation.quoted("8815$(id)") == "'8815$(id)'")
        #expect(Invocation.quoted("8815-A") == "8815-A")
    }

    @Test func rowOfMoneyWithoutTheProvidersName_cannotBeRead() throws {
        let line = ReportLine.accounting("", "order-1", "Refunded", "5.00")
        let statement = try AdyenReport.statement(
            Array((ReportLine.accountingHead + line).utf8), "a.csv", adapter: "adyen", merchant: ReportLine.merchant)
        #expect(statement.outside.count == 1 && statement.outside.first?.isUnreadable == true)
    }
}

/// A line of Adyen's accounting report.
private enum ReportLine {
    static let merchant = "Shop"
    static let accountingHead =
        "Merchant Account,Psp Reference,Merchant Reference,Booking Date,TimeZone,Record Type,Payment Currency,"
        + "Received (PC),Authorised (PC),Captured (PC)\n"

    static func accounting(_ psp: String, _ reference: String, _ type: String, _ amount: String) -> String {
        "\(merchant),\(psp),\(reference),2026-01-05 10:00:00,UTC,\(type),EUR,,,\(amount)\n"
    }
}

/// What `payctl reconcile` proposes for an attempt in doubt.
@Suite struct ProposalTests {
    private func proposed(
        _ month: ReconciledMonth, _ change: (inout Statement) -> Void = { _ in }
    ) throws -> ReconciledItem {
        var statement = try month.listed()
        change(&statement)
        let found = try month.reconciled(statement).differences.filter { $0.attempt?.text == "sale-20" }
        return try #require(found.count == 1 ? found.first : nil, "\(found)")
    }

    private func addUnclaimed(to statement: inout Statement) {
        var row = statement.payments[3]
        (row.names, row.payment, row.reference, row.moved) = (["mp-unknown"], "mp-unknown", nil, .cents(4_200))
        statement.add(row, at: "item 99")
    }

    @Test func absent_neverLookedUp_isRecovered() throws {
        let month = try ReconciledMonth()
        try month.sell(40, [20: .requestLost])
        let found = try proposed(month)
        #expect(found.group == .onlyInJournal && found.proposal == .recover)
    }

    @Test func absent_lookedUpInVain_isResolvedOnlyBesideNoUnclaimedMoney() throws {
        let month = try ReconciledMonth()
        try month.sell(40, [20: .requestLost])
        try month.noteLook(20)
        let alone = try proposed(month)
        #expect(alone.group == .onlyInJournal && alone.proposal == .resolve && alone.name == nil)
        let beside = try proposed(month) { addUnclaimed(to: &$0) }
        #expect(beside.proposal == .ask && beside.because?.contains("item 99") == true, "\(beside)")
        let unread = try proposed(month) { $0.refuse("line 3", "it is cut off") }
        #expect(unread.proposal == .ask, "\(unread)")
    }

    @Test func sameReferenceAndAmount_lookedUpInVain_namesThatRow() throws {
        let month = try ReconciledMonth()
        try month.sell(40, [20: .replyLost])
        let row = try #require(try month.listed().payments.first { $0.reference == "order-20" })
        #expect(try proposed(month).proposal == .recover)
        try month.noteLook(20)
        let found = try proposed(month)
        #expect(found.proposal == .resolve && found.name != nil && found.name == row.names.first, "\(found)")
        // It is no longer the only row that could be it.
        let two = try proposed(month) { statement in
            var other = row
            (other.names, other.payment, other.moved) = (["mp-unknown"], "mp-unknown", .cents(1))
            statement.add(other, at: "item 99")
        }
        #expect(two.proposal == .recover, "\(two)")
        // It moved nothing there, as far as its word can be read.
        let pending = try proposed(month) { statement in
            for index in statement.listings.indices where statement.listings[index].reference == "order-20" {
                statement.listings[index].state = .pending
            }
        }
        #expect(pending.proposal == .recover, "\(pending)")
    }

    /// The same in every format, as a person types it.
    @Test func statementShowsUnclaimedMoney_lineToTypeNeverSaysNotMoved() async throws {
        let plain = try CommandShop()
        let text = try String(contentsOfFile: plain.path, encoding: .utf8)
        let merchant = "\"adapter\": \"arise\","
        let shop = try CommandShop(
            configuration: text.replacing(
                merchant,
                with: "\(merchant) \"settings\": { \"soleUser\": false, \"referenceEcho\": \"none\" },"))
        func fault(_ words: String...) async {
            _ = await CommandRun.of(["sandbox", "fault"] + words + ["--state", shop.state])
        }
        func silenceLookups() async {
            await fault(
                "status.503-before", "--provider", "arise", "--path", "/pay-api/v1/transactions", "--times", "60")
        }
        await fault("reply.lost", "--provider", "arise", "--path", "*/sale")
        await silenceLookups()
        let sale = await shop.run(
            "sale", "100", "USD", "--provider", "arise", "--source", "card", "--card", "visa", "--reference",
            "order-5", "--attempt", "doubt-1")
        #expect(sale.status == 3, "\(sale.errors)")
        await fault("--clear")

        /// What is proposed, after a look at every format.
        func proposal() async throws -> String? {
            let began = try await shop.json("show", "doubt-1")["begunAt"]?.string ?? ""
            let day = String(began.prefix(10))
            let formats = ["txt", "json", "html", "md", "xml"]
            let files = formats.map { "\(shop.folder)/books.\($0)" }
            let run = await CommandRun.of(
                ["reconcile", "arise", "--from", day, "--to", day] + shop.place + files.flatMap { ["--report", $0] })
            #expect(run.status == 1, "\(run.errors)")
            for file in files {
                let text = try String(contentsOfFile: file, encoding: .utf8)
                #expect(text.contains("doubt-1") && !text.contains("not-moved"), "\(file): \(text)")
            }
            let json = try JSONReader().read(Array(try Data(contentsOf: URL(filePath: files[1]))))
            return json["differences"]?.array?.first { $0["attempt"]?.string == "doubt-1" }?["proposal"]?.string
        }
        #expect(try await proposal() == "recover")
        // A look that the provider doesn't answer is none.
        await silenceLookups()
        #expect(await shop.run("recover").status == 3)
        await fault("--clear")
        #expect(try await proposal() == "recover")
        #expect(await shop.run("recover").status == 3)
        #expect(try await proposal() == "ask")
    }
}
