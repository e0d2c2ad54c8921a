internal import PaymentSystem

/// Reads ordinary files, and writes private ones so that a reader finds the old or the new one and nothing between.
package enum RegularFile {
    /// What others may not do with a file that decides something.
    package static let othersMayWrite: UInt32 = 0o022
    /// What others may not do with a file that holds a credential.
    package static let othersMayRead: UInt32 = 0o026
    /// What nobody else may do with a file of ours that holds tokens.
    package static let anybodyElse: UInt32 = 0o077

    /// Reads a file whole that is this user's or the system's, on a way that is open to nobody else.
    ///
    /// - Parameters:
    ///   - forbidden: The bits of the mode that it must not have.
    ///   - followsLinks: Whether it may be a symbolic link.
    package static func read(
        _ path: String, bytesMax: Int, forbidding forbidden: UInt32, followsLinks: Bool = true
    ) throws(FileFailure) -> [UInt8] {
        // Without O_NONBLOCK, opening a pipe would wait for somebody to write into it.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
        let descriptor = unsafe open(path, flags)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure() }
        let mode = UInt32(status.st_mode)
        guard mode & UInt32(S_IFMT) == UInt32(S_IFREG) else { throw .notRegular }
        guard mode & forbidden == 0 else { throw .exposed(mode: mode & 0o7777) }
        guard FileWay.isTrusted(status.st_uid) else { throw .foreign(owner: UInt32(status.st_uid)) }
        try FileWay.check(path)
        return try readAll(descriptor, bytesMax: bytesMax)
    }

    /// Checks a file that somebody else will open as ``read(_:bytesMax:forbidding:followsLinks:)`` would; where there is
    /// none, the way to it is checked alone. It is not opened, so that locks that this process has on it stay.
    package static func check(_ path: String, forbidding forbidden: UInt32) throws(FileFailure) {
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            let mode = UInt32(status.st_mode)
            guard mode & UInt32(S_IFMT) == UInt32(S_IFREG) else { throw .notRegular }
            guard mode & forbidden == 0 else { throw .exposed(mode: mode & 0o7777) }
            guard FileWay.isTrusted(status.st_uid) else { throw .foreign(owner: UInt32(status.st_uid)) }
        } else if errno != ENOENT {
            throw failure()
        }
        try FileWay.check(path)
    }

    /// Whether an ordinary file lies there, behind whatever links.
    package static func isFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && UInt32(status.st_mode) & UInt32(S_IFMT) == UInt32(S_IFREG)
    }

    /// Whether it is a file that this user may run.
    package static func isProgram(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 && isFile(path) }

    /// Whether nothing lies there, or a file without a byte.
    package static func isEmptyOrMissing(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_size == 0 : errno == ENOENT
    }

    private static func readAll(_ descriptor: Int32, bytesMax: Int) throws(FileFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1_024)
        while true {
            let size = chunk.count
            let count = unsafe chunk.withUnsafeMutableBytes { buffer in
                unsafe readSome(descriptor, buffer.baseAddress, size)
            }
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure()
            }
            bytes += chunk.prefix(count)
            if bytes.count > bytesMax { throw .tooLarge(bytesMax: bytesMax) }
        }
    }

    /// Puts a file in the place of whatever was there, a link included; what was there is not followed.
    ///
    /// - Parameter isPrivate: Whether it is of mode 0600; else the process's mask says who may read it.
    package static func replace(
        _ path: String, with bytes: [UInt8], isPrivate: Bool = true
    ) throws(FileFailure) {
        let fresh = "\(path).\(UInt64.random(in: 0 ... .max)).new"
        let descriptor = unsafe open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isPrivate ? 0o600 : 0o644)
        guard descriptor >= 0 else { throw failure() }
        do throws(FileFailure) {
            defer { close(descriptor) }
            // The process's mask may have taken bits away; it can't have added any.
            if isPrivate { guard fchmod(descriptor, 0o600) == 0 else { throw failure() } }
            try writeAll(descriptor, bytes)
            guard fsync(descriptor) == 0 else { throw failure() }
        } catch {
            unsafe unlink(fresh)
            throw error
        }
        guard unsafe rename(fresh, path) == 0 else {
            let problem = failure()
            unsafe unlink(fresh)
            throw problem
        }
        try syncFolder(of: path)
    }

    private static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) throws(FileFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe write(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure()
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Makes a rename or a removal durable.
    private static func syncFolder(of path: String) throws(FileFailure) {
        let folder = FilePath.folder(of: path)
        let descriptor = unsafe open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure() }
    }

    /// Removes a file, if it is there.
    package static func remove(_ path: String) throws(FileFailure) {
        if unsafe unlink(path) == 0 { return try syncFolder(of: path) }
        guard errno == ENOENT else { throw failure() }
    }

    /// Makes a folder for this user alone, unless it is there and nobody else may write into it.
    package static func makeFolder(_ path: String) throws(FileFailure) {
        if unsafe mkdir(path, 0o700) == 0 { return }
        guard errno == EEXIST else { throw failure() }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw failure() }
        let mode = UInt32(status.st_mode)
        guard mode & UInt32(S_IFMT) == UInt32(S_IFDIR) else { throw .notRegular }
        guard mode & othersMayWrite == 0 else { throw .exposed(mode: mode & 0o7777) }
        try FileWay.check(path)
    }

    /// What the last call failed with.
    static func failure() -> FileFailure {
        switch errno {
        case ENOENT: .missing
        case EACCES, EPERM: .forbidden
        case ELOOP, EISDIR, ENXIO: .notRegular
        default: .failed(code: errno)
        }
    }
}

/// The system's `read`, which the enum's own would hide.
private func readSome(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, buffer, count)
}
