/// What a store gives to the tools that read or change a whole journal. Each is a transaction of its own, so that others
/// write meanwhile.
package protocol JournalMaintenance: Journal {
    /// The next payments after a number, oldest first.
    func logs(after number: Int64, limit: Int) async throws(JournalFailure) -> [StoredLog]
    /// The next messages that wait for a name.
    func waitingNotices(after number: Int64, limit: Int) async throws(JournalFailure) -> [StoredNotice]
    /// What is wrong with the store apart from the payments' logs: pages, indexes, rows that lead nowhere.
    func damage() async throws(JournalFailure) -> [String]
    /// Why the journal begins nothing now; nil if it does.
    func refusal() async throws(JournalFailure) -> String?
    /// Removes payments whose logs end with the entries that were read; their ids and names stay taken.
    ///
    /// - Returns: The numbers of those that were removed.
    func forget(_ payments: [StoredLog]) async throws(JournalFailure) -> Set<Int64>
    /// Removes messages that have waited since before a moment.
    func forgetNotices(before instant: Int64) async throws(JournalFailure) -> Int
    /// Writes what is queued, and closes the journal.
    func close() async
}

/// One payment as a store has it.
package struct StoredLog: Hashable, Sendable {
    /// One entry of the log, as it was written.
    package struct Entry: Hashable, Sendable {
        /// The id of the write.
        package let write: String
        /// Tells two commands under one id apart.
        package let content: Int64
        /// When it was written, in milliseconds since 1970.
        package let at: Int64
        /// What it appended, the answer and the steps of the timeline, as ``EventCodec`` and ``StoredAnswer`` write them.
        package let events, answer, timeline: [UInt8]

        package init(
            write: String, content: Int64, at: Int64, events: [UInt8], answer: [UInt8], timeline: [UInt8]
        ) {
            (self.write, self.content, self.at) = (write, content, at)
            (self.events, self.answer, self.timeline) = (events, answer, timeline)
        }
    }

    /// When an attempt is looked up next.
    package struct Look: Hashable, Sendable {
        package let attempt: String
        package let looks: Int64
        package let next: Int64?
        /// Since when a message owes a lookup, as the store writes it.
        package let owed: [UInt8]?

        package init(_ attempt: String, looks: Int64, next: Int64?, owed: [UInt8]?) {
            (self.attempt, self.looks, self.next, self.owed) = (attempt, looks, next, owed)
        }
    }

    /// The payment's number in its store.
    package let number: Int64
    /// The id under which the store finds it; empty if it can't be read.
    package let id: String
    package var entries: [Entry] = []
    /// Steps of the timeline that wait for the next entry.
    package var waiting: [[UInt8]] = []
    package var looks: [Look] = []
    /// Rows of the store that don't fit to the log, in words.
    package var mismatches: [String] = []
    /// Whether its rows are complete, and no bit of them changed.
    package var isWhole = true

    package init(number: Int64, id: String) { (self.number, self.id) = (number, id) }

    /// The attempts, in order.
    ///
    /// - Throws: `EventCodec.DecodingError` if something of it can't be read.
    package func attempts() throws(EventCodec.DecodingError) -> [Attempt] {
        guard isWhole else { throw EventCodec.DecodingError() }
        var events: [AttemptID: [Attempt.Event]] = [:]
        var order: [AttemptID] = []
        for entry in entries {
            for one in try EventCodec.appended(entry.events) {
                if events[one.attempt] == nil { order.append(one.attempt) }
                events[one.attempt, default: []] += one.events
            }
        }
        var found: [Attempt] = []
        for id in order {
            guard let held = events[id].flatMap({ Attempt($0) }), held.intent.attempt == id else {
                throw EventCodec.DecodingError()
            }
            found.append(held)
        }
        if found.isEmpty { throw EventCodec.DecodingError() }
        return found
    }

    /// The events of each attempt, in order.
    package func events() throws(EventCodec.DecodingError) -> [AttemptID: [Attempt.Event]] {
        var events: [AttemptID: [Attempt.Event]] = [:]
        for entry in entries {
            for one in try EventCodec.appended(entry.events) { events[one.attempt, default: []] += one.events }
        }
        return events
    }

    /// The steps of its timeline.
    package func timeline() throws(EventCodec.DecodingError) -> [PaymentEvent] {
        var steps: [PaymentEvent] = []
        for body in entries.map(\.timeline) + waiting where !body.isEmpty { steps += try EventCodec.events(body) }
        return steps
    }
}

/// A message that waits, as a store has it; nil if it can't be read.
package struct StoredNotice: Hashable, Sendable {
    package let number: Int64
    package let at: Int64
    package let notice: Notice?

    package init(_ number: Int64, at: Int64, _ notice: Notice?) {
        (self.number, self.at, self.notice) = (number, at, notice)
    }
}

extension JournalMaintenance {
    /// How many payments are read at once, so that others don't wait for long.
    private static var pageSize: Int { 200 }

    /// Reads all payments, oldest first.
    package func forEachLog(_ body: (StoredLog) async throws -> Void) async throws {
        var last: Int64 = 0
        while true {
            let logs = try await logs(after: last, limit: Self.pageSize)
            for log in logs { try await body(log) }
            guard let end = logs.last?.number else { return }
            last = end
        }
    }

    /// Reads all messages that wait for a name.
    package func forEachWaitingNotice(_ body: (StoredNotice) async throws -> Void) async throws {
        var last: Int64 = 0
        while true {
            let notices = try await waitingNotices(after: last, limit: Self.pageSize)
            for notice in notices { try await body(notice) }
            guard let end = notices.last?.number else { return }
            last = end
        }
    }

    /// Every attempt of the journal, of every scope.
    ///
    /// - Throws: `journal`, nothing moved, if one of them can't be read: a part of the journal is no journal.
    package func everyAttempt() async throws(PaymentError) -> [Attempt] {
        var attempts: [Attempt] = []
        do { try await forEachLog { attempts += try $0.attempts() } } catch {
            throw PaymentError.notExecuted(
                .journal, "The journal can't be read whole. Run `payctl journal check`, and restore a backup.")
        }
        return attempts
    }
}
