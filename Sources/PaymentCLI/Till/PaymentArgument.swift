internal import PaymentAbstraction

/// A payment or an attempt as somebody types it: its whole id, its reference, or the end of its id behind "…".
///
/// A text that could be either is looked for as both; `id:…` and `reference:…` say which one is meant.
struct PaymentArgument {
    /// The fewest characters by which something is found without its beginning.
    static let endingCharactersMin = 6

    let text: String
    /// The id that it is, if it can be one.
    private(set) var id: AttemptID?
    /// The references that it can be; the text itself always, since a reference may hold anything.
    private(set) var references: [String]
    /// What the id ends with, where a mark says so.
    private(set) var ending: String?

    init(_ text: String) throws(UsageError) {
        (self.text, references) = (text, [text])
        for mark in ["…", "..."] where text.hasPrefix(mark) {
            let end = String(text.dropFirst(mark.count))
            guard end.count >= Self.endingCharactersMin, (try? AttemptID(end)) != nil else {
                throw UsageError(
                    message:
                        "\(text) is too little: type \(Self.endingCharactersMin) letters or digits of the end or more")
            }
            ending = end
            return
        }
        if text.hasPrefix("id:") {
            id = try? AttemptID(String(text.dropFirst(3)))
        } else if text.hasPrefix("reference:") {
            references.append(String(text.dropFirst(10)))
        } else {
            id = try? AttemptID(text)
        }
    }
}
