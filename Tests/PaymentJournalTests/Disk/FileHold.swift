import PaymentBase

@testable import PaymentJournal

/// Holds a file, as a process does that writes for too long, until it is let go.
final class FileHold: Sendable {
    private let release = JournalSignal()
    private let released = JournalSignal()

    init(_ path: String) throws {
        let held = JournalSignal()
        let isStarted = OwnThread.start { [release, released] in
            let connection = try? SQLiteConnection(path: path, isReadOnly: false, busyMilliseconds: 1_000)
            try? connection?.execute("BEGIN IMMEDIATE", doing: "holding")
            held.signal()
            release.wait()
            connection?.close()
            released.signal()
        }
        if isStarted { held.wait() }
    }

    deinit {
        release.signal()
        released.wait()
    }
}
