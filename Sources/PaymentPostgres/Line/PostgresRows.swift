internal import CPostgres

/// What a statement gave; freed with its last reference.
@safe final class PostgresRows {
    private let result: OpaquePointer?
    /// How many rows there are.
    let count: Int

    init(_ result: OpaquePointer?) {
        unsafe self.result = result
        count = Int(unsafe PQntuples(result))
    }

    deinit { unsafe PQclear(result) }

    /// What the server says it has done, as "COMMIT".
    var tag: String { unsafe PQcmdStatus(result).map { unsafe String(cString: $0) } ?? "" }

    /// What kind of result it is.
    var kind: ExecStatusType { unsafe PQresultStatus(result) }

    /// Has its own words read by somebody who knows the connection.
    func failure(_ read: (OpaquePointer?) -> PostgresFailure) -> PostgresFailure { unsafe read(result) }

    func isNull(_ row: Int, _ column: Int) -> Bool { unsafe PQgetisnull(result, Int32(row), Int32(column)) == 1 }

    private func value(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
        let count = unsafe PQgetlength(result, Int32(row), Int32(column))
        return unsafe UnsafeRawBufferPointer(start: PQgetvalue(result, Int32(row), Int32(column)), count: Int(count))
    }

    func bytes(_ row: Int, _ column: Int) -> [UInt8] { unsafe Array(value(row, column)) }

    func text(_ row: Int, _ column: Int) -> String { unsafe String(decoding: value(row, column), as: UTF8.self) }

    /// A whole number of any width.
    func integer(_ row: Int, _ column: Int) -> Int64 {
        let value = unsafe value(row, column)
        guard let first = unsafe value.first else { return 0 }
        return unsafe value.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
    }

    func flag(_ row: Int, _ column: Int) -> Bool { unsafe value(row, column).first == 1 }

    /// The first column of all rows.
    var integers: [Int64] { (0..<count).map { integer($0, 0) } }
}
