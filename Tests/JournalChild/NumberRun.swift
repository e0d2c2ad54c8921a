import Glibc
import PaymentAbstraction
import PaymentTestPipes

/// Takes numbers out of a journal that other processes take numbers out of too.
struct NumberRun {
    /// How many are taken out at a time.
    static let blockCount: Int64 = 512

    let path: String
    let blocks: Int

    /// Takes the journal and how many blocks to take.
    init(_ words: [String]) throws {
        guard words.count == 2, let blocks = Int(words[1]) else { throw JournalChild.Misused() }
        (path, self.blocks) = (words[0], blocks)
    }

    func play() async throws {
        var firsts: [String] = []
        // Closed and opened again half-way, as a process that was started again.
        for half in [blocks / 2, blocks - blocks / 2] {
            let shared = try await SharedJournal.open(path, owner: "numbers-\(getpid())-\(firsts.count)")
            for _ in 0..<half { firsts.append(String(try await shared.journal.draw(Self.blockCount))) }
            await shared.close()
        }
        try Channel.ofChild.send(.done(firsts.joined(separator: " ")))
    }
}
