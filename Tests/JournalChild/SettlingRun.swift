import PaymentJournal
import PaymentTestPipes

/// Takes the lock of whoever settles in the background, and keeps it until this process is told to go on, or dies.
struct SettlingRun {
    let path: String

    /// Takes the journal's path.
    init(_ words: [String]) throws {
        guard words.count == 1 else { throw JournalChild.Misused() }
        path = words[0]
    }

    func play() throws {
        let lock = FileSettlementLock(besideJournal: path)
        try Channel.ofChild.send(.done(lock.acquire() ? "taken" : "refused"))
        _ = try Channel.ofChild.receive()
        lock.release()
        try Channel.ofChild.send(.done("released"))
    }
}
