internal import PaymentCore
internal import PaymentJournalKit
internal import PaymentProviderKit
internal import PaymentService

extension Command {
    /// The journal's payments.
    static let list = Command(
        name: "list", summary: "lists the payments of the journal, newest first",
        example: "payctl list --status approved --limit 50",
        takes: .configured(with: [
            .value("provider", "NAME", "only those of one provider"),
            .value("status", "WORD", "only those in one state, such as refunded or open"),
            .value("reference", "TEXT", "only those under one reference"),
            .value("part", "TEXT", "only those of one part of a reference"),
            .value("from", "TIME", "only those that began then or later: 2026-11-30 or 2026-11-30T08:00:00Z"),
            .value("to", "TIME", "only those that began before"),
            .value("limit", "N", "how many at most, 1 to 1000; 20 by default"),
            .value("after", "N", "continues where a page said that there is more"),
            .flag("follow", "continues with every new payment, until it is stopped"), .scope,
        ]), writesTable: true
    ) { call in
        let listing = try PaymentListing(call)
        return try await CommandSession.use(call, .journal, scope: call.given["scope"] ?? "") { till in
            try await listing.check(till)
            return try await listing.run(till)
        }
    }
}

/// A listing of payments from the command line.
struct PaymentListing: Sendable {
    private static let words = (PaymentRecord.statuses + ["open"]).sorted()
    /// How often the journal is looked at while it is followed, in milliseconds.
    private static let everyMilliseconds: Int64 = 500

    private let call: Invocation
    private let limit: Int
    private let after: PaymentPage.Cursor?
    /// When a payment began that is wanted, in milliseconds since 1970.
    private let began: Range<Int64>

    init(_ call: Invocation) throws {
        self.call = call
        let (from, to) = (try call.moment("from") ?? .min, try call.moment("to") ?? .max)
        guard from < to else { throw UsageError(message: "--from comes before --to") }
        began = from..<to
        limit = Int(try call.integer("limit", in: 1...1_000, 20))
        after = try call.given["after"].map { text throws(UsageError) in
            guard let number = Int64(text), number >= 0 else {
                throw UsageError(message: "--after wants the number that the page before ended with, not \(text)")
            }
            return PaymentPage.Cursor(JournalCursor(number))
        }
        if let word = call.given["status"], !Self.words.contains(word) {
            throw UsageError.unknown("status", word, of: Self.words)
        }
    }

    /// Refuses a provider that neither the configuration nor the journal knows.
    func check(_ till: CommandSession) async throws {
        let names = till.configuration.providers.map(\.id.rawValue)
        guard let name = call.given["provider"], !names.contains(name) else { return }
        for try await payment in till.client.allPayments() where payment.provider.id.rawValue == name { return }
        throw UsageError.unknown("provider", name, of: names)
    }

    private func matches(_ record: PaymentRecord) -> Bool {
        isWanted(record) && reference.map { $0 == record.reference } ?? true
            && record.origin?.isPart(call.given["part"]) ?? true
    }

    /// The wanted reference, as the journal writes it.
    private var reference: String? { call.given["reference"].map { ReferenceText.normalized($0) } }

    private func isWanted(_ record: PaymentRecord) -> Bool {
        if let provider = call.given["provider"], record.provider.id.rawValue != provider { return false }
        guard began.contains(record.createdAt) else { return false }
        guard let word = call.given["status"] else { return true }
        return word == "open" ? !record.openAttempts.isEmpty : record.status == word
    }

    /// The imported payments that what was asked for under the wanted reference turned out to be: they have references and parts
    /// of their own.
    private func imports(_ client: PaymentClient) async -> [PaymentRecord] {
        guard let reference else { return [] }
        let part = call.given["part"]
        // What can't be read is named beside the list.
        let found = (try? await client.payments(reference: reference) { $0.isPart(part) }) ?? []
        // What fits by its own words is in the list already.
        return found.filter { isWanted($0) && !matches($0) }
    }

