internal import PaymentSystem

/// Reads ordinary files, and writes private ones so that a reader finds the old or the new one and nothing between.
package enum RegularFile {
    /// What others may not do with a file that decides something.
    package static let othersMayWrite: UInt32 = 0o022
    /// What others may not do with a file that holds a credential.
    package static let othersMayRead: UInt32 = 0o026
    /// What no other user may do with a file that holds tokens.
    package static let otherUsers: UInt32 = 0o077

    /// Reads a file whole that is this user's or the system's, on a way that is open to no other user.
    ///
    /// - Parameters:
    ///   - forbidden: The bits of the mode that it must not have.
    ///   - followsLinks: Whether it may be a symbolic link.
    package static func read(
        _ path: String, bytesMax: Int, forbidding forbidden: UInt32, followsLinks: Bool = true
    ) throws(FileFailure) -> [UInt8] {
        // Without O_NONBLOCK, opening a pipe would wait for a process to write into it.
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

    /// Checks a file that other code will open as ``read(_:bytesMax:forbidding:followsLinks:)`` would; where there is
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
        #if os(Linux) && !APPLE_CHECK
        // Behind a link that leads nowhere, the owner of the link chose where the file would be.
        if unsafe access(path, F_OK) != 0, errno == ENOENT, unsafe lstat(path, &status) == 0 { throw .notRegular }
        #endif
        try FileWay.check(path)
    }

    #if os(Linux) && !APPLE_CHECK
    /// Checks a folder into which no other user may write, if it is there.
    package static func check(folder path: String) throws(FileFailure) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw failure()
        }
        let mode = UInt32(status.st_mode)
        // A file in its place fails with words of its own when something is put into it.
        guard [UInt32(S_IFDIR), UInt32(S_IFREG)].contains(mode & UInt32(S_IFMT)) else { throw .notRegular }
        guard mode & othersMayWrite == 0 else { throw .exposed(mode: mode & 0o7777) }
        guard FileWay.isTrusted(status.st_uid) else { throw .foreign(owner: UInt32(status.st_uid)) }
    }
    #endif

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
        try replacing.withLock { _ throws(FileFailure) in try put(bytes, at: path, isPrivate) }
    }

    /// Ends the program while no file is being replaced: the copy that was to take its place would stay.
    package static func end(_ end: () -> Never) -> Never { replacing.withLock { _ in end() } }

    private static let replacing = Locked(())

    private static func put(_ bytes: [UInt8], at path: String, _ isPrivate: Bool) throws(FileFailure) {
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

    /// Makes a folder for this user alone, unless it is there and no other user may write into it.
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

    /// Whether only this user and the system can put a program into a folder.
    package static func isClosed(folder: String) -> Bool {
        var status = stat()
        guard unsafe stat(folder, &status) == 0 else { return false }
        let mode = UInt32(status.st_mode)
        guard mode & UInt32(S_IFMT) == UInt32(S_IFDIR), mode & othersMayWrite == 0, FileWay.isTrusted(status.st_uid)
        else { return false }
        return (try? FileWay.check(folder)) != nil
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

/// The folders and links on the way to a file: a user who can write into one of them can put another file in its place.
package enum FileWay {
    /// How many links are followed, as the system does.
    private static let linksMax = 40
    /// The longest path that the system knows.
    private static let pathBytesMax = 4_096

    /// Whether an owner is this user or the system's.
    ///
    /// An application of Apple's systems is installed by a user of its own, and its sandbox lets no other write into it.
    static func isTrusted(_ owner: uid_t) -> Bool {
        #if os(Linux) && !APPLE_CHECK
        owner == 0 || owner == geteuid()
        #else
        true
        #endif
    }

    /// The path without links and detours, as far as there is something.
    package static func plain(_ path: String) -> String {
        guard let real = unsafe realpath(path, nil) else {
            let folder = FilePath.folder(of: path)
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            return folder == path || name.isEmpty ? path : FilePath.join(plain(folder.isEmpty ? "." : folder), name)
        }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// Goes the whole way from the root, link by link, as the system does; it ends where there is nothing yet.
    ///
    /// On Apple's systems it checks nothing: there the sandbox says who may write where, and the folders above a container
    /// belong to users of the system that no list names.
    static func check(_ path: String) throws(FileFailure) {
        #if os(Linux) && !APPLE_CHECK
        try checkWay(path)
        #endif
    }

    #if os(Linux) && !APPLE_CHECK
    private static func checkWay(_ path: String) throws(FileFailure) {
        var rest = Array(try absolute(path).split(separator: "/").map(String.init).reversed())
        var (place, linkCount) = ("", 0)
        if let root = try status("/") { try checkFolder("/", root) }
        while let name = rest.popLast() {
            if name == "." { continue }
            if name == ".." {
                place = String(place.prefix(upTo: place.lastIndex(of: "/") ?? place.startIndex))
                continue
            }
            let next = "\(place)/\(name)"
            guard let status = try status(next) else { return }
            switch UInt32(status.st_mode) & UInt32(S_IFMT) {
            case UInt32(S_IFLNK):
                linkCount += 1
                guard linkCount <= linksMax else { throw .notRegular }
                // In a folder that is open but sticky, a link may be any user's.
                guard isTrusted(status.st_uid) else { throw .foreign(owner: UInt32(status.st_uid)) }
                let target = try target(of: next)
                if target.hasPrefix("/") { place = "" }
                rest += target.split(separator: "/").map(String.init).reversed()
            case UInt32(S_IFDIR):
                try checkFolder(next, status)
                place = next
            case _: return
            }
        }
    }

    private static func absolute(_ path: String) throws(FileFailure) -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = unsafe getcwd(nil, 0) else { throw RegularFile.failure() }
        defer { unsafe free(folder) }
        return unsafe String(cString: folder) + "/" + path
    }

    /// What is known of a place without following a link there; nil where there is nothing.
    private static func status(_ path: String) throws(FileFailure) -> stat? {
        var status = stat()
        if unsafe lstat(path, &status) == 0 { return status }
        guard errno == ENOENT else { throw RegularFile.failure() }
        return nil
    }

    private static func target(of link: String) throws(FileFailure) -> String {
        var bytes = [UInt8](repeating: 0, count: pathBytesMax)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe buffer.withMemoryRebound(to: CChar.self) { buffer in
                unsafe buffer.baseAddress.map { unsafe readlink(link, $0, buffer.count) } ?? -1
            }
        }
        guard count > 0 else { throw RegularFile.failure() }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// In a sticky folder no user can take away what is another's, so that it may be open to all.
    private static func checkFolder(_ path: String, _ status: stat) throws(FileFailure) {
        guard isTrusted(status.st_uid) else { throw .foreignFolder(path, owner: UInt32(status.st_uid)) }
        let mode = UInt32(status.st_mode)
        if mode & UInt32(S_ISVTX) != 0 { return }
        let isOpen = mode & 0o002 != 0 || mode & 0o020 != 0 && !isAlone(status.st_gid)
        if isOpen { throw .openFolder(path) }
    }

    /// Whether a group is this user's own, with no other member, as many systems give one to each user.
    private static func isAlone(_ number: gid_t) -> Bool {
        var userText = [CChar](repeating: 0, count: 4_096)
        var groupText = [CChar](repeating: 0, count: 16_384)
        return unsafe userText.withUnsafeMutableBufferPointer { userText in
            unsafe groupText.withUnsafeMutableBufferPointer { groupText in
                unsafe isAlone(number, userText, groupText)
            }
        }
    }

    private static func isAlone(
        _ number: gid_t, _ userText: UnsafeMutableBufferPointer<CChar>, _ groupText: UnsafeMutableBufferPointer<CChar>
    ) -> Bool {
        var (user, own) = unsafe (passwd(), group())
        var (foundUser, foundGroup): (UnsafeMutablePointer<passwd>?, UnsafeMutablePointer<group>?) = (nil, nil)
        guard let userPlace = userText.baseAddress, let groupPlace = groupText.baseAddress,
            unsafe getpwuid_r(geteuid(), &user, userPlace, userText.count, &foundUser) == 0,
            unsafe getgrgid_r(number, &own, groupPlace, groupText.count, &foundGroup) == 0,
            unsafe foundUser != nil, unsafe foundGroup != nil, unsafe user.pw_gid == number,
            let name = unsafe user.pw_name, let groupName = unsafe own.gr_name, unsafe strcmp(name, groupName) == 0
        else { return false }
        var member = unsafe own.gr_mem
        while let place = unsafe member {
            guard let other = unsafe place.pointee else { break }
            if unsafe strcmp(other, name) != 0 { return false }
            unsafe member = unsafe place + 1
        }
        return true
    }
    #endif
}

/// Paths as text.
package enum FilePath {
    /// The folder that a file lies in; empty for the working directory.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A path that begins at a folder, unless it is absolute.
    package static func join(_ folder: String, _ path: String) -> String {
        if path.hasPrefix("/") || folder.isEmpty { return path }
        return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }
}

/// Why a file can't be read or written.
package enum FileFailure: Error, Hashable {
    case missing
    case forbidden
    /// It is a directory, a pipe, a device, or a link where none may be.
    case notRegular
    case tooLarge(bytesMax: Int)
    /// Others may do with it what they may not.
    case exposed(mode: UInt32)
    /// It belongs to another user, who can change it at any time.
    case foreign(owner: UInt32)
    /// Others may put something else in its place: they may write into this folder on the way to it.
    case openFolder(String)
    /// This folder on the way to it belongs to another user.
    case foreignFolder(String, owner: UInt32)
    case failed(code: Int32)

    /// What is wrong, as a clause.
    package var problem: String {
        switch self {
        case .missing: "there is no such file"
        case .forbidden: "this user may not open it"
        case .notRegular: "it is no ordinary file"
        case .tooLarge(let bytesMax): "it has more than \(bytesMax) bytes"
        case .exposed(let mode): "its mode \(String(mode, radix: 8)) lets others read or change it"
        case .foreign(let owner): "it belongs to another user (\(owner)), who can change it"
        case .openFolder(let folder):
            "others may put something else in its place, since the folder \(folder) is open to them"
        case .foreignFolder(let folder, let owner): "the folder \(folder) belongs to another user (\(owner))"
        case .failed(ENOSPC), .failed(EDQUOT): "the disk is full"
        case .failed(EROFS): "the file system is mounted to be read only"
        case .failed(let code): "the system failed with error \(code)"
        }
    }
}
