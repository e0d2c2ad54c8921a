internal import CSQLite

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
