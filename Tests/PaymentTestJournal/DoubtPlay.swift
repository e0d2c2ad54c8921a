public import PaymentAbstraction
internal import PaymentConformance

/// Many write at once, and now and then nobody hears what became of a commit.
public enum DoubtPlay {
    /// Writes until everything is written; gives how often its fate was unknown, and how many attempts there are then.
    public static func writeTogether(_ count: Int, _ journal: any Journal) async throws -> (doubts: Int, open: Int) {
        let desk = JournalDesk(journal)
        let doubts = try await desk.atOnce(count) { number in
            let name = "a-\(number)"
            let entry = JournalEntry(
                try JournalDesk.key(name), [JournalDesk.begin(try JournalDesk.intent(name)), JournalDesk.open()])
            var doubts = 0
            while true {
                do {
                    _ = try await journal.write(entry, WriteID(name), at: JournalDesk.at(0))
                    return doubts
                } catch JournalFailure.fateUnknown { doubts += 1 }
            }
        }
        return (doubts.reduce(0, +), try await desk.names(.open).count)
    }
}
