import PaymentAbstraction
import PaymentBase
import PaymentJournal
import PaymentTestPipes
import PaymentTestTill

/// Many attempts at once, some of which other processes attempt too.
struct RaceRun {
    /// How many attempts are under way at once.
    static let callersMax = 8

    let path: String
    let owner: String
    let plan: RacePlan
    let index: Int

    /// Takes journal, owner, which process this is, and how many there are.
    init(_ words: [String]) throws {
        guard words.count == 4, let index = Int(words[2]), let processes = Int(words[3]) else {
            throw JournalChild.Misused()
        }
        (path, owner, self.index) = (words[0], words[1], index)
        plan = RacePlan(processes: processes)
    }

    func play() async throws {
        let sqlite = try await SQLiteJournal.open(path: path)
        let journal = TimingJournal(sqlite)
        var given = ClientDependencies(journal: journal)
        given.owners = try ProcessLocks(besideJournal: path, owner: owner)
        given.owner = owner
        let driver = Till().driver(SharedPipe(.ofChild))
        let client = try PaymentClient(driver, given)
        let tally = Locked(RaceTally())
        let rest = Locked(try plan.calls(of: index))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.callersMax {
                group.addTask {
                    while let call = rest.withLock({ $0.popLast() }) {
                        let word = await Self.word(call, client)
                        tally.withLock { $0.counts[word, default: 0] += 1 }
                    }
                }
            }
        }
        let waits = journal.waits
        tally.withLock { $0.waits = waits }
        await sqlite.close()
        try Channel.ofChild.send(.done(tally.withLock { $0.text }))
    }

    /// Makes one call; says in one word how it ended.
    private static func word(_ call: RacePlan.Call, _ client: PaymentClient) async -> String {
        do {
            let result: PaymentResult
            switch call.payment {
            case nil:
                result = try await client.sale(
                    RacePlan.price, from: Cards.good(), reference: "order-\(call.attempt)", attempt: call.attempt)
            case .some(let payment): result = try await client.refund(payment, of: RacePlan.back, attempt: call.attempt)
            }
            let what = call.payment == nil ? "sale" : "refund"
            return result.payment == nil ? "\(what) declined" : "\(what) approved"
        } catch { return "\(error.code.rawValue) \(error.outcome.rawValue)" }
    }
}
