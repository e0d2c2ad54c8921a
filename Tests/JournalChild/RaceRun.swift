import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentJournal
import PaymentTestPipes

/// Many attempts at once, some of which other processes attempt too.
struct RaceRun {
    /// How many attempts are under way at once.
    private static let callersMax = 8

    private let path: String
    private let owner: String
    private let plan: RacePlan
    private let index: Int

    /// Takes journal, owner, which process this is, and how many there are.
    init(_ words: [String]) throws {
        guard words.count == 4, let index = Int(words[2]), let processes = Int(words[3]) else {
            throw JournalChild.Misused()
        }
        (path, owner, self.index) = (words[0], words[1], index)
        plan = RacePlan(processes: processes)
    }

    func play() async throws {
        let locks = try ProcessLocks(besideJournal: path, owner: owner)
        let journal = try await SQLiteJournal.open(path: path)
        let till = JournalTill(journal, owner: owner, locks)
        let counts = Locked([String: Int]())
        let rest = Locked(try plan.calls(of: index))
        let channel = Locked(Channel.ofChild)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.callersMax {
                group.addTask {
                    while let intent = rest.withLock({ $0.popLast() }) {
                        let word = await Self.word(intent, till, channel)
                        counts.withLock { $0[word, default: 0] += 1 }
                    }
                }
            }
        }
        await journal.close()
        let words = counts.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        try Channel.ofChild.send(.done(words.joined(separator: ";")))
    }

    /// Makes one attempt; says in one word how it ended.
    private static func word(_ intent: AttemptIntent, _ till: JournalTill, _ channel: Locked<Channel>) async -> String {
        let what = intent.operation.rawValue
        do {
            let end = try await till.make(intent) { intent in
                // One exchange at a time, as over one line.
                try channel.withLock { channel in
                    try channel.send(.step(intent.attempt.text, at: intent.amount.minorUnits))
                    guard case .proceed? = try channel.receive() else { throw JournalChild.Misused() }
                }
                return .approved(Approval(intent.amount, references: ["payment": "at-\(intent.attempt)"]))
            }
            switch end {
            case .done(.approved), .known(.moved): return "\(what) approved"
            case .refused(.exceeds): return "\(what) exceeds"
            case .done, .known, .open, .refused: return "\(what) \(end)"
            }
        } catch { return "\(what) failed: \(error)" }
    }
}
