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
                .init(name: "after", value: "PAYMENT", summary: "goes on after the last payment of a page"),
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
        "approved", "begun", "cancelled", "declined", "inDoubt", "notMoved", "pending", "submitted",
    ]
    /// How often the journal is looked at while somebody follows it, in milliseconds.
    private static let everyMilliseconds: Int64 = 500

    private let call: Invocation
    private let limit: Int
    private let after: PaymentID?

    init(_ call: Invocation) throws {
        self.call = call
        limit = Int(try call.integer("limit", in: 1...1_000, 20))
        after = try call.given["after"].map { text throws(PaymentError) in try PaymentID(text) }
        if let word = call.given["status"], !Self.words.contains(word) {
            throw UsageError.unknown("status", word, of: Self.words, near: NearestName.of(word, in: Self.words))
        }
    }

    private func matches(_ record: AttemptRecord) -> Bool {
        if let provider = call.given["provider"], record.provider.id.rawValue != provider { return false }
        if let word = call.given["status"], record.word != word { return false }
        if let reference = call.given["reference"], record.intent.reference != reference { return false }
        return true
    }

    func run(_ client: PaymentClient) async throws -> ExitStatus {
        if call.given.has("follow") { return try await follow(client) }
        let (records, next) = try await page(client)
        var table = TextTable(
            ["payment", "when", "provider", "operation", "amount", "status", "reference"], right: [4])
        table.rows = records.map(Self.row)
        call.say(
            ["payments": .array(records.map(\.json)), "next": .text(next?.attempt.text)],
            table.lines + (next.map { ["", "more: --after \($0)"] } ?? []))
        return .fine
    }

    private static func row(_ record: AttemptRecord) -> [String] {
        [
            record.intent.attempt.text, record.begunAt.time, record.provider.id.rawValue,
            record.intent.operation.rawValue, "\(record.intent.amount)", record.word, record.intent.reference,
        ]
    }

    /// One page of what matches, and where the next one begins.
    private func page(_ client: PaymentClient) async throws -> ([AttemptRecord], PaymentID?) {
        var (found, last) = ([AttemptRecord](), after)
        while true {
            let records = try await client.payments(after: last, limit: ListQuery.limitMax)
            for record in records {
                if matches(record) { found.append(record) }
                last = record.intent.paymentID
                if found.count == limit { return (found, last) }
            }
            if records.count < ListQuery.limitMax { return (found, nil) }
        }
    }

    /// A line for each payment that is new or has come to something, until the task is cancelled.
    private func follow(_ client: PaymentClient) async throws -> ExitStatus {
        let clock = SystemClock()
        var known: [PaymentID: String] = [:]
        while !Task.isCancelled {
            for record in try await client.payments(limit: ListQuery.limitMax).reversed() where matches(record) {
                guard known.updateValue(record.word, forKey: record.intent.paymentID) != record.word else { continue }
                call.say(record.json, [Self.row(record).joined(separator: "  ")])
            }
            do { try await clock.sleep(until: clock.now + Self.everyMilliseconds) } catch { break }
        }
        return .fine
    }
}
