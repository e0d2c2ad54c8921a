/// Why an exchange with the server failed.
enum PostgresFailure: Error, Hashable {
    /// The server refused a statement; the connection can be used on, once its transaction is undone.
    case refused(state: String, words: String)
    /// The connection is gone, or nothing was heard in time; what the server does with what was sent isn't known.
    case lost(String)

    var words: String {
        switch self {
        case .refused(let state, let words): "the database refused it (\(state): \(words))"
        case .lost(let words): "the connection to the database was lost (\(words))"
        }
    }

    /// Whether the same may succeed when it is tried again: somebody else was in the way.
    var isPassing: Bool {
        guard case .refused(let state, _) = self else { return false }
        // A deadlock, a conflict, a lock that wasn't free in time.
        return ["40P01", "40001", "55P03", "23505"].contains(state)
    }
}
