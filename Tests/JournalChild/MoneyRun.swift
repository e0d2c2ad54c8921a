import PaymentAbstraction
import PaymentTestJournal
import PaymentTestPipes

/// One attempt, announced step by step; the provider lives in the parent.
struct MoneyRun {
    let path: String
    let owner: String
    let intent: Attempt.Intent

    /// Takes journal, owner, attempt, operation, minor units, and the payment or `-`.
    init(_ words: [String]) throws {
        guard words.count == 6, let operation = PaymentOperation(rawValue: words[3]), let units = Int64(words[4]) else {
            throw JournalChild.Misused()
        }
        (path, owner) = (words[0], words[1])
        intent = try JournalTestWriter.intent(words[2], operation, units, of: words[5] == "-" ? nil : words[5])
    }

    func play() async throws {
        let shared = try await SharedJournal.open(path, owner: owner)
        let journal = AnnouncingJournal(inner: shared.journal, channel: .ofChild)
        let till = JournalTestClient(journal, owner: owner, shared.journal.processes)
        let end = try await till.make(intent) { intent in
            try Channel.ofChild.send(.step("execute", at: intent.amount.minorUnits))
            guard case .proceed? = try Channel.ofChild.receive() else { throw JournalChild.Misused() }
            return .approved(Approval(intent.amount, references: ["payment": "at-\(intent.attempt)"]))
        }
        try Channel.ofChild.send(.done("\(end)"))
    }
}
