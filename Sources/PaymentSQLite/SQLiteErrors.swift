internal import PaymentJournalKit
internal import PaymentModel

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
    /// A pipe, a folder or a device is in its place.
    case notRegular
    /// The file has other names, under each of which SQLite would keep another log.
    case otherNames
    /// No thread could be made for it.
    case noThread

    var words: String {
        switch self {
        case .notOurs: "the file is a database of something else; choose another path"
        case .newer(let found, let known):
            "the file has format \(found), and this software knows up to \(known); use the newer software"
        case .former(let found, let known):
            "it is a journal of format \(found), and this software reads and writes format \(known). Nothing was changed. Use "
                + "the software that wrote it, or name another path for a new journal and import every payment before its "
                + "first sale (payctl journal import): what is not imported can be charged or refunded again"
        case .setting(let name): "the setting \(name) could not be made; the disk may not support it"
        case .damaged(let what): "\(what) is damaged; restore it from a copy, and keep this one to see what it holds"
        case .otherShape:
            "its tables are not those of a journal of this version; they were changed. Restore it from a copy"
        case .notRegular: "it is no ordinary file; name a file"
        case .otherNames:
            "the file has a second name (a hard link), and what is written under one is not seen under the other. Keep the "
                + "name beside which a file that ends in -wal lies, and remove the other one"
        case .noThread: "the system has no thread left for it"
        }
    }
}

/// Why the store can't do what was asked, beside what SQLite says.
enum SQLiteStoreError: Error, Hashable {
    /// Rows or facts of an attempt don't hold what was written into them, or newer software has written them.
    case unreadable(AttemptID?)
    /// Two ways to the same rows don't lead to the same.
    case damagedIndex(AttemptID?)
    /// A checksum of something that belongs to no attempt is wrong.
    case damagedRow
    /// It is not known whether a commit was made.
    case commit(String)
    /// The file was restored from a copy, and no person has said what becomes of what was lost.
    case restored
    /// The journal continues elsewhere, and a person has said so for good.
    case moved
    /// The file was opened again since, by a process or a client that has it for itself.
    case claimed
    /// The attempt is gone; its id and its names stay taken.
    case forgotten(AttemptID)
    /// Something was asked that makes no sense.
    case senseless(String)

    /// What it means for a write.
    var ofWriting: JournalFailure {
        switch self {
        case .unreadable(let id): .unreadable(id.map { PaymentID($0) })
        case .forgotten(let id): .pruned(id)
        case .commit(let words): .writeUnconfirmed(words)
        case .damagedIndex, .damagedRow, .restored, .moved, .claimed, .senseless: .notWritten(words)
        }
    }

    /// What it means for a read.
    var ofReading: JournalFailure {
        switch self {
        case .unreadable(let id), .damagedIndex(let id): .unreadable(id.map { PaymentID($0) })
        case .forgotten(let id): .pruned(id)
        case .damagedRow, .commit, .restored, .moved, .claimed, .senseless: .notWritten(words)
        }
    }

    var words: String {
        switch self {
        case .unreadable: "a row can't be read; run a check of the journal"
        case .damagedIndex: "an index is damaged; run a check of the journal, and restore the file from a copy"
        case .damagedRow: "a row is damaged; restore the file from a copy, and keep this one"
        case .commit(let words), .senseless(let words): words
        case .restored:
            "the journal is older than what was written last: it was restored from a copy, or the file beside it "
                + "that ends in .last is of another; what was done since may be missing. Compare with the provider, "
                + "then accept it as it is (payctl journal accept-restored)"
        case .moved:
            "the journal was moved (payctl journal copy --move) and continues in another one; take new payments there"
        case .claimed:
            "the journal was opened again since, by another process or client, which takes the payments from now on; "
                + "close this client, and keep one for a journal"
        case .forgotten: "the attempt was forgotten by a pruning; its id stays taken"
        }
    }
}
