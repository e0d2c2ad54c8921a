import PaymentJournal
import PaymentTestJournal

extension StorePlace {
    /// A file in a folder, which has to outlive it.
    static func sqlite(_ folder: Folder, _ options: OpeningOptions = OpeningOptions()) -> StorePlace {
        StorePlace(folder.file()) { owner in
            let locks = try ProcessLocks(besideJournal: folder.file(), owner: owner)
            let journal = try await SQLiteJournal.open(path: folder.file(), options)
            return OpenedStore(
                journal, locks, problems: { try await journal.check().problems.map { "\($0)" } },
                close: {
                    await journal.close()
                    withExtendedLifetime(folder) {}
                })
        }
    }
}
