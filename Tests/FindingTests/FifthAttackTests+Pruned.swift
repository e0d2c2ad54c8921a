import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentModel
import PaymentTestTill
import PaymentTesting
import Testing

@testable import PaymentSQLite

extension ImportedShop {
    /// Takes an old import, and a sale whose reply is lost; an hour later a person says that the import is that sale.
    ///
    /// - Returns: The driver that loses its replies and can't be asked.
    @discardableResult
    func adoptLostSale(_ sale: AttemptID) throws -> Fake {
        let refusal = try adopt(line(takenAt: shop.stage.now - 60_000))
        try #require(refusal == nil)
        let (shop, imported) = (shop, old)
        var driver = driver
        driver.onLookup = { _, _ in .cannotTell("Not now.") }
        driver.onSale = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
        let lost = driver
        try folder.open(as: shop.owners.process("shop")) { journal in
            let client = try shop.client(lost, over: journal)
            try shop.play {
                _ = await client.sell(1_000, "order-3", attempt: sale)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(sale, as: .isTheSame(as: imported), by: "Ann", reason: "seen")
            }
        }
        return lost
    }

    /// Charges `order-1` as `sale-1`, which the provider calls `p-sale-1`, and prunes it.
    func sellAndPrune() throws {
        try open { client in
            try shop.play {
                _ = await client.sell(attempt: try AttemptID("sale-1"))
                // The newest payment is never pruned.
                _ = await client.sell(500, "order-9", attempt: try AttemptID("sale-9"))
            }
        }
        let (file, day) = (folder.file, shop.stage.now + 86_400_000)
        let pruned = try SchedulerJournal.wait {
            let journal = try await SQLiteJournal.open(path: file, processes: SingleProcess("prune"))
            let pruned = try await journal.prune(before: day)
            await journal.close()
            return pruned.payments
        }
        try #require(pruned == 1)
    }

    /// A line about the pruned payment, under another attempt's id.
    var prunedLine: String {
        line(takenAt: shop.stage.now - 60_000, attempt: "back-1", order: "order-1")
            .replacingOccurrences("p-old", with: "p-sale-1")
    }
}

extension String {
    fileprivate func replacingOccurrences(_ text: String, with other: String) -> String {
        split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
    }
}

/// A journal that forgot one payment and nothing else.
private struct ForgetfulJournal: JournalWrapper {
    let inner: any Journal
    let gone: AttemptID

    func attempts(
        _ query: JournalQuery, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        if case .attempt(let id) = query, id == gone { return JournalPage([]) }
        return try await inner.attempts(query, after: cursor, limit: limit)
    }

    func payment(_ id: PaymentID) async throws(JournalFailure) -> StoredPayment? {
        if id.attempt == gone { return nil }
        return try await inner.payment(id)
    }
}

/// A disk that is full when a message leaves its mark.
private struct FullJournal: JournalWrapper {
    let inner: any Journal
    let isFull = Locked(true)

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        if case .notice(let notice) = entry.command, notice.mark != nil, isFull.withLock({ $0 }) {
            throw .notWritten("the disk is full")
        }
        return try await inner.write(entry, id, at: instant)
    }
}

