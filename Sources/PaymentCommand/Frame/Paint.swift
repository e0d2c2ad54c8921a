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
        return ["0", "1", "31", "32", "33"].reduce(text) { $0.replacing("\u{1B}[\($1)m", with: "") }
    }

    private func wrapped(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
