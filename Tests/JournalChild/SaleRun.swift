import PaymentAbstraction
import PaymentJournal
import PaymentTestPipes
import PaymentTestTill

/// One sale at the one provider that this process knows.
struct SaleRun {
    let path: String
    let owner: String
    let attempt: AttemptID

    /// Takes journal, owner and attempt.
    init(_ words: [String]) throws {
        guard words.count == 3 else { throw JournalChild.Misused() }
        (path, owner, attempt) = (words[0], words[1], try AttemptID(words[2]))
    }

    func play() async throws {
        let journal = try await SQLiteJournal.open(path: path)
        var given = ClientDependencies(journal: journal)
        given.owners = try ProcessLocks(besideJournal: path, owner: owner)
        given.owner = owner
        let client = try PaymentClient(Till().driver(SharedPipe(.ofChild)), given)
        _ = try await client.sale(RacePlan.price, from: Cards.good(), reference: "sold", attempt: attempt)
        await journal.close()
        try Channel.ofChild.send(.done("sold"))
    }
}
