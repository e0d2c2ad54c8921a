/// Copies a journal into another one of any kind, and reads both again.
///
/// Two journals that both begin attempts on the same accounts would draw the same numbers and charge the same attempt
/// twice. So at most one of the two goes on by itself: of a *copy*, the first one; the copy is as one that was restored
/// from a backup, takes no attempt and gives no number until a person accepts it, and then in a new generation. Of a
/// *move*, the second one: nobody may use the first meanwhile, it says for good that it goes on elsewhere, and only then
/// the second is let in. Whatever breaks in between leaves one journal, or none, that begins anything.
package struct JournalCopy {
    private let source: any JournalSource
    private let target: any JournalTarget
    private let isMove: Bool

    /// What was copied.
    package struct Report: Hashable, Sendable {
        /// How many pieces of each kind.
        package var counts: [JournalPiece.Kind: Int] = [:]
        /// How many facts of attempts were compared.
        package var facts = 0
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
        for kind in JournalPiece.Kind.allCases {
            var place = JournalPlace.start
            while let (pieces, next) = try source.pieces(kind, after: place) {
                for piece in pieces { try Self.note(piece, &report, &owners) }
                report.counts[kind, default: 0] += pieces.count
                try target.write(pieces)
                place = next
            }
        }
        for kind in JournalPiece.Kind.allCases { try compare(kind) }
        let gone = try owners.filter { try source.isGone($0) }
        try target.finish(try source.counters(), gone: gone)
        guard isMove else { return report }
        try source.retire()
        try target.admit()
        return report
    }

    /// Reads a kind of pieces from both, in the same order.
    private func compare(_ kind: JournalPiece.Kind) throws {
        var (ours, theirs): ([JournalPiece], [JournalPiece]) = ([], [])
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
        _ journal: any JournalReading, _ kind: JournalPiece.Kind, _ place: inout JournalPlace?
    ) throws -> [JournalPiece] {
        guard let start = place, let (pieces, next) = try journal.pieces(kind, after: start) else {
            place = nil
            return []
        }
        place = next
        return pieces
    }

    private static func note(_ piece: JournalPiece, _ report: inout Report, _ owners: inout Set<String>) throws {
        let at: Int64
        switch piece {
        case .attempt(let seq, let entries, _, _):
            guard let facts = try? JournalPiece.facts(entries) else {
                throw JournalCopyFailure("the attempt in row \(seq) can't be read: restore a backup first")
            }
            report.facts += (try? JournalPiece.list(entries).count) ?? 0
            report.last = facts.intent.attempt
            if facts.isOpen, !facts.isEnded { owners.insert(facts.newest.owner) }
            at = entries.map(\.at).max() ?? 0
        case .answer(_, let time, _), .notice(_, _, let time, _), .event(_, _, let time, _): at = time
        case .forgotten: return
        }
        report.lastAt = max(report.lastAt ?? at, at)
    }
}
