public import PaymentAbstraction
internal import PaymentBase

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Tells which processes are still there: each holds a lock on a file of its own, which the kernel frees when it dies.
public final class ProcessLocks: OwnerRegistry {
    /// The name of this process.
    public let owner: String
    private let folder: String
    private let descriptor: Int32

    /// Takes the lock of this process in a folder beside the journal.
    ///
    /// - Throws: `journal`, nothing moved, when the folder can't be made or the lock can't be held.
    public init(besideJournal path: String, owner: String) throws(PaymentError) {
        folder = path + ".owners"
        self.owner = owner
        _ = unsafe mkdir(folder, 0o700)
        let file = Self.file(folder, owner)
        let opened = unsafe open(file, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard opened >= 0 else {
            throw PaymentError.nothingMoved(
                .journal, "the lock \(file) can't be made; check the folder's mode and the disk")
        }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            close(opened)
            throw PaymentError.nothingMoved(
                .journal, "another process already calls itself \(owner); take another name")
        }
        descriptor = opened
    }

    deinit {
        // The file goes first, so that nobody finds it unlocked and takes its name for a dead process's.
        _ = unsafe unlink(Self.file(folder, owner))
        close(descriptor)
    }

    public func isAlive(_ owner: String) -> Bool {
        if owner == self.owner { return true }
        guard Self.isName(owner) else { return false }
        let opened = unsafe open(Self.file(folder, owner), O_RDWR | O_CLOEXEC)
        guard opened >= 0 else {
            // No file: it ended in order. Anything else (rights, too many files) can't prove that it is gone.
            return errno != ENOENT
        }
        defer { close(opened) }
        return flock(opened, LOCK_EX | LOCK_NB) != 0
    }

    /// A name that can't lead out of the folder.
    private static func isName(_ owner: String) -> Bool {
        !owner.isEmpty
            && owner.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45
            }
    }

    private static func file(_ folder: String, _ owner: String) -> String { "\(folder)/\(owner).lock" }
}