    func run(_ till: CommandSession) async throws -> ExitStatus {
        if call.given.has("follow") {
            guard call.format != .csv else { throw UsageError(message: "--follow has no end, and a table has one") }
            return try await follow(till)
        }
        let (records, unreadable, next) = try await page(till.client)
        // At its end a list says what it did not show.
        let others = next == nil ? try await till.attemptsOfOtherScopes().filter(\.intent.isOrigin) : []
        let isNarrow = call.console.columns.map { $0 < Self.wideColumns } ?? false
        var table = isNarrow ? Self.narrow : Self.wide
        let short = ShortIDs(records.map(\.id.attempt.text))
        table.rows = records.map { isNarrow ? shortRow($0, short, till) : row($0, till) }
        table.painted = [isNarrow ? 4 : 5: { [paint = call.paint] in PaymentRecord.painted($0, paint) }]
        var lines = records.isEmpty ? ["no payment"] : table.lines(within: call.console.columns)
        if isNarrow, let first = records.first {
            let example = "payctl show \(short[first.id.attempt.text])"
            lines += ["", "Any command takes the short form with its …, as in: \(example)"]
        }
        let hidden =
            others.isEmpty ? nil : "\(others.count) payments of other scopes (\(others.scopeNames)) are not shown"
        if let hidden { lines += ["", hidden] }
        let check = call.command("journal check")
        let lacks = unreadable.isEmpty ? nil : "\(unreadable.count) payments here can't be read: \(check)"
        if let lacks { lines += ["", lacks] }
        var looked = try await LookedAt(of: till)
        if call.given["from"] != nil || call.given["to"] != nil { looked.look(from: began.lowerBound) }
        lines += [""] + looked.lines(scopes: till.scopeWords, within: call.console.columns)
        let more = next.map { "more       \(call.command("list --after \($0.place.number)"))" }
        if let more { lines += ["", more] }
        if call.format == .csv {
            // A table has no place for what is not in it.
            for note in [more, hidden, lacks, looked.lack].compactMap(\.self) { call.note(note) }
        }
        // What is beside a payment is looked up for JSON alone: the text does not show it.
        let items = call.format == .json ? await PaymentView.Seen.all(records, by: till.client) : []
        let page = BookShapes.Page(
            items: items, next: next.map { String($0.place.number) }, unreadable: unreadable, others: others.count,
            lookedAt: looked)
        call.say(BookShapes.page, page, lines, csv: Self.table(records))
        return .fine
    }

    /// From how many characters a line has room for whole ids.
    private static let wideColumns = 118
    private static let wide = TextTable(
        ["payment", "when", "provider", "operation", "amount", "state", "reference"], right: [4])
    private static let narrow = TextTable(["payment", "when", "provider", "amount", "state", "reference"], right: [3])

    private func row(_ record: PaymentRecord, _ till: CommandSession) -> [String] {
        [
            record.id.attempt.text, record.createdAt.time, till.shown(record.provider), record.operation.rawValue,
            record.sum, record.words, record.reference,
        ]
    }

    private func shortRow(_ record: PaymentRecord, _ short: ShortIDs, _ till: CommandSession) -> [String] {
        [
            short[record.id.attempt.text], record.createdAt.shortTime, till.shown(record.provider), record.sum,
            record.words,
            record.reference,
        ]
    }

    /// All of them, for a program that reads tables.
    private static func table(_ records: [PaymentRecord]) -> CSVText {
        var table = CSVText([
            "payment", "begunAt", "provider", "environment", "operation", "status", "open", "reference", "requested",
            "authorized", "captured", "refunded", "currency", "source", "brand", "last4",
        ])
        for record in records {
            let card = record.attempts.lazy.compactMap(\.card).first
            table.add([
                .text(record.id.attempt.text), .text(record.createdAt.time), .text(record.provider.id.rawValue),
                .text(record.provider.environment), .text(record.operation.rawValue), .text(record.status),
                .number("\(record.openAttempts.count)"), .text(record.reference), .number(record.requested.decimalText),
                .number(record.amounts.authorized.decimalText), .number(record.amounts.captured.decimalText),
                .number(record.amounts.refunded.decimalText), .text(record.requested.currency.code),
                .optional(record.source?.rawValue), .optional(card?.brandName), .optional(card?.last4),
            ])
        }
        return table
    }

    /// One page of what matches, what was passed over because it can't be read, and where the next one begins.
    private func page(
        _ client: PaymentClient
    ) async throws -> ([PaymentRecord], unreadable: [AttemptID], PaymentPage.Cursor?) {
        var (found, unreadable, last) = ([PaymentRecord](), [AttemptID](), after)
        while true {
            // One at a time near the end, so that the next page begins right behind the last that is shown.
            let wanted = call.isFiltered ? 1 : limit - found.count
            let page = try await client.payments(after: last, limit: wanted)
            found += page.payments.filter { matches($0) }
            unreadable += page.unreadable
            guard let next = page.next else { return (found + (await imports(client)), unreadable, nil) }
            last = next
            if found.count >= limit { return (found, unreadable, last) }
        }
    }

