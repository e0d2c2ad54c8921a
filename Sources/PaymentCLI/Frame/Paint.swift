/// Colours for people who look at a terminal; without them every word stays as it is.
struct Paint: Sendable {
    let isOn: Bool

    func good(_ text: String) -> String { wrapped(text, "32") }
    func bad(_ text: String) -> String { wrapped(text, "31") }
    func doubt(_ text: String) -> String { wrapped(text, "33") }
    func strong(_ text: String) -> String { wrapped(text, "1") }

    /// The same text as a file keeps it.
    func without(_ text: String) -> String {
        if !isOn { return text }
        return Self.codes.reduce(text) { $0.replacing(Self.mark($1), with: "") }
    }

    /// What stands for a colour until the line is printed: a secret number, drawn once for each process. A
    /// text from outside can have every sequence of a terminal's in it, and not this one.
    static func mark(_ code: String) -> String { "\u{1B}{\(secret):\(code)}" }

    /// Every mark, and what a terminal knows it by.
    static let marks = codes.map { (mark: mark($0), sequence: "\u{1B}[\($0)m") }

    private static let codes = ["0", "1", "31", "32", "33"]
    private static let secret = String(UInt64.random(in: 0 ... .max), radix: 16)

    private func wrapped(_ text: String, _ code: String) -> String {
        isOn ? "\(Self.mark(code))\(text)\(Self.mark("0"))" : text
    }
}
