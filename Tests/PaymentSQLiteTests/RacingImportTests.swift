import PaymentBase
import PaymentJournalKit
import PaymentModel
import PaymentSQLite
import PaymentTestJournal
import PaymentTesting
import Testing

/// A journal into which another process imports something between the look and the write.
private final class RacedJournal: JournalWrapper, JournalMaintenance {
    let journal: SQLiteJournal
    var inner: any Journal { journal }
    private let faster: String
    private let isDone = Locked(false)

    init(_ journal: SQLiteJournal, faster: String) { (self.journal, self.faster) = (journal, faster) }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        let isFirst = isDone.withLock { isDone in
            defer { isDone = true }
            return !isDone
        }
        if isFirst { _ = try? await journal.adopt([faster], at: instant) }
        return try await journal.write(entry, id, at: instant)
    }

    func logs(after number: Int64, limit: Int, isCompared: Bool) async throws(JournalFailure) -> [StoredLog] {
        try await journal.logs(after: number, limit: limit, isCompared: isCompared)
    }
    func waitingNotices(after number: Int64, limit: Int) async throws(JournalFailure) -> [StoredNotice] {
        try await journal.waitingNotices(after: number, limit: limit)
    }
    func damage() async throws(JournalFailure) -> [String] { try await journal.damage() }
    func refusal() async throws(JournalFailure) -> String? { try await journal.refusal() }
    func hasGap() async throws(JournalFailure) -> Bool { try await journal.hasGap() }
    func prunedBefore() async throws(JournalFailure) -> Int64? { try await journal.prunedBefore() }
    func forget(_ payments: [StoredLog], before instant: Int64) async throws(JournalFailure) -> Set<Int64> {
        try await journal.forget(payments, before: instant)
    }
    func forgetNotices(before instant: Int64, besides kept: [Int64]) async throws(JournalFailure) -> Int {
        try await journal.forgetNotices(before: instant, besides: kept)
    }
    func close() async { await journal.close() }
}

/// Two people import the same list at once.
@Suite struct RacingImportTests {
    private func line(_ reference: String) -> String {
        """
        {"attempt":"old-1","provider":"p","adapter":"fake","environment":"sandbox","merchant":"m",\
        "reference":"\(reference)","minorUnits":1000,"currency":"EUR","takenAt":1700000000000,\
        "references":{"payment":"p-old"}}
        """
    }

    @Test func import_anotherWasFaster_countsNothingTwice() async throws {
        let folder = try Folder()
        let journal = RacedJournal(try await folder.open(), faster: line("order-1"))
        let adopted = try await journal.adopt([line("order-1")], at: JournalTestWriter.at(0))
        #expect(adopted == 0, "the other one has adopted it")
        await journal.close()
        withExtendedLifetime(folder) {}
    }

    @Test func import_anotherPaymentOfTheIDWasFaster_isRefused() async throws {
        let folder = try Folder()
        let journal = RacedJournal(try await folder.open(), faster: line("order-2"))
        await #expect(throws: PaymentError.self) {
            try await journal.adopt([line("order-1")], at: JournalTestWriter.at(0))
        }
        await journal.close()
        withExtendedLifetime(folder) {}
    }
}
