/// Why a file can't be used as a journal.
enum SQLiteOpenError: Error, Hashable {
    /// It is a database of something else.
    case notOurs
    /// A newer version of this software has written it.
    case newer(found: Int64, known: Int64)
    /// Former software has written it.
    case former(found: Int64, known: Int64)
    /// SQLite refused a setting that the journal can't do without.
    case setting(String)
    /// The file or its log holds other bits than were written.
    case damaged(String)
    /// Its tables are not the ones that a journal has.
    case otherShape
    /// No thread could be made for it.
    case noThread

    var words: String {
        switch self {
        case .notOurs: "the file is a database of something else; choose another path"
        case .newer(let found, let known):
            "the file has format \(found), and this software knows up to \(known); use the newer software"
        case .former(let found, let known):
            "it is a journal of format \(found), and this software reads and writes format \(known). Nothing was changed. Keep "
                + "the file, name another path for the new journal, and import the payments that may still be refunded "
                + "(payctl journal import)"
        case .setting(let name): "the setting \(name) could not be made; the disk may not support it"
        case .damaged(let what): "\(what) is damaged; restore it from a copy, and keep this one to see what it holds"
        case .otherShape:
            "its tables are not those of a journal of this version; somebody has changed them. Restore it from a copy"
        case .noThread: "the system has no thread left for it"
        }
    }
}
