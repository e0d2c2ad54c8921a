internal import PaymentBase
internal import PaymentSystem

/// A file to which lines are added. It is this user's, and no other user can change it or put another one in its place.
final class AuditFile: Sendable {
    private let path: String
    private let descriptor: Locked<Int32>

    /// Opens a file, and makes it if there is none.
    init(_ path: String) throws(UsageError) {
        self.path = path
        descriptor = Locked(try Self.open(path))
    }

    deinit { close(descriptor.withLock { $0 }) }

    private static func open(_ path: String) throws(UsageError) -> Int32 {
        do throws(FileFailure) { try RegularFile.check(path, forbidding: RegularFile.othersMayRead) } catch {
            throw UsageError(message: "the audit file \(path) can't be used: \(error.problem)")
        }
        // Without O_NONBLOCK, opening a pipe would wait for a process that reads it.
        let flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = unsafe PaymentSystem.open(path, flags, 0o600)
        guard descriptor >= 0 else {
            throw UsageError(message: "the audit file \(path) can't be opened for adding (errno \(errno))")
        }
        return descriptor
    }

    /// Adds a line; false if it could not be written. One write of the system, so that no two lines mix. What a disk that was full
    /// left of an earlier line is ended first.
    @discardableResult
    func add(_ line: JSON) -> Bool {
        let bytes = line.bytes() + [10]
        return descriptor.withLock { descriptor in
            let whole = Self.endsWithinALine(descriptor) ? [10] + bytes : bytes
            return unsafe whole.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) } == whole.count
        }
    }

    private static func endsWithinALine(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_size > 0 else { return false }
        var last: UInt8 = 10
        let count = unsafe pread(descriptor, &last, 1, status.st_size - 1)
        return count == 1 && last != 10
    }

    /// Opens the file again: another program may have moved it away.
    func reopen() throws(UsageError) {
        let fresh = try Self.open(path)
        close(
            descriptor.withLock { held in
                defer { held = fresh }
                return held
            })
    }
}
