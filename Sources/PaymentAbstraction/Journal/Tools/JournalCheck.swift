/// What a check of a journal found.
package struct JournalReport: Hashable, Sendable {
    /// One thing that is wrong, or that a person should look at.
    package enum Problem: Hashable, Sendable {
        /// Pages, indexes or rows of the store, in words.
        case store(String)
        /// The payment of this number can't be read, or holds other bits than were written.
        case payment(number: Int64, id: String)
        /// The timeline of a payment can't be read.
        case timeline(PaymentID)
        /// A row of the store does not fit to what the payment's log says.
        case row(PaymentID, String)
        /// The waiting message of this number can't be read.
        case notice(number: Int64)
        /// More was given back than was taken.
        case overRefunded(PaymentID)
        /// Payments under one reference and part that are active at once.
        case activeTwice([PaymentID])
    }

    package internal(set) var payments = 0
    package internal(set) var attempts = 0
    /// Steps of timelines.
    package internal(set) var events = 0
    /// Messages that wait for a name.
    package internal(set) var notices = 0
    /// What is wrong; no more than ``problemsMax`` are kept.
    package private(set) var problems: [Problem] = []

    package static let problemsMax = 1_000

    package init() {}

    mutating func add(_ problem: Problem) { if problems.count < Self.problemsMax { problems.append(problem) } }
}

extension JournalMaintenance {
    /// Reads everything: pages and indexes, every log and every row that is computed from it, what was refunded, and which
    /// payments are active under one reference. What others write meanwhile may not be looked at.
    package func check(at now: JournalInstant) async throws(JournalFailure) -> JournalReport {
        var report = JournalReport()
        for words in try await damage() { report.add(.store(words)) }
        var rows: [PaymentRecord.Reference: [PaymentRecord.ReferenceRow]] = [:]
        do {
            try await forEachLog { log in
                report.payments += 1
                guard let attempts = try? log.attempts() else {
                    return report.add(.payment(number: log.number, id: log.id))
                }
                let record = PaymentRecord(attempts)
                report.attempts += attempts.count
                for words in log.mismatches { report.add(.row(record.id, words)) }
                if let timeline = try? log.timeline() {
                    report.events += timeline.count
                } else {
                    report.add(.timeline(record.id))
                }
                if record.isOverRefunded { report.add(.overRefunded(record.id)) }
                if let row = record.referenceRow, row.blocks(at: now) { rows[row.reference, default: []].append(row) }
            }
            try await forEachWaitingNotice { waiting in
                report.notices += 1
                if waiting.notice == nil { report.add(.notice(number: waiting.number)) }
            }
        } catch let failure as JournalFailure { throw failure } catch { throw .notWritten("\(type(of: error))") }
        for active in rows.values where active.count > 1 {
            let twice = active.filter { row in active.contains { $0.payment != row.payment && $0.excludes(row) } }
            if !twice.isEmpty { report.add(.activeTwice(twice.map(\.payment))) }
        }
        return report
    }
}

extension PaymentRecord.ReferenceRow {
    /// Whether the two can't be active at once: the whole and any part, and the same part.
    fileprivate func excludes(_ other: Self) -> Bool { part.isEmpty || other.part.isEmpty || part == other.part }
}

extension PaymentRecord {
    /// Whether more was given back than was taken.
    var isOverRefunded: Bool {
        amounts.refunded.minorUnits > amounts.captured.minorUnits && !amounts.refunded.isZero && origin != nil
    }
}
