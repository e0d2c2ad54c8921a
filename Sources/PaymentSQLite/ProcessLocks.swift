#if os(Linux) && !APPLE_CHECK
internal import PaymentBase
public import PaymentJournalKit
public import PaymentModel
internal import PaymentSystem

/// Reports which processes are still there: each holds a lock on a file of its own, which the kernel frees when it dies.
///
/// The files lie in a folder beside the journal's real path that ends in `.owners`. One stays when its process has
/// ended, since a file that is missing proves nothing: not who removed it, and not that a process is gone.
/// ``clear(_:)`` removes those that nothing open refers to.
public final class ProcessLocks: ProcessRegistry {
    package let runs: ProcessRuns? = ProcessRuns()
    /// The name of this process.
    public let owner: String
    private let journal: String
    private let folder: String
    private let descriptor: Int32

    /// Takes the lock of this process in a folder beside the journal; the journal's file is made when there is none.
    ///
    /// - Parameter owner: A name of letters, digits and hyphens that no process has ever had.
    /// - Throws: `journal`, nothing moved, when the folder can't be made, the lock can't be held, or the name was used.
    public init(besideJournal path: String, owner: String) throws(PaymentError) {
        JournalFile.prepare(path)
        journal = RealPath.of(path)
        folder = journal + ".owners"
        self.owner = owner
        let folderRefusal = unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST ? nil : errno
        guard Self.isName(owner) else {
            throw PaymentError.notExecuted(.journal, "\(owner) is no name for a process; take letters and digits")
        }
        let (file, made) = (Self.file(folder, owner), "\(folder)/\(owner).new")
        let opened = unsafe open(made, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else {
            throw Self.refused(file, folderRefusal ?? errno)
        }
        // It gets its name when it is held and says whose it is, so that no process ever finds it otherwise.
        let isHeld = flock(opened, LOCK_EX | LOCK_NB) == 0
        // An entry can be durable in a moment: what proves later that this process is gone has to be there before it.
        let refusal: Int32? = isHeld ? ProcessLockFile.of(journal).write(opened) ?? Self.keep(opened) : EEXIST
        guard refusal == nil, unsafe link(made, file) == 0 else {
            let why = refusal ?? errno
            close(opened)
            if isHeld { _ = unsafe unlink(made) }
            guard why == EEXIST else { throw Self.refused(file, why) }
            throw PaymentError.notExecuted(
                .journal, "another process calls or called itself \(owner); take a name that no process had")
        }
        _ = unsafe unlink(made)
        if let why = Self.keepNames(in: folder) {
            close(opened)
            _ = unsafe unlink(file)
            throw Self.refused(file, why)
        }
        descriptor = opened
    }

    /// Has what was written survive a power loss; gives why it can't.
    private static func keep(_ descriptor: Int32) -> Int32? { fsync(descriptor) == 0 ? nil : errno }

    /// Has the names in a folder survive a power loss; gives why they can't. Some file systems sync no folder; SQLite continues
    /// there, too.
    private static func keepNames(in folder: String) -> Int32? {
        let opened = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return errno }
        defer { close(opened) }
        return keep(opened).flatMap { [EINVAL, ENOTSUP].contains($0) ? nil : $0 }
    }

    private static func refused(_ file: String, _ code: Int32) -> PaymentError {
        PaymentError(
            .journal, outcome: .notExecuted, detail: "the lock \(file) can't be made: \(SystemRefusal.words(code))",
            diagnosis: FailureDiagnosis(.journal, host: file, SystemRefusal.cause(code)))
    }

    package var own: String { owner }

    deinit { close(descriptor) }

    public func isAlive(_ owner: String) -> Bool { owner == self.owner || !isGone(owner) }

    private func isGone(_ owner: String) -> Bool { Self.isGone(owner, folder, journal) }

