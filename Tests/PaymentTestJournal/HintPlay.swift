package import PaymentJournalKit
internal import PaymentModel

/// Sends a store 10,000 hints about what it does not know, between messages that prove something.
package struct HintPlay {
    private static let count = 10_000
    private static let atOnce = 50

    private let desk: JournalTestWriter
    private let waiting: () async throws -> Int

    /// A play over a journal, with what counts the messages that it keeps.
    package init(_ journal: any Journal, waiting: @escaping () async throws -> Int) {
        (desk, self.waiting) = (JournalTestWriter(journal), waiting)
    }

    /// What is wrong; nothing if no hint is kept, and what came beside them counts as soon as its name is known.
    package func problems() async throws -> [String] {
        var problems: [String] = []
        func ought(_ what: String, _ isSo: Bool) { if !isSo { problems.append(what) } }
        let desk = desk
        let proven = try await desk.write(JournalTestWriter.notice("n-0", "p-1", JournalTestWriter.approved()))
        ought("a proven message about an unknown name is kept, is \(proven)", proven == .kept)
        let other = try await desk.write(
            .notice(Notice.ofOtherAccount("another", at: JournalTestWriter.one)))
        ought("the mark of another account is kept, is \(other)", other == .kept)
        var kept = 0
        for start in stride(from: 0, to: Self.count, by: Self.atOnce) {
            kept += try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in start..<(start + Self.atOnce) {
                    group.addTask { try await desk.write(.notice(try Self.hint(number))).isOfUnknown == false }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }
        ought("\(kept) of \(Self.count) hints were kept", kept == 0)
        let before = try await waiting()
        ought("two messages wait, not \(before)", before == 2)
        let intent = try JournalTestWriter.intent("s-1")
        try await desk.send(intent)
        try await desk.accept(JournalTestWriter.finish(intent.attempt, nil, names: ["p-1"]))
        let state = try await desk.held("s-1").state
        ought("the proven message counts, but the sale is \(state)", state == .approved)
        let after = try await waiting()
        ought("the mark alone waits, not \(after)", after == 1)
        return problems
    }

    /// About the payment's name, about an id, and about the name of a message that is kept.
    private static func hint(_ number: Int) throws -> Notice {
        let subject: Notice.Subject =
            switch number % 3 {
            case 0: .name("unknown-\(number)")
            case 1: .attempt(try JournalTestWriter.id("unknown-\(number)"))
            default: .name("p-1")
            }
        return Notice("hint-\(number)", JournalTestWriter.one, subject, [.sale], nil, at: nil)
    }
}

extension JournalAnswer {
    /// Whether it is about nothing that the journal knows.
    fileprivate var isOfUnknown: Bool { if case .refused(.noSuchAttempt, nil) = self { true } else { false } }
}
