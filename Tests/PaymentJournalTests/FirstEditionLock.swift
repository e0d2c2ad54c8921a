import Glibc

/// A lock as a process of the first edition holds it: on an empty file.
final class FirstEditionLock {
    /// It could not be taken.
    struct Refused: Error {}

    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw Refused() }
    }

    func release() { close(descriptor) }
}
