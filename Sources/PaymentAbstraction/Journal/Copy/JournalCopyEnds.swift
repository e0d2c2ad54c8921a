/// Where the reading of a kind of pieces goes on: behind a row's number, or behind a text.
package struct JournalPlace: Hashable, Sendable {
    /// The row's number.
    package let number: Int64
    /// The row's name, where rows have no number.
    package let text: String

    /// Before the first of all.
    package static let start = JournalPlace(.min)

    package init(_ number: Int64, _ text: String = "") { (self.number, self.text) = (number, text) }
}

/// What stands beside the pieces of a journal.
package struct JournalCounters: Hashable, Sendable {
    /// The next number that nobody has drawn.
    package var number: Int64
    /// How often it was restored or copied, and accepted.
    package var generation: Int64
    /// When that was accepted the last time; 0 for never.
    package var restored: Int64

    package init(number: Int64, generation: Int64, restored: Int64) {
        (self.number, self.generation, self.restored) = (number, generation, restored)
    }
}

/// Reads the pieces of a journal; used by one thread alone.
package protocol JournalReading: AnyObject {
    /// The next pieces behind a place, and where the next ones begin; nil when there are no more.
    func pieces(_ kind: JournalPiece.Kind, after place: JournalPlace) throws -> (
        pieces: [JournalPiece], next: JournalPlace
    )?
    /// What stands beside them.
    func counters() throws -> JournalCounters
}

/// A journal that is copied.
package protocol JournalSource: JournalReading {
    /// Stands still from now on: what is read is of one moment.
    ///
    /// - Parameter isMove: Whether nobody may write meanwhile, or use it at all.
    func begin(isMove: Bool) throws
    /// Whether a process is proven to be gone.
    func isGone(_ owner: String) throws -> Bool
    /// Says for good, and durably, that this journal goes on elsewhere.
    func retire() throws
    /// Lets others write again.
    func end()
}

/// A journal that is filled.
package protocol JournalTarget: JournalReading {
    /// Makes what is missing, and refuses a journal in which there is anything.
    func begin() throws
    /// Writes pieces; all of them are there at once, when it is finished.
    func write(_ pieces: [JournalPiece]) throws
    /// Makes everything durable, as a journal that begins nothing.
    ///
    /// - Parameter gone: Processes of which it is proven that they are gone.
    func finish(_ counters: JournalCounters, gone: Set<String>) throws
    /// Lets it begin attempts, since the other one never will.
    func admit() throws
    /// Throws away what isn't finished.
    func end()
}

/// Why a journal isn't copied, in words for a person.
package struct JournalCopyFailure: Error {
    /// The words.
    package let words: String

    package init(_ words: String) { self.words = words }
}
