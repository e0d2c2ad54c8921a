/// Why a file can't be used as a journal.
enum OpeningFailure: Error, Hashable {
    /// It is a database of something else.
    case notOurs
    /// A newer version of this software has written it.
    case newer(found: Int64, known: Int)
    /// SQLite refused a setting that the journal can't do without.
    case setting(String)
    /// The file or its log holds other bits than were written.
    case damaged(String)
    /// Its tables are not the ones that a journal has.
    case otherShape
    /// Processes of the first edition still use it.
    case inUse([String])
    /// It couldn't be brought to the present edition, in words.
    case notMigrated(String)
    /// No thread could be made for it.
    case noThread

    var words: String {
        switch self {
        case .notOurs: "the file is a database of something else; choose another path"
        case .newer(let found, let known):
            "the file has version \(found), and this software knows up to \(known); use the newer software"
        case .setting(let name): "the setting \(name) could not be made; the disk may not support it"
        case .damaged(let what): "\(what) is damaged; restore it from a copy, and keep this one to see what it holds"
        case .otherShape:
            "its tables are not those of a journal of this version; somebody has changed them. Restore it from a copy"
        case .inUse(let owners):
            "processes of an earlier version still use it (\(owners.joined(separator: ", "))); stop them first"
        case .notMigrated(let words): "it can't be brought to the present version: \(words); nothing was changed"
        case .noThread: "the system has no thread left for it"
        }
    }
}
