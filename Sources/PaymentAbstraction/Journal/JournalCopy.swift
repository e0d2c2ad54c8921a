package import PaymentModel

/// Copies a journal into another one of any kind, and reads both again.
///
/// Two journals that both begin attempts on the same accounts would draw the same numbers and charge the same attempt
/// twice. So at most one of the two continues on its own: of a *copy*, the first one; the copy is as one that was restored
/// from a backup, takes no attempt and gives no number until a person accepts it, and then in a new generation. Of a
/// *move*, the second one: no process may use the first during the move, it says for good that it was moved, and only then
/// the second is admitted. Whatever breaks in between leaves one journal, or none, that begins anything.
package struct JournalCopy {
    private let source: any JournalSource
    private let target: any JournalTarget
    private let isMove: Bool

    /// What was copied.
    package struct Report: Hashable, Sendable {
        /// How many pieces of each kind.
        package var counts: [JournalChunk.Kind: Int] = [:]
        package var attempts = 0
        /// How many steps of timelines.
        package var events = 0
        /// When the last write was made that is in it, in milliseconds since 1970; nil where there is none.
        package var lastAt: Int64?
        /// The last attempt that was begun.
        package var last: AttemptID?
    }

    package init(from source: any JournalSource, to target: any JournalTarget, isMove: Bool) {
        (self.source, self.target, self.isMove) = (source, target, isMove)
    }

    /// Copies everything.
    ///
    /// - Throws: What a store throws; `JournalCopyFailure` where both don't hold the same, which leaves the second empty.
    package func run() throws -> Report {
        defer {
            target.end()
            source.end()
        }
        try source.begin(isMove: isMove)
        try target.begin()
        var report = Report()
        var owners: Set<String> = []
        for kind in JournalChunk.Kind.allCases {
            var place = JournalPlace.start
            while let (pieces, next) = try source.pieces(kind, after: place) {
                for piece in pieces { try Self.note(piece, &report, &owners) }
                report.counts[kind, default: 0] += pieces.count
                try target.write(pieces)
                place = next
            }
        }
        for kind in JournalChunk.Kind.allCases { try compare(kind) }
        let gone = try owners.filter { try source.isGone($0) }
        try target.finish(try source.counters(), gone: gone)
        guard isMove else { return report }
        try source.retire()
        try target.admit()
        return report
    }

    /// Reads a kind of pieces from both, in the same order.
    private func compare(_ kind: JournalChunk.Kind) throws {
        var (ours, theirs): ([JournalChunk], [JournalChunk]) = ([], [])
        var (place, other): (JournalPlace?, JournalPlace?) = (.start, .start)
        repeat {
            if ours.isEmpty { ours = try Self.next(source, kind, &place) }
            if theirs.isEmpty { theirs = try Self.next(target, kind, &other) }
            let count = min(ours.count, theirs.count)
            guard ours.prefix(count) == theirs.prefix(count), ours.isEmpty == theirs.isEmpty else {
                throw JournalCopyFailure("what was written isn't what was read (\(kind)); nothing was kept")
            }
            ours.removeFirst(count)
            theirs.removeFirst(count)
        } while place != nil || other != nil
    }

    private static func next(
        _ journal: any JournalReading, _ kind: JournalChunk.Kind, _ place: inout JournalPlace?
    ) throws -> [JournalChunk] {
        guard let start = place, let (pieces, next) = try journal.pieces(kind, after: start) else {
            place = nil
            return []
        }
        place = next
        return pieces
    }

    private static func note(_ piece: JournalChunk, _ report: inout Report, _ owners: inout Set<String>) throws {
        switch piece {
        case .payment(let log):
            guard let attempts = try? log.attempts(), let timeline = try? log.timeline() else {
                throw JournalCopyFailure("the payment \(log.id) can't be read: restore a backup first")
            }
            report.attempts += attempts.count
            report.events += timeline.count
            report.last = attempts.last?.intent.attempt ?? report.last
            // Also of what a message decided before its process died.
            for run in attempts.flatMap(\.runs) where run.end == nil { owners.insert(run.owner) }
            let at = log.entries.map(\.at).max() ?? 0
            report.lastAt = max(report.lastAt ?? at, at)
        case .notice(let waiting): report.lastAt = max(report.lastAt ?? waiting.at, waiting.at)
        case .forgotten, .forgottenName, .overfull: break
        }
    }
}

/// Something that a journal holds, as every store writes it, so that another store can hold the same.
package enum JournalChunk: Hashable, Sendable {
    /// Which pieces belong together; each kind is copied whole before the next one.
    package enum Kind: CaseIterable, Sendable { case payments, notices, overfull, forgotten, forgottenNames }

    /// A payment with its log, under its own number.
    case payment(StoredLog)
    /// A message that waits for a name.
    case notice(StoredNotice)
    /// The hash of a name about which more messages came than are kept.
    case overfull(hash: Int64)
    /// An attempt that was forgotten: its id stays taken.
    case forgotten(String)
    /// The hash of a provider's name that was forgotten, and the number of its payment.
    case forgottenName(hash: Int64, payment: Int64)
}

/// Where the reading of a kind of pieces continues: behind a row's number, or behind a text.
package struct JournalPlace: Hashable, Sendable {
    package let number: Int64
    package let text: String

    /// Before the first of all.
    package static let start = JournalPlace(.min)

    package init(_ number: Int64, _ text: String = "") { (self.number, self.text) = (number, text) }
}

/// What stands beside the pieces of a journal.
package struct JournalCounters: Hashable, Sendable {
    /// The next number that no process has drawn.
    package var number: Int64
    /// How often it was restored or copied, and accepted.
    package var generation: Int64
    /// The name of the generation: 48 random bits.
    package var generationName: Int64
    /// When that was accepted the last time; 0 for never.
    package var restored: Int64
    /// Whether a restore opened a gap that no person has closed.
    package var gap: Int64
    /// Before which moment payments were decided that were forgotten; 0 where none was.
    package var pruned: Int64

    package init(
        number: Int64, generation: Int64, generationName: Int64, restored: Int64, gap: Int64, pruned: Int64
    ) {
        (self.number, self.generation, self.generationName) = (number, generation, generationName)
        (self.restored, self.gap, self.pruned) = (restored, gap, pruned)
    }
}

/// Reads the pieces of a journal; used by one thread alone.
package protocol JournalReading: AnyObject {
    /// The next pieces behind a place, and where the next ones begin; nil when there are no more.
    func pieces(_ kind: JournalChunk.Kind, after place: JournalPlace) throws -> (
        pieces: [JournalChunk], next: JournalPlace
    )?
    /// What stands beside them.
    func counters() throws -> JournalCounters
}

/// A journal that is copied.
package protocol JournalSource: JournalReading {
    /// Stands still from now on: what is read is of one moment.
    ///
    /// - Parameter isMove: Whether no process may write during the copy, or use the journal at all.
    func begin(isMove: Bool) throws
    /// Whether a process is proven to be gone.
    func isGone(_ owner: String) throws -> Bool
    /// Says for good, and durably, that this journal was moved.
    func retire() throws
    /// Lets others write again.
    func end()
}

/// A journal that is filled.
package protocol JournalTarget: JournalReading {
    /// Makes what is missing, and refuses a journal in which there is anything.
    func begin() throws
    /// Writes pieces; all of them are there at once, when it is finished.
    func write(_ pieces: [JournalChunk]) throws
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
    package let words: String

    package init(_ words: String) { self.words = words }
}
