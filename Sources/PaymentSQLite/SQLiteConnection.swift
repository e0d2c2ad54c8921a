internal import CSQLite
internal import PaymentJournalKit
internal import PaymentSystem

/// One connection, owned by the thread that made it.
@safe final class SQLiteConnection {
    private var handle: OpaquePointer?
    private var statements: [SQL: SQLiteStatement] = [:]
    private let busyMilliseconds: Int32

    /// A statement's text. The program has few of them, so that their lengths tell nearly all apart.
    private struct SQL: Hashable {
        let text: String
        func hash(into hasher: inout Hasher) { hasher.combine(text.utf8.count) }
    }

    /// Opens a file; makes it when there is none and it may be written.
    ///
    /// - Parameter isUnchanging: Whether nothing writes the file in the meantime, so that it is read without any other
    ///   file.
    init(
        path: String, isReadOnly: Bool, isUnchanging: Bool = false, busyMilliseconds: Int32
    ) throws(SQLiteFailure) {
        self.busyMilliseconds = busyMilliseconds
        var access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        if isUnchanging { access |= SQLITE_OPEN_URI }
        let name = isUnchanging ? "file:\(Self.escaped(path))?immutable=1" : path
        let code = unsafe sqlite3_open_v2(name, &handle, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK else {
            unsafe sqlite3_close_v2(handle)
            unsafe handle = nil
            throw SQLiteFailure(code: code, doing: "opening")
        }
        waitWhenBusy(busyMilliseconds)
    }

    /// A path in which nothing means more than itself in an address.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            let isPlain =
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || "/-._".utf8.contains(byte)
            let digits = String(byte, radix: 16)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }

    /// Looks again every millisecond while another process writes. SQLite's own waiting grows to a tenth of a second,
    /// and a process that waits so long between two looks loses to processes that have just come.
    private func waitWhenBusy(_ milliseconds: Int32) {
        let looks = unsafe UnsafeMutableRawPointer(bitPattern: Int(max(1, milliseconds)))
        unsafe sqlite3_busy_handler(
            handle,
            { looks, count in
                guard Int(count) < Int(bitPattern: looks) else { return 0 }
                var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000)
                unsafe nanosleep(&pause, nil)
                return 1
            }, looks)
    }

    /// Runs a body that waits for no other process.
    func withoutWaiting<Value>(_ body: () -> Value) -> Value {
        waitWhenBusy(0)
        defer { waitWhenBusy(busyMilliseconds) }
        return body()
    }

    /// Frees everything; the connection is of no further use.
    func close() {
        for statement in statements.values { statement.finalize() }
        statements = [:]
        unsafe sqlite3_close_v2(handle)
        unsafe handle = nil
    }

    /// Runs one or more statements that give nothing back.
    func execute(_ sql: String, doing: String) throws(SQLiteFailure) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteFailure(code: code, doing: doing) }
    }

    /// Runs one statement that is run often and gives nothing back.
    func run(_ sql: String, doing: String) throws(SQLiteFailure) {
        try prepared(sql, doing: doing).run()
    }

    /// A statement, prepared once and then kept.
    func prepared(_ sql: String, doing: String) throws(SQLiteFailure) -> SQLiteStatement {
        if let kept = statements[SQL(text: sql)] {
            kept.rewind()
            return kept
        }
        var statement: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement = unsafe statement else {
            throw SQLiteFailure(code: code, doing: doing)
        }
        let fresh = unsafe SQLiteStatement(statement, doing: doing)
        statements[SQL(text: sql)] = fresh
        return fresh
    }

    /// Whether a transaction is open; after some failures SQLite has ended it on its own.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// How many rows the last statement changed.
    var changedCount: Int { Int(unsafe sqlite3_changes(handle)) }

    /// How many rows were changed since the connection was opened, those that were undone included.
    var changedTotal: Int64 { unsafe sqlite3_total_changes64(handle) }

    /// Whether the log is left as it is when the last connection closes.
    func keepLog(_ keeps: Bool) { unsafe pay_keep_log(handle, keeps ? 1 : 0) }

    /// Lets the file run nothing of its own, and its shape change only by statements that are meant for that.
    func defend() throws(SQLiteFailure) {
        let code = unsafe pay_defend(handle)
        guard code == SQLITE_OK else { throw SQLiteFailure(code: code, doing: "opening") }
    }

    /// Runs a statement with values that gives nothing back.
    func run(_ sql: String, _ values: [SQLiteValue], doing: String) throws(SQLiteFailure) {
        let statement = try prepared(sql, doing: doing)
        try statement.bind(values)
        try statement.run()
    }

    /// What a statement with values gives, row by row.
    func rows<Row>(
        _ sql: String, _ values: [SQLiteValue], doing: String, _ make: (SQLiteStatement) throws -> Row
    ) throws -> [Row] {
        let statement = try prepared(sql, doing: doing)
        defer { statement.reset() }
        try statement.bind(values)
        var rows: [Row] = []
        while try statement.step() { rows.append(try make(statement)) }
        return rows
    }

    /// The first text that a statement gives.
    func firstText(_ sql: String, doing: String) throws(SQLiteFailure) -> String? {
        let statement = try prepared(sql, doing: doing)
        defer { statement.reset() }
        return try statement.step() ? statement.text(0) : nil
    }

    /// One number that a statement gives.
    func number(_ sql: String, _ values: [SQLiteValue] = [], doing: String) throws(SQLiteFailure) -> Int64 {
        let statement = try prepared(sql, doing: doing)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? statement.integer(0) : 0
    }
}

