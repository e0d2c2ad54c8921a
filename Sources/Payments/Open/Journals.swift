public import PaymentAbstraction
public import Providers

/// The journals that an application can choose by name.
public enum Journals {
    /// One that forgets everything with the process.
    public static func memory() -> any Journal { MemoryJournal() }

    /// The journal that a configuration names.
    ///
    /// - Parameter folder: Where paths begin that are not absolute.
    /// - Throws: `unsupported`, nothing moved, when this version has none of that kind.
    public static func open(_ choice: JournalChoice, folder: String) throws(PaymentError) -> any Journal {
        switch choice.kind {
        case .memory: return memory()
        case .sqlite:
            throw PaymentError(
                .unsupported, outcome: .nothingMoved,
                detail: "the journal \"sqlite\" is not built into this version yet; choose \"memory\", which forgets "
                    + "everything with the process, or give a journal of your own to `open` with { $0.journal = … }")
        }
    }
}
