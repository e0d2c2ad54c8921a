internal import PaymentAbstraction

/// Why one entry of a batch can't be written, or a question can't be answered, though the database works.
enum StoreFailure: Error, Hashable {
    /// Facts of an attempt are missing, aren't what was written, or newer software has written them.
    case unreadable(AttemptKey?)
    /// The attempt is gone; its id and its names stay taken.
    case forgotten(AttemptKey)
    /// It was restored or copied, or lacks what was acknowledged, and nobody has said what becomes of what was lost.
    case restored
    /// It goes on elsewhere, and somebody has said so for good.
    case moved
    /// Others have written meanwhile what it has to be asked about; it is tried again.
    case outdated

    static let restoredWords =
        "the journal was restored or copied from another one, or the server lacks what was written last; what was done "
        + "since may be missing. Compare with the provider, then accept it as it is (payctl journal accept-restored)"
    static let movedWords =
        "the journal was moved (payctl journal copy --move) and goes on in another one; take new payments there"

    /// What it means for whoever asked.
    var meaning: JournalFailure {
        switch self {
        case .unreadable(let key): .unreadable(key)
        case .forgotten(let key): .forgotten(key)
        case .outdated: .notWritten("others write the same all the time; try again")
        case .restored: .notWritten(Self.restoredWords)
        case .moved: .notWritten(Self.movedWords)
        }
    }
}
