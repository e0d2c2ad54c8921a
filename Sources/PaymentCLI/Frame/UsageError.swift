internal import PaymentProviderKit

/// A command line that can't be understood.
struct UsageError: Error {
    let message: String

    /// The error of a name that is none of those that there are; the nearest is suggested.
    static func unknown(_ what: String, _ name: String, of names: [String]) -> UsageError {
        unknown(what, name, of: names, near: SpellingSuggestion.of(name, in: names))
    }

    /// The same, where it is known which one was meant.
    static func unknown(_ what: String, _ name: String, of names: [String], near: String?) -> UsageError {
        // Whoever missed by a letter needs no list, and a long one would hide the answer.
        if let near { return UsageError(message: "there is no \(what) \(name); did you mean \(near)?") }
        return UsageError(message: "there is no \(what) \(name); there are \(names.joined(separator: ", "))")
    }
}

extension Sequence {
    /// The one that somebody named; without it, the error lists the names or suggests the nearest.
    func picked(_ name: String, _ what: String, by key: (Element) -> String) throws(UsageError) -> Element {
        if let one = first(where: { key($0) == name }) { return one }
        throw .unknown(what, name, of: map(key))
    }
}
