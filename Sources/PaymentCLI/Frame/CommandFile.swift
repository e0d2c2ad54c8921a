internal import PaymentBase
internal import PaymentLinux
internal import PaymentSystem

/// Files that a command line names.
enum CommandFile {
    /// Reads a file whole.
    static func read(_ path: String) throws(UsageError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw UsageError(message: "\(path) can't be opened: \(reason)") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe part.withUnsafeMutableBytes { unsafe readSome(descriptor, $0) }
            if count == 0 { return bytes }
            if count < 0 { throw UsageError(message: "\(path) can't be read: \(reason)") }
            bytes += part.prefix(count)
            if bytes.count > Console.inputBytesMax {
                throw UsageError(message: "\(path) has more than \(Console.inputBytesMax) bytes")
            }
        }
    }

    /// Whether there is something of that name.
    static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// Whether a folder is there.
    static func isFolder(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0
    }

    /// Makes a folder, and those that it lies in.
    static func makeFolder(_ path: String) throws(UsageError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for piece in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + piece
            if unsafe mkdir(made, 0o755) != 0, errno != EEXIST {
                throw UsageError(message: "the folder \(made) can't be made: \(reason)")
            }
        }
    }

    /// The folder in which this program was called.
    static func currentFolder() -> String? {
        guard let path = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// Where this program lies.
    static func ownProgram() -> String? {
        guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// Writes a file, beside the old one and then in its place; a link that stands there is replaced and not followed.
    static func write(_ bytes: [UInt8], _ path: String) throws(UsageError) {
        do { try RegularFile.replace(path, with: bytes, isPrivate: false) } catch {
            throw UsageError(message: "\(path) can't be written: \(error.problem)")
        }
    }

    private static var reason: String {
        switch errno {
        case ENOENT: "there is no such file or folder"
        case EACCES, EPERM: "this user may not"
        case EISDIR: "it is a folder"
        case let code: "the system failed with error \(code)"
        }
    }
}

/// The system's own functions, which the enum's would hide.
private func readSome(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}
