import PaymentAbstraction
import PaymentSQLite
import PaymentTestJournal

extension StorePlace {
    /// A file in a folder, which has to outlive it.
    static func sqlite(_ folder: Folder, _ options: OpeningOptions = OpeningOptions()) -> StorePlace {
        StorePlace(folder.file()) { owner in
            let locks = try ProcessLocks(besideJournal: folder.file(), owner: owner)
            let journal = try await folder.open("journal.sqlite", options, processes: locks)
            return OpenedStore(
                journal, problems: { try await journal.problems().map { "\($0)" } },
                close: {
                    await journal.close()
                    withExtendedLifetime(folder) {}
                })
        }
    }
}
