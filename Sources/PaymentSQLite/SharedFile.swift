#if os(Linux) && !APPLE_CHECK
package import PaymentJournalKit
package import PaymentModel

/// Several processes of one machine share the file: inotify reports what the others write.
package struct SharedFile: JournalHost {
    package let processes: any ProcessRegistry

    /// Takes what knows the other processes.
    package init(_ processes: any ProcessRegistry) { self.processes = processes }

    package var claim: Int64? { nil }

    package func watch(log path: String, changed: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let watch = WALWatcher(log: path, changed: changed)
        return { watch.end() }
    }
}

extension SQLiteJournal {
    /// Opens a file that several processes share; makes it, mode 0600, when there is none.
    ///
    /// - Throws: As ``open(path:host:_:)``.
    package static func open(
        path: String, processes: any ProcessRegistry, _ options: OpeningOptions = OpeningOptions()
    ) async throws(PaymentError) -> SQLiteJournal {
        try await open(path: path, host: SharedFile(processes), options)
    }

    /// The files beside a journal's file that hold a part of it, or how far it had come.
    package static func companions(of path: String) -> [String] {
        let real = RealPath.of(path)
        return [real + "-wal", real + "-shm", HighWaterMarkFile.path(path), HighWaterMarkFile.path(real)]
    }

    /// The folder beside a journal's file with the locks of its processes.
    package static func locks(of path: String) -> String { RealPath.of(path) + ".owners" }

    /// Removes the locks of processes that are gone and of which nothing is under way any more.
    ///
    /// - Returns: How many were removed.
    /// - Throws: When what is open can't be read; nothing is removed then.
    @discardableResult
    package func clearOwners(_ locks: ProcessLocks) async throws(JournalFailure) -> Int {
        try await locks.clear { () async throws(JournalFailure) in try await openOwners() }
    }

    /// The processes that run, or ran, what is not over, also if a message decided it in the meantime.
    private func openOwners() async throws(JournalFailure) -> Set<String> {
        try await reading { connection in
            let numbers = try connection.rows(
                "SELECT DISTINCT payment FROM open WHERE is_open = 1 OR next_look IS NOT NULL", [],
                doing: "looking for what is open"
            ) { $0.integer(0) }
            let reader = LogReader(connection: connection)
            let runs = try numbers.flatMap { try reader.payment($0).attempts }.flatMap(\.runs)
            return Set(runs.filter { $0.end == nil }.map(\.owner))
        }
    }
}

extension SQLiteJournal {
    /// Opens a file that is there and only reads it: no process's lock is taken, and the journal is not written.
    ///
    /// Where the log and the index can't be made that SQLite shares between processes, as on a full disk, the file is read as it
    /// is; not if there is a log beside it, which may hold more.
    ///
    /// - Throws: As the form that writes.
    package static func openForReading(path: String) async throws(PaymentError) -> SQLiteJournal {
        var options = OpeningOptions()
        options.isReadOnly = true
        do { return try await open(path: path, processes: SingleProcess("reader"), options) } catch {
            guard RealPath.size(path + "-wal") ?? 0 == 0 else { throw error }
            options.isUnchanging = true
            return try await open(path: path, processes: SingleProcess("reader"), options)
        }
    }
}
#endif
