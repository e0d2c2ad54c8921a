internal import CLinux
internal import PaymentSystem

/// The folders and links on the way to a file: whoever can write into one of them can put another file in its place.
package enum FileWay {
    /// How many links are followed, as the system does.
    private static let linksMax = 40
    /// The longest path that the system knows.
    private static let pathBytesMax = 4_096

    /// Whether an owner is this user or the system's.
    static func isTrusted(_ owner: uid_t) -> Bool { owner == 0 || owner == geteuid() }

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
    static func check(_ path: String) throws(FileFailure) {
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
                // In a folder that is open but sticky, a link may be anybody's.
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

    /// In a sticky folder nobody can take away what is not his own, so that it may be open to everybody.
    private static func checkFolder(_ path: String, _ status: stat) throws(FileFailure) {
        guard isTrusted(status.st_uid) else { throw .openFolder(path) }
        let mode = UInt32(status.st_mode)
        if mode & UInt32(S_ISVTX) != 0 { return }
        let isOpen = mode & 0o002 != 0 || mode & 0o020 != 0 && !isAlone(status.st_gid)
        if isOpen { throw .openFolder(path) }
    }

    /// Whether a group is this user's own, with nobody else in it, as many systems give one to each user.
    private static func isAlone(_ group: gid_t) -> Bool { pay_is_own_group(UInt32(group)) == 1 }
}
