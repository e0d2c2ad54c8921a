/// Puts texts between quotes, scalar by scalar, as the database reads them: a quote together with a combining scalar is one
/// character, which equals no quote.
enum QuotedText {
    /// A name in a statement.
    static func name(_ name: String) -> String { "\"" + marking(["\""], in: name, with: "\"") + "\"" }

    /// A value in a connection string of libpq.
    static func value(_ value: String) -> String { "'" + marking(["\\", "'"], in: value, with: "\\") + "'" }

    private static func marking(_ marks: Set<Unicode.Scalar>, in text: String, with mark: Unicode.Scalar) -> String {
        var marked = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if marks.contains(scalar) { marked.append(mark) }
            marked.append(scalar)
        }
        return String(marked)
    }
}
