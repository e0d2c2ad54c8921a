internal import PaymentAbstraction

/// Why one entry of a batch can't be written, or a question can't be answered, though the database works.
enum PostgresStoreError: Error, Hashable {
    /// Entries of a payment are missing, aren't what was written, or newer software has written them.
    case unreadable(AttemptID?)
    /// A row that belongs to no payment isn't what was written.
    case damagedRow
    /// The attempt is gone; its id and its names stay taken.
    case forgotten(AttemptID)
    /// It was restored or copied, or lacks what was acknowledged, and no person has said what becomes of what was lost.
    case restored
    /// The journal continues elsewhere, and a person has said so for good.
    case moved

    static let restoredWords =
        "the journal was restored or copied from another one, or the server lacks what was written last; what was done "
        + "since may be missing. Compare with the provider, then accept it as it is (payctl journal accept-restored)"
    static let movedWords =
        "the journal was moved (payctl journal copy --move) and continues in another one; take new payments there"
    static let busyWords = "other processes write the same all the time; try again"

    /// What it means for the caller.
    var meaning: JournalFailure {
        switch self {
        case .unreadable(let id): .unreadable(id.map { PaymentID($0) })
        case .damagedRow: .notWritten("a row is damaged; run a check of the journal, and restore a backup")
        case .forgotten(let id): .pruned(id)
        case .restored: .notWritten(Self.restoredWords)
        case .moved: .notWritten(Self.movedWords)
        }
    }
}