    /// A line for each payment that is new or has come to something, until the task is cancelled.
    private func follow(_ till: CommandSession) async throws -> ExitStatus {
        let client = till.client
        let clock = SystemClock()
        var known: [PaymentID: String] = [:]
        while !Task.isCancelled, call.console.isOutputWritten {
            for record in try await client.payments(limit: ListQuery.limitMax).payments.reversed()
            where matches(record) {
                guard known.updateValue(record.status, forKey: record.id) != record.status else { continue }
                let lines = [row(record, till).joined(separator: "  ")]
                if call.format == .json {
                    call.say(PaymentView.summary, await .init(record, by: client), lines)
                } else {
                    call.say([:], lines)
                }
            }
            do { try await clock.sleep(until: clock.now + Self.everyMilliseconds) } catch { break }
        }
        return .fine
    }
}

extension Invocation {
    /// Whether a listing shows only some of what there is.
    fileprivate var isFiltered: Bool {
        ["provider", "status", "reference", "part", "from", "to"].contains { given[$0] != nil }
    }

    /// An option that is a day or a moment, in UTC; nil where it is left out.
    fileprivate func moment(_ name: String) throws(UsageError) -> Int64? {
        guard let text = given[name] else { return nil }
        let day = CalendarDate(iso: text) == nil ? text : "\(text)T00:00:00Z"
        guard let time = Timestamp(day) else {
            throw UsageError(
                message:
                    "--\(name) takes a day such as 2026-11-30 or a moment such as 2026-11-30T08:00:00Z, not \(text)")
        }
        return time.milliseconds
    }
}

extension Command {
    /// The events of all processes.
    static let tail = Command(
        name: "tail",
        summary: "prints the newest payments' last events, then every new one of the default scope until stopped",
        example: "payctl tail --last 20",
        takes: .configured(with: [
            .value("last", "N", "how many of those that are there, 0 to 1000; 10 by default"),
            .flag("once", "ends after those"),
        ])
    ) { call in
        let last = Int(try call.integer("last", in: 0...1_000, 10))
        return try await CommandSession.use(call, .journal) { till in
            try await JournalTail(call, till.client).run(last: last, isOnce: call.given.has("once"))
        }
    }
}

/// Events of every payment, read off the journal that all processes share.
struct JournalTail {
    /// How often the journal is looked at, in milliseconds.
    private static let everyMilliseconds: Int64 = 500

    private let call: Invocation
    private let client: PaymentClient

    init(_ call: Invocation, _ client: PaymentClient) { (self.call, self.client) = (call, client) }

    func run(last: Int, isOnce: Bool) async throws -> ExitStatus {
        let clock = SystemClock()
        var place = try await client.events(after: nil, limit: 0).next
        // What is written while these are read is behind the place as well.
        let shown = try await newest(last).suffix(last)
        for event in shown { tell(event) }
        let told = Set(shown)
        while !isOnce, !Task.isCancelled, call.console.isOutputWritten {
            do { try await clock.sleep(until: clock.now + Self.everyMilliseconds) } catch { break }
            var isWhole = false
            while !isWhole {
                let page = try await client.events(after: place, limit: ListQuery.limitMax)
                for item in page.events where !told.contains(item.event) { tell(item.event, item.position.description) }
                place = page.next
                isWhole = page.events.count < ListQuery.limitMax
            }
        }
        return .fine
    }

    /// The events of so many of the newest payments, oldest first; each payment has one at least.
    private func newest(_ count: Int) async throws -> [PaymentEvent] {
        var found: [PaymentEvent] = []
        for payment in try await client.payments(limit: min(count, ListQuery.limitMax)).payments {
            found += try await client.timeline(of: payment.id)
        }
        return found.sorted { ($0.at, $0.sequence) < ($1.at, $1.sequence) }
    }

    /// Prints an event; one of the feed has its place there, since the processes that write number each for itself.
    private func tell(_ event: PaymentEvent, _ place: String? = nil) {
        let payment = event.payment.map { "…" + $0.attempt.text.suffix(8) } ?? ""
        let words = event.words.isEmpty ? "" : "  \(event.words)"
        call.say(
            PaymentView.event,
            place.map { .init(event: event, place: $0) } ?? event.payment.map { .init(event, of: $0) }
                ?? .init(live: event),
            ["\(event.at.time)  \(payment)  \(event.provider?.rawValue ?? "")  \(event.kind.rawValue)\(words)"])
    }
}

extension Invocation {
    /// Whether it waits for what others write.
    var isFollowing: Bool { given.has("follow") || words.first == "tail" && !given.has("once") }
}
