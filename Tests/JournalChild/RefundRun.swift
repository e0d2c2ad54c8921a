import PaymentAbstraction
import PaymentBase
import PaymentTestJournal
import PaymentTestPipes

/// Many tills that give back one payment in small parts until nothing is left, beside those of other processes.
struct RefundRun {
    private let place: String
    private let owner: String
    private let payment: String
    private let cents: Int64
    private let tills: Int

    /// Takes journal, owner, payment, what each refund gives back, and how many tills there are.
    init(_ words: [String]) throws {
        guard words.count == 5, let cents = Int64(words[3]), let tills = Int(words[4]) else {
            throw JournalChild.Misused()
        }
        (place, owner, payment) = (words[0], words[1], words[2])
        (self.cents, self.tills) = (cents, tills)
    }

    func play() async throws {
        let shared = try await SharedJournal.open(place, owner: owner)
        let back = Locked(0)
        let strange = Locked([String]())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<tills {
                group.addTask {
                    let till = JournalTestClient(shared.journal, owner: owner, shared.journal.processes)
                    var count = 0
                    while true {
                        count += 1
                        let intent = try JournalTestWriter.intent(
                            "\(owner)-\(number)-\(count)", .refund, cents, of: payment)
                        let end = try await till.make(intent) { .approved(Approval($0.amount)) }
                        switch end {
                        case .done(.approved): back.withLock { $0 += 1 }
                        case .refused(.exceeds): return
                        case .refused(.blocked): continue
                        case .done, .known, .open, .refused: return strange.withLock { $0.append("\(end)") }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        await shared.close()
        let words = strange.withLock { $0 }
        try Channel.ofChild.send(.done(words.isEmpty ? "\(back.withLock { $0 })" : words.joined(separator: ";")))
    }
}
