internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit

extension Command {
    /// The journal's payments.
    static let list = Command(
        name: "list", summary: "lists the payments of the journal, newest first",
        example: "payctl list --status approved --limit 50",
        takes: AcceptedArguments(
            options: AcceptedArguments.Option.configured + [
                .init(name: "provider", value: "NAME", summary: "only those of one provider"),
                .init(name: "status", value: "WORD", summary: "only those in one state, such as approved or inDoubt"),
                .init(name: "reference", value: "TEXT", summary: "only those under one reference"),
                .init(name: "limit", value: "N", summary: "how many at most, 1 to 1000; 20 by default"),
                .init(name: "after", value: "N", summary: "goes on where a page said that there is more"),
                .init(name: "follow", value: nil, summary: "goes on with every new payment, until it is stopped"),
            ])
    ) { call in
        let listing = try PaymentListing(call)
        return try await CommandSession.use(call, .journal) { till in try await listing.run(till.client) }
    }
}

/// A listing of payments from the command line.
struct PaymentListing: Sendable {
    private static let words = [
        "approved", "begun", "cancelled", "declined", "inDoubt", "notMoved", "partlyRefunded", "pending", "refunded",
        "submitted", "voided",
    ]
    /// How often the journal is looked at while somebody follows it, in milliseconds.
    private static let everyMilliseconds: Int64 = 500

    private let call: Invocation
    private let limit: Int
    private let after: JournalCursor?

    init(_ call: Invocation) throws {
        self.call = call
        limit = Int(try call.integer("limit", in: 1...1_000, 20))
        after = try call.given["after"].map { text throws(UsageError) in
            guard let number = Int64(text) else {
                throw UsageError(message: "--after wants the number that the page before ended with, not \(text)")
            }
            return JournalCursor(number)
        }
        if let word = call.given["status"], !Self.words.contains(word) {
            throw UsageError.unknown("status", word, of: Self.words, near: NearestName.of(word, in: Self.words))
        }
    }

    private func matches(_ record: PaymentRecord) -> Bool {
        if let provider = call.given["provider"], record.provider.id.rawValue != provider { return false }
        if let word = call.given["status"], record.word != word { return false }
        if let reference = call.given["reference"], record.reference != reference { return false }
        return true
    }

    func run(_ client: PaymentClient) async throws -> ExitStatus {
        if call.given.has("follow") { return try await follow(client) }
        let (records, next) = try await page(client)
        var table = TextTable(
            ["payment", "when", "provider", "operation", "amount", "status", "reference"], right: [4])
        table.rows = records.map(Self.row)
        call.say(
            ["payments": .array(records.map(\.json)), "next": .text(next.map { String($0.number) })],
            table.lines + (next.map { ["", "more: --after \($0.number)"] } ?? []))
        return .fine
    }

    private static func row(_ record: PaymentRecord) -> [String] {
        [
            record.id.attempt.text, record.begunAt.time, record.provider.id.rawValue, record.operation.rawValue,
            "\(record.requested)", record.word, record.reference,
        ]
    }

    /// One page of what matches, and where the next one begins.
    private func page(_ client: PaymentClient) async throws -> ([PaymentRecord], JournalCursor?) {
        var (found, last) = ([PaymentRecord](), after)
        while true {
            // One at a time near the end, so that the next page begins right behind the last that is shown.
            let wanted = call.isFiltered ? 1 : limit - found.count
            let page = try await client.payments(after: last, limit: wanted)
            found += page.payments.filter { matches($0) }
            guard let next = page.next else { return (found, nil) }
            last = next
            if found.count >= limit { return (found, last) }
        }
    }

    /// A line for each payment that is new or has come to something, until the task is cancelled.
    private func follow(_ client: PaymentClient) async throws -> ExitStatus {
        let clock = SystemClock()
        var known: [PaymentID: String] = [:]
        while !Task.isCancelled {
            for record in try await client.payments(limit: ListQuery.limitMax).payments.reversed()
            where matches(record) {
                guard known.updateValue(record.word, forKey: record.id) != record.word else { continue }
                call.say(record.json, [Self.row(record).joined(separator: "  ")])
            }
            do { try await clock.sleep(until: clock.now + Self.everyMilliseconds) } catch { break }
        }
        return .fine
    }
}

extension Invocation {
    /// Whether a listing shows only some of what there is.
    fileprivate var isFiltered: Bool { given["provider"] != nil || given["status"] != nil || given["reference"] != nil }
}
