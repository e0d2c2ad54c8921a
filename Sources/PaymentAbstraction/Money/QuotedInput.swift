/// A text that somebody gave us, made fit for an error message.
///
/// It is shortened, its control characters are written as codes, and what looks like a card number is masked, since
/// people mix up fields.
struct QuotedInput: CustomStringConvertible {
    /// The text between quotation marks.
    let description: String

    /// How much of the text is shown.
    static let charactersMax = 40
    /// How much of it is looked at, in Unicode scalars: one letter may carry any number of marks.
    static let charactersReadMax = 1_024

    /// Makes the text fit to be shown.
    init(_ text: String) {
        let read = String(text.unicodeScalars.prefix(Self.charactersReadMax))
        let masked = Masking.findsCardNumber(in: read) ? Masking.cardNumbers(in: read) : read
        var shown = ""
        for scalar in masked.unicodeScalars.prefix(Self.charactersMax) {
            shown += scalar.isASCII ? scalar.escaped(asASCII: true) : Self.code(scalar)
        }
        description = "\"\(shown)\(masked.unicodeScalars.count > Self.charactersMax ? "…" : "")\""
    }

    /// Letters and symbols of other scripts stay readable; what is invisible becomes a code.
    private static func code(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator,
            .paragraphSeparator:
            scalar.escaped(asASCII: true)
        default: String(scalar)
        }
    }
}