/// One prepared statement, owned by its connection's thread.
@safe final class SQLiteStatement {
    private let handle: OpaquePointer
    private let doing: String

    init(_ handle: OpaquePointer, doing: String) {
        unsafe self.handle = unsafe handle
        self.doing = doing
    }

    func finalize() { unsafe sqlite3_finalize(handle) }

    /// Goes back to the beginning.
    func rewind() { unsafe sqlite3_reset(handle) }

    /// Goes back to the beginning and forgets what was bound.
    func reset() {
        rewind()
        unsafe sqlite3_clear_bindings(handle)
    }

    /// Binds values to the places 1, 2, 3, …; all of them.
    func bind(_ values: [SQLiteValue]) throws(SQLiteFailure) {
        guard values.count == Int(unsafe sqlite3_bind_parameter_count(handle)) else {
            throw SQLiteFailure(code: SQLITE_RANGE, doing: doing)
        }
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            let code: Int32
            switch value {
            case .null: code = unsafe sqlite3_bind_null(handle, place)
            case .integer(let number): code = unsafe sqlite3_bind_int64(handle, place, number)
            case .text(let text): code = bind(text, place)
            case .bytes(let bytes):
                code = unsafe bytes.withUnsafeBytes {
                    unsafe pay_bind_bytes(handle, place, $0.baseAddress, Int32($0.count))
                }
            }
            guard code == SQLITE_OK else { throw SQLiteFailure(code: code, doing: doing) }
        }
    }

    private func bind(_ text: String, _ place: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { chars in
                unsafe pay_bind_text(handle, place, chars.baseAddress, Int32(chars.count))
            }
        }
    }

    /// Moves to the next row; false when there is none.
    func step() throws(SQLiteFailure) -> Bool {
        let code = unsafe sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw SQLiteFailure(code: code, doing: doing)
        }
    }

    /// Runs to the end.
    func run() throws(SQLiteFailure) {
        defer { reset() }
        while try step() {}
    }

    func integer(_ column: Int) -> Int64 { unsafe sqlite3_column_int64(handle, Int32(column)) }

    func optionalInteger(_ column: Int) -> Int64? {
        unsafe sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL ? nil : integer(column)
    }

    /// Several columns as they are.
    func values(_ columns: ClosedRange<Int>) -> [SQLiteValue] {
        columns.map { column in
            switch unsafe sqlite3_column_type(handle, Int32(column)) {
            case SQLITE_NULL: .null
            case SQLITE_INTEGER: .integer(integer(column))
            case SQLITE_BLOB: .bytes(bytes(column) ?? [])
            default: .text(text(column) ?? "")
            }
        }
    }

    /// Bytes, which may be none; nil where there is null.
    func bytes(_ column: Int) -> [UInt8]? {
        if unsafe sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL { return nil }
        let start = unsafe sqlite3_column_blob(handle, Int32(column))
        let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    func text(_ column: Int) -> String? {
        guard let bytes = unsafe sqlite3_column_text(handle, Int32(column)) else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
        return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}

/// What a place of a statement can hold.
enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    static func integer(orNull number: Int64?) -> SQLiteValue { number.map { .integer($0) } ?? .null }
    static func flag(_ holds: Bool) -> SQLiteValue { .integer(holds ? 1 : 0) }
}

/// What SQLite refused, in words that hold nothing of what is stored.
struct SQLiteFailure: Error, Hashable {
    let code: Int32
    let doing: String

    /// What went wrong and what to do about it.
    var words: String {
        switch code & 0xFF {
        case SQLITE_FULL: "\(JournalTrouble.diskFull.rawValue) while \(doing); make room"
        case SQLITE_READONLY, SQLITE_PERM:
            "\(JournalTrouble.notWritable.rawValue) while \(doing); check who owns it and its mode"
        case SQLITE_BUSY, SQLITE_LOCKED: "\(JournalTrouble.locked.rawValue) while \(doing)"
        case SQLITE_CORRUPT:
            "\(JournalTrouble.damaged.rawValue) (found while \(doing)); restore it from a copy, and keep this one"
        case SQLITE_NOTADB:
            "\(JournalTrouble.notJournal.rawValue), or is damaged at its beginning; choose another path or restore it"
        case SQLITE_CANTOPEN: "the file can't be opened while \(doing); check the path and the folder's mode"
        // The file that processes share could not grow.
        case SQLITE_IOERR where code == SQLITE_IOERR | 19 << 8: "the disk is full, or failed, while \(doing); make room"
        case SQLITE_IOERR: "the disk failed while \(doing) (code \(code))"
        default: "the file could not be used while \(doing) (code \(code))"
        }
    }
}
