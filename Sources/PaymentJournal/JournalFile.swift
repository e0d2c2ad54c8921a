#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The file before SQLite sees it.
enum JournalFile {
    /// Makes an empty file that only its owner may read and write, when there is none; what fails here fails again,
    /// with words, when the file is opened.
    static func prepare(_ path: String) {
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// The smallest file that SQLite has ever written.
    private static let bytesMin = 512

    /// Whether it has a beginning and no more; SQLite would take it for an empty one and begin anew.
    static func isStump(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return (1..<bytesMin).contains(Int(lseek(descriptor, 0, SEEK_END)))
    }
}
