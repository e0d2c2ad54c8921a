internal import CSQLite
internal import PaymentSystem

/// One connection, owned by the thread that made it.
@safe final class SQLiteConnection {
    private var handle: OpaquePointer?
    private var statements: [String: SQLiteStatement] = [:]

    /// Opens a file; makes it when there is none and it may be written.
    init(path: String, isReadOnly: Bool, busyMilliseconds: Int32) throws(SQLiteFailure) {
        let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = unsafe sqlite3_open_v2(path, &handle, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK else {
            unsafe sqlite3_close_v2(handle)
            unsafe handle = nil
            throw SQLiteFailure(code: code, doing: "opening")
        }
        waitWhenBusy(busyMilliseconds)
    }

    /// Looks again every millisecond while another process writes. SQLite's own waiting grows to a tenth of a second,
    /// and whoever waits so long between two looks loses to those who have just come.
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
        if let kept = statements[sql] {
            kept.rewind()
            return kept
        }
        var statement: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement = unsafe statement else {
            throw SQLiteFailure(code: code, doing: doing)
        }
        let fresh = unsafe SQLiteStatement(statement, doing: doing)
        statements[sql] = fresh
        return fresh
    }

    /// Whether a transaction is open; after some failures SQLite has ended it by itself.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// How many rows the last statement changed.
    var changedCount: Int { Int(unsafe sqlite3_changes(handle)) }

    /// How many rows were changed since the connection was opened, those that were undone included.
    var changedTotal: Int64 { unsafe sqlite3_total_changes64(handle) }

    /// The number of the row that was inserted last.
    var lastRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// Whether the log is left as it is when the last connection closes.
    func keepLog(_ keeps: Bool) { unsafe pay_keep_log(handle, keeps ? 1 : 0) }

    /// Lets the file run nothing of its own, and nobody write to its shape but by statements that are meant for that.
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
