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
}