    /// Whether a process is proven to be gone: no process holds its lock, and the lock is the one that it held.
    private static func isGone(_ owner: String, _ folder: String, _ journal: String) -> Bool {
        guard Self.isName(owner) else { return false }
        let opened = unsafe open(Self.file(folder, owner), O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard opened >= 0 else { return false }
        defer { close(opened) }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0, let mark = ProcessLockFile.read(opened) else { return false }
        let here = ProcessLockFile.of(journal)
        // Before this start of the machine it has ended in any case, also in a copy that was brought back.
        if !mark.boot.isEmpty, !here.boot.isEmpty, mark.boot != here.boot { return true }
        // The lock of a copy is not the lock that the process holds.
        return mark.device == here.device && mark.inode == here.inode && mark.boot == here.boot
    }

    /// Whether a process of a journal is proven to be gone.
    static func isGone(_ owner: String, besideJournal path: String) -> Bool {
        let journal = RealPath.of(path)
        return isGone(owner, journal + ".owners", journal)
    }

    /// The processes of a journal that may live.
    static func living(besideJournal path: String) -> [String] {
        let journal = RealPath.of(path)
        return RealPath.names(in: journal + ".owners").filter { $0.hasSuffix(".lock") }.map { String($0.dropLast(5)) }
            .filter { !isGone($0, journal + ".owners", journal) }
    }

    /// Leaves the lock of a process of another journal, of which it is proven there that it is gone; none that is there
    /// is changed.
    static func bury(_ owner: String, besideJournal path: String) {
        let folder = RealPath.of(path) + ".owners"
        guard isName(owner) else { return }
        _ = unsafe mkdir(folder, 0o700)
        let opened = unsafe open(file(folder, owner), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { return }
        // What is of another start of the machine has ended.
        ProcessLockFile(device: 0, inode: 0, boot: "copied").write(opened)
        _ = keep(opened)
        _ = keepNames(in: folder)
        close(opened)
    }

    /// Removes the locks of processes that are gone and to which nothing refers.
    ///
    /// - Parameter referred: Gives the owners of everything that is open; asked after it was found out who is gone, so
    ///   that no process's last attempt is missed.
    /// - Returns: How many were removed.
    @discardableResult
    public func clear<Failure: Error>(
        _ referred: () async throws(Failure) -> Set<String>
    ) async throws(Failure) -> Int {
        let gone = RealPath.names(in: folder).filter { $0.hasSuffix(".lock") }.map { String($0.dropLast(5)) }
            .filter { $0 != owner && isGone($0) }
        let kept = try await referred()
        var count = 0
        for owner in gone where !kept.contains(owner) {
            if unsafe unlink(Self.file(folder, owner)) == 0 { count += 1 }
        }
        return count
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

/// What a lock's file holds: which journal it was made for, and in which start of the machine.
struct ProcessLockFile: Hashable {
    let device: UInt64
    let inode: UInt64
    /// Empty where the system doesn't tell.
    let boot: String

    private static let bytesMax = 256

    /// The journal that lies at a path now.
    static func of(_ journal: String) -> ProcessLockFile {
        var status = stat()
        let isThere = unsafe stat(journal, &status) == 0
        return ProcessLockFile(
            device: isThere ? UInt64(status.st_dev) : 0, inode: isThere ? UInt64(status.st_ino) : 0,
            boot: SystemClock().boot)
    }

    /// Reads a lock's file; nil when it says nothing, as those of the first edition.
    static func read(_ descriptor: Int32) -> ProcessLockFile? {
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        let count = unsafe pread(descriptor, &bytes, bytesMax, 0)
        guard count > 0 else { return nil }
        let words = String(decoding: bytes.prefix(count), as: UTF8.self)
            .split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 4, let device = UInt64(words[0]), let inode = UInt64(words[1]) else { return nil }
        return ProcessLockFile(device: device, inode: inode, boot: String(words[2]))
    }

    /// Writes it; the system's error if the disk doesn't take it, and nil if it does.
    @discardableResult
    func write(_ descriptor: Int32) -> Int32? {
        let bytes = Array("\(device) \(inode) \(boot) \n".utf8)
        guard ftruncate(descriptor, 0) == 0 else { return errno }
        let count = unsafe pwrite(descriptor, bytes, bytes.count, 0)
        if count == bytes.count { return nil }
        // A disk that takes a part is full behind it.
        return count < 0 ? errno : ENOSPC
    }
}

/// Why the system refused to write, in words that say what to do.
enum SystemRefusal {
    static func cause(_ code: Int32) -> FailureDiagnosis.Cause {
        switch code {
        case ENOSPC, EDQUOT: .diskFull
        case EROFS, EACCES, EPERM: .journalNotWritable
        default: .journalUnusable
        }
    }

    static func words(_ code: Int32) -> String {
        switch code {
        case ENOSPC, EDQUOT: "the disk is full; make room"
        case EROFS: "the file system is mounted to be read only"
        case EACCES, EPERM: "this user may not write there; check the folder's owner and mode"
        case ENOTDIR, ENOENT: "its folder is not there, or is no folder; make the folder, or name another path"
        default: "the system failed with error \(code); check the folder and the disk"
        }
    }
}

/// What a path leads to, and what lies in a folder.
enum RealPath {
    /// The path without links and detours; the given one where there is nothing yet.
    static func of(_ path: String) -> String {
        if let real = resolved(path) { return real }
        // Before the file is there, its folder is.
        guard let slash = path.lastIndex(of: "/") else { return resolved(".").map { "\($0)/\(path)" } ?? path }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return resolved(folder).map { $0 == "/" ? "/" + path[slash...].dropFirst() : $0 + path[slash...] } ?? path
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// The bytes of a file; nil where there is none.
    static func size(_ path: String) -> Int64? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// The names in a folder; none where there is none.
    static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
#endif
