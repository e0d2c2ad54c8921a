internal import PaymentAbstraction

/// Why one entry of a batch can't be written, or a question can't be answered, though the database works.
enum StoreFailure: Error, Hashable {
    /// Facts of an attempt are missing, aren't what was written, or newer software has written them.
    case unreadable(AttemptKey?)
    /// The attempt is gone; its id and its names stay taken.
    case forgotten(AttemptKey)
    /// Others have written meanwhile what it has to be asked about; it is tried again.
    case outdated

    /// What it means for whoever asked.
    var meaning: JournalFailure {
        switch self {
        case .unreadable(let key): .unreadable(key)
        case .forgotten(let key): .unreadable(key)
        case .outdated: .notWritten("others write the same all the time; try again")
        }
    }
}
