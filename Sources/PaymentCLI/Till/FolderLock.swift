internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentSystem

/// Lets one process at a time use the providers of a folder; the kernel frees it when that one dies.
final class FolderLock: Sendable {
    /// How long somebody waits for another program to finish, in milliseconds.
    static let waitMilliseconds: Int64 = 200_000
    private static let everyMilliseconds: Int64 = 25

    private let descriptor: Locked<Int32?>

    private init(_ descriptor: Int32) { self.descriptor = Locked(descriptor) }

    deinit { release() }

    /// Waits until nobody else has it.
    ///
    /// - Throws: `configuration`, nothing moved, when the file can't be made or the other one takes too long; `timedOut`,
    ///   nothing moved, when the caller's own time is over before.
    static func take(_ path: String, within limit: Int64? = nil, waiting: () -> Void) async throws -> FolderLock {
        let opened = unsafe open(path, O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard opened >= 0 else {
            throw PaymentError.notExecuted(
                .configuration, "the lock \(path) can't be made; check the folder's mode and the disk")
        }
        let lock = FolderLock(opened)
        let clock = SystemClock()
        let began = clock.now
        let end = began + waitMilliseconds
        var isFirst = true
        while flock(opened, LOCK_EX | LOCK_NB) != 0 {
            if let limit, clock.now - began >= limit {
                throw PaymentError.notExecuted(
                    .timedOut, "another program uses \(path), and the time was over before it ended; nothing was sent")
            }
            guard clock.now < end else {
                throw PaymentError.notExecuted(
                    .configuration,
                    "another program has held \(path) for \(waitMilliseconds / 1_000) s; end it, or name "
                        + "another folder with --state")
            }
            if isFirst { waiting() }
            isFirst = false
            try await clock.sleep(until: clock.now + everyMilliseconds)
        }
        return lock
    }

    func release() {
        descriptor.withLock { descriptor in
            if let descriptor { close(descriptor) }
            descriptor = nil
        }
    }
}
