internal import CSQLite

/// What SQLite refused, in words that hold nothing of what is stored.
struct SQLiteFailure: Error, Hashable {
    let code: Int32
    let doing: String

    /// What went wrong and what to do about it.
    var words: String {
        switch code & 0xFF {
        case SQLITE_FULL: "the disk or the file is full while \(doing); make room"
        case SQLITE_READONLY, SQLITE_PERM: "the file can't be written while \(doing); check who owns it and its mode"
        case SQLITE_BUSY, SQLITE_LOCKED: "another process holds the file for too long while \(doing)"
        case SQLITE_CORRUPT: "the file is damaged (found while \(doing)); restore it from a copy, and keep this one"
        case SQLITE_NOTADB: "the file is no journal, or is damaged at its beginning; choose another path or restore it"
        case SQLITE_CANTOPEN: "the file can't be opened while \(doing); check the path and the folder's mode"
        case SQLITE_IOERR: "the disk failed while \(doing) (code \(code))"
        default: "the file could not be used while \(doing) (code \(code))"
        }
    }
}
