package import PaymentAbstraction

/// Many write at once, and now and then it is not known what became of a commit.
package enum DoubtPlay {
    /// Writes until everything is written; gives how often its fate was unknown, and how many attempts there are then.
    package static func writeTogether(_ count: Int, _ journal: any Journal) async throws -> (doubts: Int, open: Int) {
        let desk = JournalTestWriter(journal)
        let doubts = try await desk.atOnce(count) { number in
            let name = "a-\(number)"
            let entry = JournalEntry(JournalTestWriter.request(try JournalTestWriter.intent(name)))
            var doubts = 0
            while true {
                do {
                    _ = try await journal.write(entry, WriteID(name), at: JournalTestWriter.at(0))
                    return doubts
                } catch JournalFailure.writeUnconfirmed { doubts += 1 }
            }
        }
        return (doubts.reduce(0, +), try await desk.names(.open(scope: nil)).count)
    }
}
