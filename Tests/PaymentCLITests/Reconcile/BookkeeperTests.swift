import PaymentBase
import PaymentDriverKit
import PaymentJournalKit
import PaymentModel
import PaymentTestTill
import Testing

@testable import PaymentCLI

/// What a bookkeeper reads: the days and the provider's reports, where something came later, twice or from elsewhere.
@Suite struct BookkeeperTests {
    private let maker = DealMaker(.accounting, SeededRandom(seed: 1))

    private func month(_ first: String, _ last: String) throws -> ReconciledDays {
        let (from, to) = (try #require(CalendarDate(iso: first)), try #require(CalendarDate(iso: last)))
        return try ReconciledDays(from, to)
    }

    private func found(
        _ attempts: [Attempt], _ rows: [Deal.Row], _ days: ReconciledDays = ReconciledMonth.days,
        by other: DealMaker? = nil
    ) throws -> Reconciliation {
        let maker = other ?? self.maker
        let found = Reconciliation(
            try OwnBooks(attempts, maker.account), try maker.statement(rows), days, transit: 0)
        try found.expectIdentity()
        return found
    }

    private func moved(_ date: String, _ attempts: [Attempt]) throws -> [String: Int128] {
        let date = try #require(CalendarDate(iso: date))
        let day = BookedDay(date, .universal, attempts, [""], isEveryScope: true, apart: { _ in nil })
        return day.sums.reduce(into: [:]) { $0["\($1.key.kind) \($1.key.currency)", default: 0] += $1.value.moved }
    }

    /// What the provider did on the payment a-1, as its message says it.
    ///
    /// - Parameter lifted: When it failed after all.
    private func movement(
        _ operation: PaymentOperation, _ amount: Money, _ name: String, happened: Int64, arrived: Int64? = nil,
        lifted: Int64? = nil, counted: Int64? = nil, by other: DealMaker? = nil
    ) throws -> Attempt {
        let (account, at) = ((other ?? maker).account, Attempt.Instant(wall: arrived ?? happened, uptime: 0))
        let (id, payment) = (try AttemptID("made-\(name)"), PaymentID(try AttemptID("a-1")))
        var made = Attempt(Attempt.Intent(id, operation, amount, payment: payment))
        var run = Attempt.Run(number: 1, account: account, owner: Attempt.Run.provider, begunAt: at, end: .provider)
        run.countedUpTo = counted
        made.apply(.run(run))
        let said = Attempt.Evidence.webhook(id: "w-1", providerTime: happened)
        made.apply(.report(.init(.verdict(.approved(Approval(amount))), said, run: 1, entry: 3, at: at)))
        made.apply(.named(.init(account: account, value: name, request: nil)))
        guard let lifted else { return made }
        let won = Verdict.declined(Decline(.failedAfterApproval, provider: ProviderMessage(code: "won")))
        let later = Attempt.Evidence.webhook(id: "w-2", providerTime: lifted)
        let then = Attempt.Instant(wall: lifted, uptime: 0)
        made.apply(.report(.init(.verdict(won), later, run: 1, entry: 4, at: then)))
        return made
    }

    /// The reversal of a chargeback comes weeks later, in a report of its own, and no message said it.
    @Test func chargebackReversedAlone_unknownHere_differs() throws {
        let sale = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", names: ["P1"], on: -30)
        let taken = try movement(.chargeback, .cents(1_000), "D1", happened: DealMaker.noon(-20))
        let rows = maker.booked("P1", "order-1", [("ChargebackReversed", .cents(1_000))], name: "D1", .differs)
        #expect(try found([sale, taken], rows).items.map(\.group) == [.differs])
    }

    /// The same, and the journal knows it.
    @Test func chargebackReversedAlone_knownHere_isMatched() throws {
        let sale = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", names: ["P1"], on: -30)
        let taken = try movement(
            .chargeback, .cents(1_000), "D1", happened: DealMaker.noon(-20), lifted: DealMaker.noon(9))
        let rows = maker.booked("P1", "order-1", [("ChargebackReversed", .cents(1_000))], name: "D1", .matched)
        #expect(try found([sale, taken], rows).items.map(\.group) == [.matched])
    }

    /// The same, and the report lacks the column of names.
    @Test func chargebackReversedWithoutItsName_knownHere_isMatched() throws {
        let sale = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", names: ["P1"], on: -30)
        let taken = try movement(
            .chargeback, .cents(1_000), "D1", happened: DealMaker.noon(-20), lifted: DealMaker.noon(9))
        let rows = maker.booked("P1", "order-1", [("ChargebackReversed", .cents(1_000))], .matched)
        let items = try found([sale, taken], rows).items
        #expect(items.map(\.group) == [.matched], "\(items.map(\.words))")
    }

    /// A nameless end in February is not about what had ended in January.
    @Test func secondChargebackReversedWithoutItsName_isNotTheOneOfAnEarlierMonth() throws {
        let sale = try maker.attempt("a-1", .sale, .cents(2_000), under: "order-1", names: ["P1"], on: -30)
        let taken = try movement(
            .chargeback, .cents(1_000), "D1", happened: DealMaker.noon(-20), lifted: DealMaker.noon(-10))
        let rows = maker.booked("P1", "order-1", [("ChargebackReversed", .cents(1_000))], .differs)
        let items = try found([sale, taken], rows).items
        #expect(!items.contains { $0.group == .matched }, "\(items.map(\.words))")
    }

    private static let endsLater = [(PaymentOperation.chargeback, "Chargeback"), (.refund, "SentForRefund")]

    /// The dispute is won, or the refund fails, in the month after the report's.
    @Test(arguments: endsLater) func movementThatEndsAfterTheReportedDays_isMatched(
        _ operation: PaymentOperation, _ type: String
    ) throws {
        let sale = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", names: ["P1"])
        let back = try movement(
            operation, .cents(400), "M1", happened: DealMaker.noon(10), lifted: DealMaker.noon(40))
        let rows =
            maker.booked("P1", "order-1", [("SentForSettle", .cents(1_000))], .matched)
            + maker.booked("P1", "order-1", [(type, .cents(400))], name: "M1", .matched)
        let items = try found([sale, back], rows).items
        #expect(items.allSatisfy { $0.group == .matched }, "\(items.map(\.words))")
    }

    /// The report of the month lacks it.
    @Test(arguments: endsLater) func movementThatEndsAfterTheReportedDays_missingThere_isADifference(
        _ operation: PaymentOperation, _ type: String
    ) throws {
        let sale = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", names: ["P1"])
        let back = try movement(
            operation, .cents(400), "M1", happened: DealMaker.noon(10), lifted: DealMaker.noon(40))
        let rows = maker.booked("P1", "order-1", [("SentForSettle", .cents(1_000))], .matched)
        let items = try found([sale, back], rows).items
        #expect(items.contains { $0.group == .onlyInJournal }, "\(items.map(\.words)) without \(type)")
    }

    /// This account executed it on the 10th, and another one on the 20th.
    private func saleAtTwoAccounts(_ other: DealMaker) throws -> Attempt {
        var intent = Attempt.Intent(try AttemptID("a-1"), .sale, .cents(1_000), reference: "order-1")
        intent.source = .card
        var sale = Attempt(intent)
        for (run, account, name) in [(1, maker.account, "P1"), (2, other.account, "T1")] {
            let at = Attempt.Instant(wall: DealMaker.noon(10 * run), uptime: 0)
            sale.apply(.run(.init(number: run, account: account, owner: "till", begunAt: at)))
            sale.apply(.request(.init(number: run, run: run, key: nil, sendLimit: 1_000, openedAt: at)))
            sale.apply(.closed(request: run, .answered, at: at))
            let verdict = Verdict.approved(Approval(.cents(1_000)))
            sale.apply(.report(.init(.verdict(verdict), .reply, run: run, request: run, entry: run + 1, at: at)))
            sale.apply(.named(.init(account: account, value: name, request: run)))
            sale.apply(.ended(run: run, .owner, at: at))
        }
        return sale
    }

    @Test func saleThatTwoAccountsTook_isComparedAtEach() throws {
        let other = DealMaker(.rows, SeededRandom(seed: 1))
        let sale = try saleAtTwoAccounts(other)
        let here = maker.booked("P1", "order-1", [("SentForSettle", .cents(1_000))], .matched)
        #expect(try found([sale], here).items.map(\.group) == [.matched])
        let there = other.listed("T1", "order-1", "Captured", .cents(1_000), captured: .cents(1_000), .matched)
        #expect(try found([sale], there, by: other).items.map(\.group) == [.matched])
        #expect(try found([sale], [], by: other).items.map(\.group) == [.onlyInJournal])
    }

    /// The second account's refund is about the part that this account took.
    @Test func refundOfASaleThatTwoAccountsTook_isComparedAtItsOwn() throws {
        let other = DealMaker(.rows, SeededRandom(seed: 1))
        let sale = try saleAtTwoAccounts(other)
        let back = try other.attempt("r-1", .refund, .cents(400), under: "order-1", of: "a-1", names: ["R1"], on: 21)
        let rows =
            other.listed("T1", "order-1", "Captured", .cents(1_000), captured: .cents(1_000), .matched)
            + other.listed("R1", "", "Captured", .cents(400), kind: "refund", of: "T1", .matched)
        let items = try found([sale, back], rows, by: other).items
        #expect(items.count == 2 && items.allSatisfy { $0.group == .matched }, "\(items.map(\.words))")
    }

    @Test(arguments: [("2026-01-10", "card at adyen"), ("2026-01-20", "card at arise")])
    func saleThatTwoAccountsTook_isCountedAtEach_onItsDay(_ date: String, _ reader: String) throws {
        let sale = try saleAtTwoAccounts(DealMaker(.rows, SeededRandom(seed: 1)))
        let day = BookedDay(
            try #require(CalendarDate(iso: date)), .universal, [sale], [""], isEveryScope: true, apart: { _ in nil })
        let sums = day.sums.map { "\($0.key.reader): \($0.value.count), \($0.value.moved)" }
        #expect(sums == ["\(reader): 1, 1000"])
    }

    /// A refund without an original names a payment that another account took.
    @Test func unlinkedRefund_ofAPaymentOfAnotherAccount_isCompared() throws {
        let arise = DealMaker(.rows, SeededRandom(seed: 1))
        let sale = try arise.attempt("a-1", .sale, .cents(1_000), under: "order-1", names: ["T1"])
        let back = try maker.attempt(
            "u-1", .unlinkedRefund, .cents(1_000), under: "return-1", of: "a-1", names: ["R1"])
        let rows = maker.booked("R1", "return-1", [("SentForRefund", .cents(1_000))], name: "R1", .matched)
        #expect(try found([sale, back], rows).items.map(\.group) == [.matched])
    }

    /// To the provider it is a payment of its own.
    @Test func unlinkedRefund_ofThatAccountsPayment_isComparedOnItsOwn() throws {
        let memory = DealMaker(.totals, SeededRandom(seed: 1))
        let sale = try memory.attempt("a-1", .sale, .cents(1_000), under: "order-1", names: ["P1"])
        let back = try memory.attempt(
            "u-1", .unlinkedRefund, .cents(600), under: "return-1", of: "a-1", names: ["R1"])
        let (none, ten, six) = (Money.cents(0), Money.cents(1_000), Money.cents(600))
        let rows =
            memory.listed("P1", "order-1", "approved", none, captured: ten, refunded: none, .matched)
            + memory.listed("R1", "return-1", "approved", six, captured: none, refunded: six, kind: "refund", .matched)
        #expect(try found([sale, back], rows, by: memory).items.allSatisfy { $0.group == .matched })
    }

    /// A settlement has what was paid out: a refund that it lacks may be in the next one.
    @Test func lineOfASettlement_doesNotSpeakForWhatIsPaidOutLater() throws {
        let settled = DealMaker(.settlement, SeededRandom(seed: 1))
        let rows =
            settled.settled("P1", "order-1", "Settled", .cents(1_000), name: "M1", .onlyInStatement)
            + settled.settled("P1", "order-1", "Refunded", .cents(200), name: "R1", .onlyInStatement)
        let items = try found([], rows, by: settled).items
        #expect(items.allSatisfy { $0.line?["holdsUntil"] == nil }, "\(items.compactMap(\.line))")
    }

    /// The message said 600 JPY of a payment in EUR, and a person says that it was 5.00 EUR.
    @Test func refundInAnotherCurrency_isAddedInThePaymentsCurrency() throws {
        let sale = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", names: ["P1"])
        var back = try movement(.refund, Money(minorUnits: 600, .jpy), "R1", happened: DealMaker.noon(10))
        back.apply(.acknowledged(.amount(.cents(500)), at: Attempt.Instant(wall: DealMaker.noon(10), uptime: 0)))
        #expect(try moved("2026-01-10", [sale, back]) == ["sale EUR": 1_000, "refund EUR": -500])
        let rows =
            maker.booked("P1", "order-1", [("SentForSettle", .cents(1_000))], .matched)
            + maker.booked("P1", "order-1", [("SentForRefund", .cents(500))], name: "R1", .matched)
        #expect(try found([sale, back], rows).items.allSatisfy { $0.group == .matched })
    }

    /// It happens half an hour before the month ends, and its message comes ten minutes after.
    @Test func chargebackReportedAfterMidnight_isOfTheDayItHappened() throws {
        let end = ReconciledMonth.days.end
        let sale = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", names: ["P1"])
        let taken = try movement(.chargeback, .cents(1_000), "D1", happened: end - 1_800_000, arrived: end + 600_000)
        #expect(try moved("2026-01-31", [sale, taken]) == ["chargeback EUR": -1_000])
        #expect(try found([sale, taken], [], try month("2026-02-01", "2026-02-28")).items.isEmpty)
    }

    /// Its first run sends nothing on the 10th; the second is approved on the 12th.
    @Test func saleThatRanAgain_isOfTheDayItWasTaken() throws {
        var intent = Attempt.Intent(try AttemptID("a-1"), .sale, .cents(1_000), reference: "order-1")
        intent.source = .card
        var sale = Attempt(intent)
        for (run, day) in [(1, 10), (2, 12)] {
            let at = Attempt.Instant(wall: DealMaker.noon(day), uptime: 0)
            sale.apply(.run(.init(number: run, account: maker.account, owner: "till", begunAt: at)))
            sale.apply(.request(.init(number: run, run: run, key: nil, sendLimit: 1_000, openedAt: at)))
            sale.apply(.closed(request: run, run == 1 ? .notSent : .answered, at: at))
            if run == 2 {
                let verdict = Verdict.approved(Approval(.cents(1_000)))
                sale.apply(.report(.init(.verdict(verdict), .reply, run: 2, request: 2, entry: 5, at: at)))
            }
            sale.apply(.ended(run: run, .owner, at: at))
        }
        #expect(try moved("2026-01-12", [sale]) == ["sale EUR": 1_000])
        #expect(try found([sale], [], try month("2026-01-10", "2026-01-10")).items.isEmpty)
    }

    /// It is asked for on the 10th and only received; the provider's message of the 12th decides it.
    @Test func refundThatWasPending_isOfTheDayItWasDecided() throws {
        let sale = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", names: ["P1"], on: 9)
        var back = try maker.attempt(
            "a-2", .refund, .cents(500), under: "r", of: "a-1", names: ["R1"], on: 10, .pending)
        let said = Attempt.Evidence.webhook(id: "w-1", providerTime: DealMaker.noon(12))
        let at = Attempt.Instant(wall: DealMaker.noon(12), uptime: 0)
        let decided = Verdict.approved(Approval(.cents(500)))
        back.apply(.report(.init(.verdict(decided), said, run: 1, request: 1, entry: 4, at: at)))
        #expect(try moved("2026-01-10", [sale, back]).isEmpty)
        #expect(try moved("2026-01-12", [sale, back]) == ["refund EUR": -500])
    }

    /// The bank takes the money, and the dispute is won a week later: both days have it, and the first one never changes.
    @Test func chargebackThatIsWonLater_isBackOnTheDayOfThat() throws {
        let sale = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", names: ["P1"], on: 10)
        let taken = try movement(
            .chargeback, .cents(1_000), "D1", happened: DealMaker.noon(12), lifted: DealMaker.noon(20))
        #expect(try moved("2026-01-10", [sale, taken]) == ["sale EUR": 1_000])
        #expect(try moved("2026-01-12", [sale, taken]) == ["chargeback EUR": -1_000])
        #expect(try moved("2026-01-20", [sale, taken]) == ["chargeback EUR": 1_000])
    }

    /// The bank returns a debit, and says so twice: the first time counts, at the books of the day and at the provider's.
    @Test(arguments: [PaymentOperation.sale, .authorize])
    func paymentThatFailsLater_isBackOnTheDayOfThat_once(_ operation: PaymentOperation) throws {
        var sale = try maker.attempt("a-1", operation, .cents(1_000), under: "order-1", names: ["P1"], on: 10)
        let failed = Verdict.declined(Decline(.failedAfterApproval, provider: ProviderMessage(code: "79")))
        for (entry, day) in [(3, 20), (4, 25)] {
            let at = Attempt.Instant(wall: DealMaker.noon(day), uptime: 0)
            let said = Attempt.Evidence.webhook(id: "w-\(entry)", providerTime: at.wall)
            sale.apply(.report(.init(.verdict(failed), said, run: 1, request: 1, entry: entry, at: at)))
        }
        func sums(_ date: String) throws -> [Int128] {
            let date = try #require(CalendarDate(iso: date))
            let day = BookedDay(date, .universal, [sale], [""], isEveryScope: true, apart: { _ in nil })
            return day.sums.values.map { $0.moved + $0.held }
        }
        #expect(sale.state == .reversed)
        #expect(try sums("2026-01-10") == [1_000] && sums("2026-01-20") == [-1_000] && sums("2026-01-25").isEmpty)
        #expect(OwnMovement.ended(sale, at: maker.account)?.at == DealMaker.noon(20))
    }

    /// A device approved it, and has not forwarded it: it is in the sums, and the day says that it may go back.
    @Test func saleApprovedOffline_isInTheSums_andNamedByItsDay() throws {
        let doubt = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", .pending)
        var approval = Approval(.cents(1_000))
        approval.isOffline = true
        var sale = doubt
        let at = Attempt.Instant(wall: DealMaker.noon(10), uptime: 0)
        sale.apply(.report(.init(.verdict(.approved(approval)), .reply, run: 1, request: 1, entry: 3, at: at)))
        let day = BookedDay(
            try #require(CalendarDate(iso: "2026-01-10")), .universal, [sale], [""], isEveryScope: true,
            apart: { _ in nil })
        #expect(day.sums.values.map(\.moved) == [1_000])
        #expect(day.mayGoBack.map(\.intent.attempt.text) == ["a-1"] && day.open.isEmpty)
        #expect(day.mayGoBackWords?.hasPrefix("1 in the sums may still go back") == true)
    }

    /// One of its runs captured, and another one may have, too: its day has the one, and all of that can be refunded.
    @Test func captureOfWhichAnotherRunIsInDoubt_isInItsDayOnce_andCanBeRefunded() throws {
        let hold = try maker.attempt("a-1", .authorize, .cents(1_000), under: "order-1", names: ["P1"], on: 9)
        var part = try maker.attempt("a-2", .capture, .cents(400), under: "c", of: "a-1", on: 10, .doubt)
        let at = Attempt.Instant(wall: DealMaker.noon(10), uptime: 0)
        part.apply(.run(.init(number: 2, account: maker.account, owner: "till", begunAt: at)))
        part.apply(.request(.init(number: 2, run: 2, key: nil, sendLimit: 1_000, openedAt: at)))
        part.apply(.closed(request: 2, .lost, at: at))
        part.apply(.ended(run: 2, .owner, at: at))
        let said = Attempt.Evidence.webhook(id: "w-1", providerTime: DealMaker.noon(10))
        let approved = Verdict.approved(Approval(.cents(400)))
        part.apply(.report(.init(.verdict(approved), said, run: 1, request: 1, entry: 4, at: at)))
        let amounts = PaymentRecord([hold, part]).amounts
        #expect(amounts.captured == .cents(400) && amounts.inDoubt == .cents(400), "\(amounts)")
        #expect(amounts.capturable == .cents(200) && amounts.refundable == .cents(400), "\(amounts)")
        let day = BookedDay(
            try #require(CalendarDate(iso: "2026-01-10")), .universal, [hold, part], [""], isEveryScope: true,
            apart: { _ in nil })
        #expect(day.sums.values.map(\.held) == [-400], "\(day.sums)")
        #expect(day.open.map(\.intent.attempt.text) == ["a-2"])
    }

    /// The import says the sum of what was refunded, and a message that was kept names the refund.
    @Test(arguments: [nil, 300] as [Int64?]) func refundOfAnImport_namedByAKeptMessage_isOneMovement(_ more: Int64?)
        throws
    {
        let at = Attempt.Instant(wall: DealMaker.noon(20), uptime: 0)
        func imported(_ intent: Attempt.Intent, _ name: String?) -> Attempt {
            var made = Attempt(intent)
            made.apply(.run(.init(number: 1, account: maker.account, owner: "import", begunAt: at, end: .imported)))
            let verdict = Verdict.approved(Approval(intent.amount))
            let evidence = Attempt.Evidence.imported(saidAt: DealMaker.noon(15))
            made.apply(.report(.init(.verdict(verdict), evidence, run: 1, entry: 1, at: at)))
            if let name { made.apply(.named(.init(account: maker.account, value: name, request: nil))) }
            return made
        }
        let id = try AttemptID("a-1")
        let sale = imported(.init(id, .sale, .cents(1_000), reference: "order-1"), "P1")
        let sum = imported(
            .init(try AttemptID("sum-1"), .refund, .cents(200 + (more ?? 0)), payment: PaymentID(id)), nil)
        let named = try movement(
            .refund, .cents(200), "R1", happened: DealMaker.noon(10), arrived: DealMaker.noon(20),
            counted: DealMaker.noon(15))
        var rows =
            maker.booked("P1", "order-1", [("SentForSettle", .cents(1_000))], .matched)
            + maker.booked("P1", "order-1", [("SentForRefund", .cents(200))], name: "R1", .matched)
        if let more {
            rows += maker.booked("P1", "order-1", [("SentForRefund", .cents(more))], name: "R2", .matched)
        }
        let items = try found([sale, sum, named], rows).items
        #expect(items.allSatisfy { $0.group == .matched }, "\(items.map(\.words))")
    }

    /// The report of a month knows nothing of the next one.
    @Test func voidAfterTheReportedDays_changesNothingInThem() throws {
        let sale = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", names: ["P1"], on: 10)
        let void = try maker.attempt(
            "a-1-v", .void, .cents(1_000), under: "order-1", of: "a-1", names: ["V1"], on: 33)
        let rows = maker.booked(
            "P1", "order-1", [("Authorised", .cents(1_000)), ("SentForSettle", .cents(1_000))], .matched)
        #expect(try found([sale, void], rows).items.map(\.group) == [.matched])
    }

    /// The report lacks the column of names.
    @Test func chargebackWithoutItsName_isTheOneOfTheMessage() throws {
        let sale = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", names: ["P1"])
        let taken = try movement(.chargeback, .cents(400), "D1", happened: DealMaker.noon(10))
        let rows =
            maker.booked("P1", "order-1", [("SentForSettle", .cents(1_000))], .matched)
            + maker.booked("P1", "order-1", [("Chargeback", .cents(400))], .matched)
        #expect(try found([sale, taken], rows).items.allSatisfy { $0.group == .matched })
    }

    /// The provider carries the void out as a refund, and the report lacks the column of names.
    @Test func voidAsRefundWithoutItsName_isMatched() throws {
        let sale = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", names: ["P1"])
        let void = try maker.attempt("a-1-v", .void, .cents(1_000), under: "order-1", of: "a-1", names: ["V1"])
        let rows =
            maker.booked("P1", "order-1", [("SentForSettle", .cents(1_000))], .matched)
            + maker.booked("P1", "order-1", [("SentForRefund", .cents(1_000))], .matched)
        #expect(try found([sale, void], rows).items.allSatisfy { $0.group == .matched })
    }

    /// The list has what was refunded, and no chargebacks.
    @Test func chargebackBesideAListWithRefundTotals_leavesTheSaleMatched() throws {
        let memory = DealMaker(.totals, SeededRandom(seed: 1))
        let sale = try memory.attempt("a-1", .sale, .cents(1_000), under: "order-1", names: ["P1"])
        let taken = try movement(.chargeback, .cents(400), "D1", happened: DealMaker.noon(10), by: memory)
        let rows = memory.listed(
            "P1", "order-1", "approved", .cents(0), captured: .cents(1_000), refunded: .cents(0), .matched)
        let items = try found([sale, taken], rows, by: memory).items
        #expect(items.first { !$0.rows.isEmpty }?.group == .matched, "\(items.map(\.words))")
    }

    /// The first run is approved late, and the second one is still in doubt.
    @Test func approvedSaleWhoseOtherRunIsInDoubt_isOpen() throws {
        var sale = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", .doubt)
        let at = Attempt.Instant(wall: DealMaker.noon(10), uptime: 0)
        let no = Attempt.Evidence.person(by: "Ann", reason: "The slip says so.", known: 1)
        sale.apply(.report(.init(.notExecuted, no, run: 1, entry: 2, at: at)))
        sale.apply(.run(.init(number: 2, account: maker.account, owner: "till", begunAt: at)))
        sale.apply(.request(.init(number: 2, run: 2, key: nil, sendLimit: 1_000, openedAt: at)))
        sale.apply(.closed(request: 2, .lost, at: at))
        sale.apply(.ended(run: 2, .owner, at: at))
        let late = Attempt.Evidence.webhook(id: "w-1", providerTime: at.wall)
        let approval = Verdict.approved(Approval(.cents(1_000)))
        sale.apply(.report(.init(.verdict(approval), late, run: 1, request: 1, entry: 4, at: at)))
        #expect(sale.state == .approved)
        let date = try #require(CalendarDate(iso: "2026-01-10"))
        let day = BookedDay(date, .universal, [sale], [""], isEveryScope: true, apart: { _ in nil })
        #expect(day.open.map(\.intent.attempt.text) == ["a-1"])
    }

    /// A refund without an original moved 5.00, and was voided.
    @Test func unlinkedRefundThatWasVoided_movesNothing() throws {
        let back = try maker.attempt("u-1", .unlinkedRefund, .cents(500), under: "return-1", names: ["R1"])
        let void = try maker.attempt("u-2", .void, .cents(500), under: "return-1", of: "u-1", names: ["V1"])
        let sums = try moved("2026-01-10", [back, void])
        #expect(sums.values.reduce(0, +) == 0, "\(sums)")
    }

    /// The first run is pending, after a person called it not executed and the second one was declined.
    @Test func saleWhoseFirstRunIsPendingAfterAll_isOpenOnItsDay() throws {
        var sale = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", on: 10, .doubt)
        func at(_ day: Int) -> Attempt.Instant { Attempt.Instant(wall: DealMaker.noon(day), uptime: 0) }
        let no = Attempt.Evidence.person(by: "Ann", reason: "The slip says so.", known: 1)
        sale.apply(.report(.init(.notExecuted, no, run: 1, entry: 2, at: at(11))))
        sale.apply(.run(.init(number: 2, account: maker.account, owner: "till", begunAt: at(12))))
        sale.apply(.request(.init(number: 2, run: 2, key: nil, sendLimit: 1_000, openedAt: at(12))))
        sale.apply(.closed(request: 2, .answered, at: at(12)))
        let declined = Verdict.declined(Decline(.doNotHonor, provider: ProviderMessage(code: "05")))
        sale.apply(.report(.init(.verdict(declined), .reply, run: 2, request: 2, entry: 4, at: at(12))))
        sale.apply(.ended(run: 2, .owner, at: at(12)))
        let said = Attempt.Evidence.webhook(id: "w-1", providerTime: DealMaker.noon(13))
        sale.apply(
            .report(
                .init(.verdict(.pending(Pending(shouldPoll: false))), said, run: 1, request: 1, entry: 5, at: at(13))))
        let day = BookedDay(
            try #require(CalendarDate(iso: "2026-01-10")), .universal, [sale], [""], isEveryScope: true,
            apart: { _ in nil })
        #expect(day.open.map(\.intent.attempt.text) == ["a-1"])
    }

    /// The sale is in the report of the month before.
    @Test(arguments: [[1_000, 1_000], [400]] as [[Int64]]) func voidAsRefundOfAnotherAmount_differs(_ cents: [Int64])
        throws
    {
        let sale = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", names: ["P1"], on: -30)
        let void = try maker.attempt("a-1-v", .void, .cents(1_000), under: "order-1", of: "a-1", names: ["V1"])
        let types = cents.map { ("SentForRefund", Money.cents($0)) }
        let items = try found([sale, void], maker.booked("P1", "order-1", types, .differs)).items
        #expect(!items.contains { $0.group == .matched }, "\(items.map(\.words))")
    }

    /// The bank took as much once more, and no message said it.
    @Test func secondChargebackWithoutItsName_isNotTheOneOfAnEarlierMonth() throws {
        let sale = try maker.attempt("a-1", .sale, .cents(2_000), under: "order-1", names: ["P1"], on: -30)
        let taken = try movement(.chargeback, .cents(1_000), "D1", happened: DealMaker.noon(-10))
        let rows = maker.booked("P1", "order-1", [("Chargeback", .cents(1_000))], .differs)
        let items = try found([sale, taken], rows).items
        #expect(!items.contains { $0.group == .matched }, "\(items.map(\.words))")
    }

    /// What failed before the import's list was made is not in the sum that it says.
    @Test(arguments: [200, 500] as [Int64]) func refundThatHadFailedBeforeTheImport_takesNothingOffItsSum(
        _ failed: Int64
    ) throws {
        let at = Attempt.Instant(wall: DealMaker.noon(20), uptime: 0)
        func imported(_ intent: Attempt.Intent, _ name: String?) -> Attempt {
            var made = Attempt(intent)
            made.apply(.run(.init(number: 1, account: maker.account, owner: "import", begunAt: at, end: .imported)))
            let verdict = Verdict.approved(Approval(intent.amount))
            let evidence = Attempt.Evidence.imported(saidAt: DealMaker.noon(15))
            made.apply(.report(.init(.verdict(verdict), evidence, run: 1, entry: 1, at: at)))
            if let name { made.apply(.named(.init(account: maker.account, value: name, request: nil))) }
            return made
        }
        let id = try AttemptID("a-1")
        let sale = imported(.init(id, .sale, .cents(1_000), reference: "order-1"), "P1")
        let sum = imported(.init(try AttemptID("sum-1"), .refund, .cents(500), payment: PaymentID(id)), nil)
        let gone = try movement(
            .refund, .cents(failed), "R1", happened: DealMaker.noon(10), arrived: DealMaker.noon(20),
            lifted: DealMaker.noon(12), counted: DealMaker.noon(15))
        let rows =
            maker.booked("P1", "order-1", [("SentForSettle", .cents(1_000))], .matched)
            + maker.booked("P1", "order-1", [("SentForRefund", .cents(500))], name: "R2", .matched)
        let items = try found([sale, sum, gone], rows).items
        #expect(items.allSatisfy { $0.group == .matched }, "\(items.map(\.words))")
    }

    /// The import had counted it, and it fails afterwards: the days have it back as the payment has, whichever came first, and
    /// whether or not a message said that it had succeeded.
    @Test(arguments: [false, true]) func refundThatFailsAfterTheImportCountedIt_isBackInTheDays(
        _ wasSaidToSucceed: Bool
    ) throws {
        let at = Attempt.Instant(wall: DealMaker.noon(20), uptime: 0)
        func imported(_ intent: Attempt.Intent) -> Attempt {
            var made = Attempt(intent)
            made.apply(.run(.init(number: 1, account: maker.account, owner: "import", begunAt: at, end: .imported)))
            let verdict = Verdict.approved(Approval(intent.amount))
            let evidence = Attempt.Evidence.imported(saidAt: DealMaker.noon(15))
            made.apply(.report(.init(.verdict(verdict), evidence, run: 1, entry: 1, at: at)))
            return made
        }
        let id = try AttemptID("a-1")
        let sale = imported(.init(id, .sale, .cents(1_000), reference: "order-1"))
        let sum = imported(.init(try AttemptID("sum-1"), .refund, .cents(500), payment: PaymentID(id)))
        var gone = try movement(
            .refund, .cents(500), "R1", happened: DealMaker.noon(10), arrived: DealMaker.noon(20),
            lifted: DealMaker.noon(18), counted: DealMaker.noon(15))
        if !wasSaidToSucceed {
            let whole = gone
            gone = Attempt(whole.intent)
            for run in whole.runs { gone.apply(.run(run)) }
            for report in whole.reports.dropFirst() { gone.apply(.report(report)) }
        }
        let right = PaymentTotals([sale, sum, gone], currency: .eur).amounts
        #expect(right.captured == .cents(1_000) && right.refunded.isZero, "\(right)")
        #expect(PaymentTotals([sale, gone, sum], currency: .eur).amounts == right)
        var all: Int128 = 0
        for day in 1...31 {
            let sums = try moved("2026-01-\(day < 10 ? "0" : "")\(day)", [sale, sum, gone])
            all += sums.values.reduce(0, +)
        }
        #expect(all == 1_000)
    }

    /// The provider voids it on the last day, and a message without a time arrives a day later.
    @Test func voidWhoseMessageHasNoTime_isOfTheReportThatShowsIt() throws {
        let sale = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", names: ["P1"], on: 10)
        let (arrived, payment) = (Attempt.Instant(wall: DealMaker.noon(33), uptime: 0), PaymentID(try AttemptID("a-1")))
        var void = Attempt(.init(try AttemptID("made-V1"), .void, .cents(1_000), payment: payment))
        void.apply(
            .run(
                .init(number: 1, account: maker.account, owner: Attempt.Run.provider, begunAt: arrived, end: .provider))
        )
        let said = Attempt.Evidence.webhook(id: "w-1", providerTime: nil)
        let verdict = Verdict.approved(Approval(.cents(1_000)))
        void.apply(.report(.init(.verdict(verdict), said, run: 1, entry: 3, at: arrived)))
        let rows = maker.booked(
            "P1", "order-1", [("Authorised", .cents(1_000)), ("Cancelled", .cents(1_000))], .matched)
        #expect(try found([sale, void], rows).items.map(\.group) == [.matched])
    }

    /// Both accounts took it, and the part of this one failed later.
    private func saleWhosePartHereFailed(_ other: DealMaker, on day: Int) throws -> Attempt {
        var intent = Attempt.Intent(try AttemptID("a-1"), .sale, .cents(1_000), reference: "order-1")
        intent.source = .card
        var sale = Attempt(intent)
        for (run, account, name) in [(1, maker.account, "P1"), (2, other.account, "T1")] {
            let at = Attempt.Instant(wall: DealMaker.noon(10 + run), uptime: 0)
            sale.apply(.run(.init(number: run, account: account, owner: "till", begunAt: at)))
            sale.apply(.request(.init(number: run, run: run, key: nil, sendLimit: 1_000, openedAt: at)))
            sale.apply(.closed(request: run, .answered, at: at))
            let verdict = Verdict.approved(Approval(.cents(1_000), references: ["psp": name]))
            sale.apply(.report(.init(.verdict(verdict), .reply, run: run, request: run, entry: run + 1, at: at)))
            sale.apply(.named(.init(account: account, value: name, request: run)))
            sale.apply(.ended(run: run, .owner, at: at))
        }
        let failed = Verdict.declined(
            Decline(.failedAfterApproval, provider: ProviderMessage(code: "failed"), references: ["psp": "P1"]))
        let said = Attempt.Evidence.webhook(id: "w-9", providerTime: DealMaker.noon(day))
        let then = Attempt.Instant(wall: DealMaker.noon(day), uptime: 0)
        sale.apply(.report(.init(.verdict(failed), said, run: 1, request: 1, entry: 6, at: then)))
        #expect(sale.state == .approved && sale.holders == [other.account])
        return sale
    }

    @Test func partThatFailsAfterTheReportedDays_isMatchedInThem() throws {
        let sale = try saleWhosePartHereFailed(DealMaker(.rows, SeededRandom(seed: 1)), on: 40)
        let rows = maker.booked("P1", "order-1", [("SentForSettle", .cents(1_000))], .matched)
        #expect(try found([sale], rows).items.map(\.group) == [.matched])
    }

    @Test func partThatFailed_besideItsRefund_keepsNoReportFromBeingRead() throws {
        let sale = try saleWhosePartHereFailed(DealMaker(.rows, SeededRandom(seed: 1)), on: 20)
        let back = try maker.attempt(
            "r-1", .refund, .cents(400), under: "order-1", of: "a-1", names: ["R1"], on: 12)
        let types = [("SentForSettle", Money.cents(1_000)), ("CaptureFailed", .cents(1_000))]
        let rows = maker.booked("P1", "order-1", types, .matched)
        #expect(try found([sale, back], rows).items.contains { $0.group == .matched })
    }

    /// The report names another chargeback than the one that ended here.
    @Test func chargebackReversedUnderAnotherName_isNotTheOneThatEndedHere() throws {
        let sale = try maker.attempt("a-1", .sale, .cents(2_000), under: "order-1", names: ["P1"], on: -30)
        let taken = try movement(
            .chargeback, .cents(1_000), "D1", happened: DealMaker.noon(-20), lifted: DealMaker.noon(9))
        let rows = maker.booked("P1", "order-1", [("ChargebackReversed", .cents(1_000))], name: "D9", .differs)
        let items = try found([sale, taken], rows).items
        #expect(!items.contains { $0.group == .matched }, "\(items.map(\.words))")
    }

    /// A new tip is a total: the one before it is in the charge already.
    @Test func tipThatIsChangedTwice_countsByWhatItAdds() throws {
        let sale = try maker.attempt("a-1", .sale, .cents(1_000), under: "order-1", names: ["P1"])
        let first = try maker.attempt("a-1-t", .tipAdjustment, .cents(200), under: "order-1", of: "a-1")
        let second = try maker.attempt("a-1-u", .tipAdjustment, .cents(300), under: "order-1", of: "a-1")
        let rows = maker.booked(
            "P1", "order-1", [("Authorised", .cents(1_000)), ("SentForSettle", .cents(1_300))], .matched)
        let seen = try found([sale, first, second], rows)
        #expect(seen.items.map(\.group) == [.matched])
        let sum = try #require(seen.sums[.matched]?.movementSums[.eur])
        #expect(sum.positive + sum.negative == 1_300, "\(sum)")
    }
}