/// What was pruned and comes back: its provider's names stay taken.
@Suite struct FifthAttackPrunedTests {
    /// The payment is imported to be refunded; the dashboard refunds it as well: it is refunded once.
    @Test func prunedPaymentImportedAgain_isRefusedOrItsRefundsCount() throws {
        let old = try ImportedShop()
        try old.sellAndPrune()
        let refusal = try old.adopt(old.prunedLine)
        if refusal != nil { return }
        try old.open { client in
            let shop = old.shop
            try shop.play {
                let back = try AttemptID("back-1")
                try await shop.wait(seconds: 60)
                shop.ledger.refund(back, .cents(1_000), as: "dash-1")
                shop.ledger.post(
                    shop.notice("dash-1", .refund, nowApproved(1_000, ["refund": "dash-1"]), of: "p-sale-1"))
                await client.takeWebhook()
                let told = await client.refund(1_000, of: back)
                #expect(
                    shop.ledger.refundedCents <= 1_000,
                    "the line was taken; \(told); taken 10.00, given back \(shop.ledger.refunds.map(\.name))")
            }
        }
    }

    /// The bank takes a pruned payment back, and no subscriber listens: the books never say so, and a check does, until a person
    /// has seen it. What comes later is shown again.
    @Test func chargebackOfAPrunedPayment_isFoundByACheckUntilAPersonHasSeenIt() throws {
        let old = try ImportedShop()
        try old.sellAndPrune()
        let (shop, file) = (old.shop, old.folder.file)
        try old.open { client in
            try shop.play {
                for id in ["m-1", "m-2"] {
                    shop.say(
                        .reference("dis-1", [.refund]), [.refund], nowApproved(1_000, ["refund": "dis-1"]),
                        of: "p-sale-1", id: id)
                    await client.takeWebhook()
                }
                // What proves nothing leaves no mark.
                shop.say(.reference("p-sale-1", [.sale]), [.sale], nil, id: "m-3")
                await client.takeWebhook()
            }
        }
        let now = Attempt.Instant(wall: shop.stage.now, uptime: 0)
        @Sendable func marks(end: Bool) throws -> [KeptMark] {
            try SchedulerJournal.wait {
                let journal = try await SQLiteJournal.open(path: file, processes: SingleProcess("check"))
                // What no person has seen is pruned never.
                _ = try await journal.prune(before: now.wall + 86_400_000)
                let report = try await journal.check(at: now)
                if end { _ = try await journal.end(report.marks, at: now) }
                await journal.close()
                return report.marks
            }
        }
        let found = try marks(end: true)
        #expect(found.map(\.mark) == [.pruned("p-sale-1 NEWS")] && found.first?.account == old.driver.identity)
        #expect(try marks(end: false).isEmpty)
        try old.open { client in
            try shop.play {
                shop.say(
                    .reference("dis-2", [.refund]), [.refund], nowApproved(1_000, ["refund": "dis-2"]), of: "p-sale-1",
                    id: "m-4")
                await client.takeWebhook()
            }
        }
        #expect(try marks(end: false).count == 1)
    }

    /// The bank takes a pruned payment back while the disk is full: the message is refused until its mark is written.
    @Test func chargebackOfAPrunedPayment_whoseMarkIsNotWritten_isNotAcknowledged() throws {
        let old = try ImportedShop()
        try old.sellAndPrune()
        let (shop, driver, file) = (old.shop, old.driver, old.folder.file)
        try old.folder.open(as: shop.owners.process("shop")) { journal in
            let full = FullJournal(inner: journal)
            let client = try shop.client(driver, over: full)
            @Sendable func say() {
                shop.say(
                    .reference("dis-1", [.refund]), [.refund], nowApproved(1_000, ["refund": "dis-1"]), of: "p-sale-1",
                    id: "m-1")
            }
            try shop.play {
                say()
                await #expect(throws: PaymentError.self) { try await client.receiveWebhook([], from: "p") }
                full.isFull.withLock { $0 = false }
                say()
                await client.takeWebhook()
            }
        }
        let now = Attempt.Instant(wall: shop.stage.now, uptime: 0)
        let marks = try SchedulerJournal.wait {
            let journal = try await SQLiteJournal.open(path: file, processes: SingleProcess("check"))
            let marks = try await journal.check(at: now).marks
            await journal.close()
            return marks
        }
        #expect(marks.map(\.mark) == [.pruned("p-sale-1 NEWS")])
    }

    /// The row of a payment is damaged, and the dashboard refunds it: the provider is answered, so that its messages about other
    /// payments come, and a check shows the refund until a person has seen it.
    @Test func messageOfAPaymentThatCanNotBeRead_isAcknowledgedAndFoundByACheck() throws {
        let old = try ImportedShop()
        let (shop, file) = (old.shop, old.folder.file)
        try old.open { client in
            try shop.play {
                _ = await client.sell(attempt: try AttemptID("sale-1"))
                _ = await client.sell(500, "order-9", attempt: try AttemptID("sale-9"))
            }
        }
        try SchedulerJournal.wait {
            let journal = try await SQLiteJournal.open(path: file, processes: SingleProcess("harm"))
            try await journal.keeping { keeper in
                let first = "(SELECT min(payment) FROM origin)"
                try keeper.connection.execute("UPDATE entry SET events = x'00' WHERE payment = \(first)", doing: "harm")
            }
            await journal.close()
        }
        try old.open { client in
            try shop.play {
                for id in ["m-1", "m-2"] {
                    shop.say(
                        .reference("dash-1", [.refund]), [.refund], nowApproved(1_000, ["refund": "dash-1"]),
                        of: "p-sale-1", id: id)
                    await client.takeWebhook()
                }
                // What proves nothing is acknowledged and leaves no mark.
                shop.say(.reference("p-sale-1", [.sale]), [.sale], nil, id: "m-3")
                await client.takeWebhook()
            }
        }
        let now = Attempt.Instant(wall: shop.stage.now, uptime: 0)
        @Sendable func marks(end: Bool) throws -> [PersonMark] {
            try SchedulerJournal.wait {
                let journal = try await SQLiteJournal.open(path: file, processes: SingleProcess("check"))
                let marks = try await journal.check(at: now).marks
                if end { _ = try await journal.end(marks, at: now) }
                await journal.close()
                return marks.map(\.mark)
            }
        }
        let sale = PaymentID(try AttemptID("sale-1"))
        #expect(try marks(end: true) == [.unbooked(sale, "dash-1 10.00 EUR NEWS")])
        #expect(try marks(end: false).isEmpty)
    }

    /// A person says that a sale in doubt is what the pruned payment was.
    @Test func personNamesAPrunedPayment_isRefused() throws {
        let old = try ImportedShop()
        try old.sellAndPrune()
        let shop = old.shop
        let sale = try AttemptID("sale-3")
        var driver = old.driver
        driver.onLookup = { _, _ in .cannotTell("Not now.") }
        driver.onSale = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
        let lost = driver
        try old.folder.open(as: shop.owners.process("shop")) { journal in
            let client = try shop.client(lost, over: journal)
            try shop.play {
                _ = await client.sell(1_000, "order-3", attempt: sale)
                try await shop.wait(seconds: 3_600)
                var told = "taken"
                do {
                    try await client.resolve(sale, as: .executed(name: "p-sale-1", nil), by: "Ann", reason: "seen")
                } catch {
                    told = (error as? PaymentError)?.debugDescription ?? ""
                }
                let captured = try await client.amounts(of: sale).captured
                #expect(
                    captured.isZero, "\(told): p-sale-1 is another order's, and counts 10.00 for this one; \(captured)")
            }
        }
    }

    /// An import of long ago turns out to be a sale in doubt: it has nothing else that says that it is paid.
    @Test func importThatASaleTurnedOutToBe_isPrunedAfterTheSale() throws {
        let old = try ImportedShop()
        let (shop, file) = (old.shop, old.folder.file)
        let refusal = try old.adopt(old.line(takenAt: shop.stage.now - 60_000))
        try #require(refusal == nil)
        let (sale, imported) = (try AttemptID("sale-3"), old.old)
        var driver = old.driver
        driver.onLookup = { _, _ in .cannotTell("Not now.") }
        driver.onSale = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
        let lost = driver
        @Sendable func prune(before day: Int64) throws -> Int {
            try SchedulerJournal.wait {
                let journal = try await SQLiteJournal.open(path: file, processes: SingleProcess("prune"))
                let pruned = try await journal.prune(before: day)
                await journal.close()
                return pruned.payments
            }
        }
        let day = shop.stage.now + 86_400_000
        try old.folder.open(as: shop.owners.process("shop")) { journal in
            let client = try shop.client(lost, over: journal)
            try shop.play {
                _ = await client.sell(1_000, "order-3", attempt: sale)
                try await shop.wait(seconds: 20 * 86_400)
                try await client.resolve(sale, as: .isTheSame(as: imported), by: "Ann", reason: "seen")
                // The newest payment is never pruned.
                _ = await client.sell(500, "order-9", attempt: try AttemptID("sale-9"))
            }
        }
        #expect(try prune(before: day) == 0)
        try old.open { client in
            try shop.play {
                let held = try await client.attempt(sale)
                #expect(held?.outcome == .executed)
            }
        }
        // The sale goes by its own time, and the import with it.
        let later = shop.stage.now + 86_400_000
        #expect(try prune(before: later) == 2)
        #expect(try prune(before: later) == 0)
    }

    /// An import that can't be read stays with the sale that it is, and holds up nothing else.
    @Test func saleThatAnUnreadableImportTurnedOutToBe_stays_andOthersArePruned() throws {
        let old = try ImportedShop()
        let (shop, file) = (old.shop, old.folder.file)
        try old.adoptLostSale(try AttemptID("sale-3"))
        try old.open { client in
            try shop.play {
                _ = await client.sell(500, "order-8", attempt: try AttemptID("sale-8"))
                // The newest payment is never pruned.
                _ = await client.sell(500, "order-9", attempt: try AttemptID("sale-9"))
            }
        }
        let day = shop.stage.now + 86_400_000
        let pruned = try SchedulerJournal.wait {
            let journal = try await SQLiteJournal.open(path: file, processes: SingleProcess("prune"))
            try await journal.keeping { keeper in
                let first = "(SELECT min(payment) FROM origin)"
                try keeper.connection.execute("UPDATE entry SET events = x'00' WHERE payment = \(first)", doing: "harm")
            }
            let pruned = try await journal.prune(before: day)
            await journal.close()
            return pruned.payments
        }
        #expect(pruned == 1)
    }

    /// An import that a sale turned out to be is refunded later: a shop finds the rest by the sale's id.
    @Test func saleThatAnImportTurnedOutToBe_staysAsLongAsTheImport() throws {
        let old = try ImportedShop()
        let (shop, file) = (old.shop, old.folder.file)
        let sale = try AttemptID("sale-3")
        try old.adoptLostSale(sale)
        let imported = old.old
        try old.open { client in
            try shop.play {
                try await shop.wait(seconds: 60 * 86_400)
                _ = await client.refund(100, of: imported)
                // The newest payment is never pruned.
                _ = await client.sell(500, "order-9", attempt: try AttemptID("sale-9"))
            }
        }
        let day = shop.stage.now - 30 * 86_400_000
        let pruned = try SchedulerJournal.wait {
            let journal = try await SQLiteJournal.open(path: file, processes: SingleProcess("prune"))
            let pruned = try await journal.prune(before: day)
            await journal.close()
            return pruned.payments
        }
        #expect(pruned == 0)
        try old.open { client in
            try shop.play {
                let held = try await client.payment(PaymentID(sale))
                #expect(held.amounts.refundable == .cents(900))
            }
        }
    }

    /// A journal of an earlier time lost the import of which a person had said that a sale is the same.
    @Test func saleWhoseImportWasPruned_isSaidToBePruned() throws {
        let old = try ImportedShop()
        let shop = old.shop
        let sale = try AttemptID("sale-3")
        let lost = try old.adoptLostSale(sale)
        let imported = old.old
        try old.folder.open(as: shop.owners.process("shop")) { journal in
            let client = try shop.client(lost, owner: "later", over: ForgetfulJournal(inner: journal, gone: imported))
            try shop.play {
                let byAttempt = await #expect(throws: PaymentError.self) { _ = try await client.attempt(sale) }
                let byPayment = await #expect(throws: PaymentError.self) {
                    _ = try await client.payment(PaymentID(sale))
                }
                #expect(byAttempt?.isPruned == true && byPayment?.isPruned == true)
                let again = await client.sell(1_000, "order-3", attempt: sale)
                #expect(!again.saysNothingMoved, "\(again)")
            }
        }
    }

    /// A refund was executed, its payment was pruned, and a program that never got the reply repeats it under its id.
    @Test func repeatedRefund_ofAPrunedPayment_isNotReportedAsNothingMoved() throws {
        let old = try ImportedShop()
        let refund = try AttemptID("refund-1")
        try old.open { client in
            try old.shop.play {
                _ = await client.sell(attempt: try AttemptID("sale-1"))
                _ = await client.refund(400, of: try AttemptID("sale-1"), attempt: refund)
            }
        }
        try old.sellAndPrune()
        try old.open { client in
            try old.shop.play {
                let sale = await client.sell(attempt: try AttemptID("sale-1"))
                let again = await client.refund(400, of: try AttemptID("sale-1"), attempt: refund)
                let status = await client.outcome(of: refund)
                #expect(!sale.saysNothingMoved, "\(sale)")
                #expect(!again.saysNothingMoved, "4.00 were given back, and the same refund again says: \(again)")
                #expect(!status.saysNothingMoved, "\(status)")
            }
        }
    }
}
