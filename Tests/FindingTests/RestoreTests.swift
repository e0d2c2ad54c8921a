import Foundation
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentModel
import PaymentSQLite
import PaymentTestTill
import PaymentTesting
import Testing

/// What may be charged after a journal was restored from a copy, or moved to another machine.
@Suite struct RestoreTests {
    private let shop = Shop()

    /// Sells in the morning, keeps a copy, sells under an id in the afternoon, restores the copy, accepts it, and sells
    /// under that id again.
    private func sellAgainAfterRestoration(_ attempt: AttemptID) throws -> Told {
        let folder = try JournalFolder()
        func sell(_ reference: String, _ attempt: AttemptID?) throws -> Told {
            try folder.open { journal in
                let client = try shop.client(Fake(shop.ledger), over: journal)
                return try shop.play { await client.sell(1_000, reference, attempt: attempt) }
            }
        }
        #expect(try sell("morning", nil).isApproved)
        try folder.backUp()
        #expect(try sell("afternoon", attempt).isApproved)
        try folder.restore()
        #expect(try sell("evening", nil).error?.code == .journal)
        try folder.acceptRestored()
        return try sell("afternoon", attempt)
    }

    @Test func idOfTheApplication_afterAcceptedRestoration_isNotChargedAgain() throws {
        let attempt = try AttemptID("till-4-2026-11-21-0017")
        let told = try sellAgainAfterRestoration(attempt)
        #expect(told.saysUnknown, "\(told)")
        #expect(shop.ledger.charges(of: attempt).count == 1)
    }

    /// The clock of the till that drew the id was two hours ahead.
    @Test func idOfTillWhoseClockIsAhead_afterAcceptedRestoration_isNotChargedAgain() throws {
        let attempt = AttemptID(now: SystemClock().now + 7_200_000, random: SeededRandom(seed: 3))
        let told = try sellAgainAfterRestoration(attempt)
        #expect(told.saysUnknown, "\(told)")
        #expect(shop.ledger.charges(of: attempt).count == 1)
    }

    /// A till dies in the middle of a sale; its journal's file, without the folder of locks, goes to another machine. No
    /// process and no person can decide the sale any more.
    @Test func saleUnderWay_journalMovedWithoutLocks_canBeDecided() throws {
        let (old, new) = (try JournalFolder(), try JournalFolder())
        let attempt = try AttemptID("sale-1")
        var driver = Fake(shop.ledger)
        driver.onSale = { [ledger = shop.ledger] request, context in
            try await context.exchange(.money) { _ -> Verdict in
                ledger.charge(context.attempt, request.amount)
                // The process is killed before the reply comes.
                _ = await Promise<Bool>().value()
                throw Lost()
            }
        }
        let locks = try ProcessLocks(besideJournal: old.file, owner: "till-1")
        try old.open(as: locks) { [driver] journal in
            let client = try shop.client(driver, owner: "till-1", over: journal, processes: locks)
            try shop.play { [shop] in
                _ = shop.beside { await client.sell(attempt: attempt) }
                try await shop.wait(seconds: 5)
            }
        }
        for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: old.file + ending) {
            try FileManager.default.copyItem(atPath: old.file + ending, toPath: new.file + ending)
        }
        try new.acceptRestored()
        let others = try ProcessLocks(besideJournal: new.file, owner: "till-2")
        try new.open(as: others) { [driver] journal in
            let client = try shop.client(driver, owner: "till-2", over: journal, processes: others)
            try shop.play { [shop] in
                try await shop.wait(seconds: 86_400)
                _ = try? await client.recover()
                // Where recovery can't decide it, a person can.
                if try await client.attempt(attempt)?.isOpen == true {
                    await #expect(throws: Never.self) {
                        try await client.resolve(
                            attempt, as: .executed(name: "p-sale-1", nil), reason: "The provider's list shows it.")
                    }
                }
                #expect(try await client.standing(of: attempt) == .approved)
            }
        }
    }
}
