internal import PaymentSystem

/// The file before SQLite sees it.
enum JournalFile {
    /// Makes an empty file that only its owner may read and write, when there is none; what fails here fails again,
    /// with words, when the file is opened.
    static func prepare(_ path: String) {
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether there is a file.
    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0
    }

    /// The smallest file that SQLite has ever written.
    private static let bytesMin = 512

    /// Whether it has a beginning and no more; SQLite would take it for an empty one and begin anew.
    ///
    /// It is not opened for that: whoever closes any descriptor of a file gives up all POSIX locks that its process has
    /// on it, SQLite's among them. Another process that closes the file would then take itself for the last one, and
    /// remove the log that this one goes on writing to.
    static func isStump(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return (1..<bytesMin).contains(Int(status.st_size))
    }
}
