import PaymentAbstraction
import PaymentJournal
import PaymentTestTill

/// A SQLite journal for a stage, with the means to close it from synchronous code.
struct OnStage {
    let journal: SQLiteJournal
    var staged: SchedulerJournal { SchedulerJournal(journal) }

    func close() { try? SchedulerJournal.wait { [journal] in await journal.close() } }
}

extension SQLiteJournal {
    /// Opens a file from synchronous code, for a stage.
    static func onStage(_ path: String) throws -> OnStage {
        OnStage(journal: try SchedulerJournal.wait { try await SQLiteJournal.open(path: path) })
    }
}
