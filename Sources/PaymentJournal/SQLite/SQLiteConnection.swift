internal import CSQLite

/// One connection, owned by the thread that made it.
@safe final class SQLiteConnection {
    private var handle: OpaquePointer?
    private var statements: [String: SQLiteStatement] = [:]

    /// How long to wait for another process that writes, in milliseconds; measured waits stay below one second.
    static let busyMilliseconds: Int32 = 10_000

    /// Opens a file; makes it when there is none and it may be written.
    init(path: String, isReadOnly: Bool) throws(SQLiteFailure) {
        let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = unsafe sqlite3_open_v2(path, &handle, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK else {
            unsafe sqlite3_close_v2(handle)
            unsafe handle = nil
            throw SQLiteFailure(code: code, doing: "opening")
        }
        unsafe sqlite3_busy_timeout(handle, Self.busyMilliseconds)
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

    /// A statement, prepared once and then kept.
    func prepared(_ sql: String, doing: String) throws(SQLiteFailure) -> SQLiteStatement {
        if let kept = statements[sql] {
            kept.reset()
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

    /// One number that a statement gives.
    func number(_ sql: String, doing: String) throws(SQLiteFailure) -> Int64 {
        let statement = try prepared(sql, doing: doing)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }
}
