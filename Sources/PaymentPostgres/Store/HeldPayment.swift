internal import PaymentAbstraction

/// One entry of a log as it is stored.
struct LogRow {
    let number: Int64
    let content: Int64
    let at: Int64
    let write: [UInt8]
    let events, answer, timeline: [UInt8]

    /// What guards the row.
    func sum(_ payment: Int64) -> Int64 {
        RowSum.of(
            .integer(payment), .integer(number), .bytes(write), .integer(content), .integer(at), .bytes(events),
            .bytes(answer), .bytes(timeline))
    }
}

/// The row of an attempt that is open, could be something found, or is looked up.
struct OpenRow {
    let attempt: AttemptID
    let isOpen: Bool
    let isCandidate: Bool
    let looks: Int64
    let next: Int64?
    /// Since when a message owes a lookup.
    let owed: [UInt8]?
    /// Which boots have looked at it.
    let marks: [UInt8]?
}

/// A payment as one statement shows it: its log, and the rows that change with it.
struct HeldPayment {
    let number: Int64
    let attempts: [Attempt]
    let log: [LogRow]
    let open: [AttemptID: OpenRow]
    /// Steps of the timeline that wait for the next entry.
    let waiting: [(seq: Int64, body: [UInt8])]

    var entry: Int { log.count }
    var id: PaymentID { attempts[0].intent.paymentID }
    func attempt(_ id: AttemptID) -> Attempt? { attempts.first { $0.intent.attempt == id } }

    /// A row of a statement: the payment, or the name of what can't be read.
    struct Row {
        let number: Int64
        /// The attempt that started it.
        let id: AttemptID?
        let outcome: Result<HeldPayment, PostgresStoreError>

        func get() throws(PostgresStoreError) -> HeldPayment { try outcome.get() }
    }

    /// Reads all rows of a statement whose columns from `column` on are those of a payment.
    static func rows(_ rows: PostgresRows, from column: Int = 0) -> [Row] {
        (0..<rows.count).map { row in
            let ids = rows.text(row, column + 1).split(separator: " ").map { try? AttemptID(String($0)) }
            let number = rows.integer(row, column)
            return Row(
                number: number, id: ids.first ?? nil,
                outcome: Result { () throws(PostgresStoreError) in
                    try HeldPayment(
                        number, ids, rows.bytes(row, column + 2), rows.bytes(row, column + 3),
                        rows.bytes(row, column + 4))
                })
        }
    }

    private init(
        _ number: Int64, _ ids: [AttemptID?], _ log: [UInt8], _ open: [UInt8], _ waiting: [UInt8]
    ) throws(PostgresStoreError) {
        let unreadable = PostgresStoreError.unreadable(ids.first ?? nil)
        self.number = number
        do {
            self.log = try Self.log(log, number)
            self.open = try Self.open(open)
            self.waiting = try Self.waiting(waiting)
            attempts = try Self.attempts(self.log)
        } catch { throw unreadable }
        // A payment whose last entries are missing still has the ids of their attempts.
        guard !attempts.isEmpty, Set(ids) == Set(attempts.map(\.intent.attempt)) else { throw unreadable }
    }

    private static func log(_ bytes: [UInt8], _ payment: Int64) throws(EventCodec.DecodingError) -> [LogRow] {
        var (rows, reader): ([LogRow], PieceReader) = ([], PieceReader(bytes))
        while !reader.isAtEnd {
            let (number, content, at) = (try reader.integer(), try reader.integer(), try reader.integer())
            let sum = try reader.integer()
            let row = LogRow(
                number: number, content: content, at: at, write: try reader.bytes(), events: try reader.bytes(),
                answer: try reader.bytes(), timeline: try reader.bytes())
            guard number == Int64(rows.count + 1), row.sum(payment) == sum else { throw EventCodec.DecodingError() }
            rows.append(row)
        }
        return rows
    }

    static func open(_ bytes: [UInt8]) throws(EventCodec.DecodingError) -> [AttemptID: OpenRow] {
        var (rows, reader): ([AttemptID: OpenRow], PieceReader) = ([:], PieceReader(bytes))
        while !reader.isAtEnd {
            let (looks, next, flags) = (try reader.integer(), try reader.integer(), try reader.integer())
            let text = String(decoding: try reader.bytes(), as: UTF8.self)
            guard let id = try? AttemptID(text) else { throw EventCodec.DecodingError() }
            let (owed, marks) = (try reader.optionalBytes(), try reader.optionalBytes())
            rows[id] = OpenRow(
                attempt: id, isOpen: flags & 1 != 0, isCandidate: flags & 2 != 0, looks: looks,
                next: next == .min ? nil : next, owed: owed, marks: marks)
        }
        return rows
    }

    private static func waiting(_ bytes: [UInt8]) throws(EventCodec.DecodingError) -> [(seq: Int64, body: [UInt8])] {
        var (rows, reader): ([(seq: Int64, body: [UInt8])], PieceReader) = ([], PieceReader(bytes))
        while !reader.isAtEnd {
            let (seq, sum, body) = (try reader.integer(), try reader.integer(), try reader.bytes())
            guard sum == RowSum.of(.bytes(body)) else { throw EventCodec.DecodingError() }
            rows.append((seq, body))
        }
        return rows
    }

    private static func attempts(_ log: [LogRow]) throws(EventCodec.DecodingError) -> [Attempt] {
        var (events, order): ([AttemptID: [Attempt.Event]], [AttemptID]) = ([:], [])
        for row in log {
            for one in try EventCodec.appended(row.events) {
                if events[one.attempt] == nil { order.append(one.attempt) }
                events[one.attempt, default: []] += one.events
            }
        }
        var attempts: [Attempt] = []
        for id in order {
            guard let held = events[id].flatMap({ Attempt($0) }), held.intent.attempt == id else {
                throw EventCodec.DecodingError()
            }
            attempts.append(held)
        }
        return attempts
    }
}

/// Takes apart what a statement put together of several rows.
struct PieceReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    private mutating func number(_ count: Int) throws(EventCodec.DecodingError) -> Int64 {
        guard rest.count >= count, let first = rest.first else { throw EventCodec.DecodingError() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
    }

    /// Eight bytes.
    mutating func integer() throws(EventCodec.DecodingError) -> Int64 { try number(8) }

    /// Bytes behind their length in four bytes; nil for a length of -1.
    mutating func optionalBytes() throws(EventCodec.DecodingError) -> [UInt8]? {
        let count = Int(try number(4))
        if count < 0 { return nil }
        guard rest.count >= count else { throw EventCodec.DecodingError() }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func bytes() throws(EventCodec.DecodingError) -> [UInt8] { try optionalBytes() ?? [] }
}

extension Attempt {
    /// Whether the provider's name is one of its names.
    func has(_ name: ProviderName) -> Bool { names.contains { $0.value == name.value && $0.account == name.account } }
}
