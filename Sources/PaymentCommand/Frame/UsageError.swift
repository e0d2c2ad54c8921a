/// A command line that can't be understood.
struct UsageError: Error {
    let message: String

    /// The error of a name that is none of those that there are.
    static func unknown(_ what: String, _ name: String, of names: [String], near: String?) -> UsageError {
        // Whoever missed by a letter needs no list, and a long one would hide the answer.
        if let near { return UsageError(message: "there is no \(what) \(name); did you mean \(near)?") }
        return UsageError(message: "there is no \(what) \(name); there are \(names.joined(separator: ", "))")
    }
}
