import PaymentAbstraction
import PaymentBase
import PaymentTestJournal
import PaymentTestPipes

/// Many attempts at once, some of which other processes attempt too.
struct RaceRun {
    private let path: String
    private let owner: String
    private let plan: RacePlan
    private let index: Int
    /// How many attempts are under way at once.
    private let callers: Int

    /// Takes journal, owner, which process this is, how many there are, and how many attempts it makes at once.
    init(_ words: [String]) throws {
        guard words.count == 5, let index = Int(words[2]), let processes = Int(words[3]), let callers = Int(words[4])
        else { throw JournalChild.Misused() }
        (path, owner, self.index, self.callers) = (words[0], words[1], index, callers)
        plan = RacePlan(processes: processes)
    }

    func play() async throws {
        let shared = try await SharedJournal.open(path, owner: owner)
        let till = JournalTestClient(shared.journal, owner: owner, shared.journal.processes)
        let counts = Locked([String: Int]())
        let rest = Locked(try plan.calls(of: index))
        let channel = Locked(Channel.ofChild)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<callers {
                group.addTask {
                    while let intent = rest.withLock({ $0.popLast() }) {
                        let word = await Self.word(intent, till, channel)
                        counts.withLock { $0[word, default: 0] += 1 }
                    }
                }
            }
        }
        await shared.close()
        let words = counts.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        try Channel.ofChild.send(.done(words.joined(separator: ";")))
    }

    /// Makes one attempt; says in one word how it ended.
    private static func word(_ intent: Attempt.Intent, _ till: JournalTestClient, _ channel: Locked<Channel>) async
        -> String
    {
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
            case .done(.approved), .known(.approved): return "\(what) approved"
            case .refused(.exceeds): return "\(what) exceeds"
            case .done, .known, .open, .refused: return "\(what) \(end)"
            }
        } catch { return "\(what) failed: \(error)" }
    }
}
