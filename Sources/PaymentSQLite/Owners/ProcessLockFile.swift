internal import PaymentBase
internal import PaymentSystem

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

    /// Writes it; false when the disk doesn't take it.
    func write(_ descriptor: Int32) -> Bool {
        let bytes = Array("\(device) \(inode) \(boot) \n".utf8)
        return unsafe ftruncate(descriptor, 0) == 0 && pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }
}
