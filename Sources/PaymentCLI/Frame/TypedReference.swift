/// The rules of a reference that somebody types, beside those of the client: two that look the same are the same.
enum TypedReference {
    /// What is wrong with one, as the end of a sentence; nil where nothing is.
    static func problem(_ text: String) -> String? {
        let scalars = text.unicodeScalars
        if scalars.first?.properties.isWhitespace == true || scalars.last?.properties.isWhitespace == true {
            return "begins or ends with white space, which nobody sees; leave it out"
        }
        for scalar in scalars where scalar != " " {
            switch scalar.properties.generalCategory {
            case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .surrogate, .privateUse,
                .unassigned:
                let code = String(scalar.value, radix: 16, uppercase: true)
                let digits = String(repeating: "0", count: max(0, 4 - code.count)) + code
                return "has the character U+\(digits), which nobody can tell from another; leave it out"
            default: if scalar == "\u{FFFD}" { return "has characters that could not be read" }
            }
        }
        return nil
    }
}
