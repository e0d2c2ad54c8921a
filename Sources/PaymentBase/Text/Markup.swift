extension Unicode.Scalar {
    /// Whether it is seen: no mark that moves the cursor, hides itself, or turns around what is beside it.
    package var isVisible: Bool {
        if (0x20...0x7E).contains(value) { return true }
        return switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}

extension String {
    /// The same with a space for each scalar that is not seen.
    package var visible: String {
        if unicodeScalars.allSatisfy(\.isVisible) { return self }
        var kept = String.UnicodeScalarView()
        for scalar in unicodeScalars { kept.append(scalar.isVisible ? scalar : " ") }
        return String(kept)
    }
}

/// A piece of HTML or SVG. Its tags are literals of these sources; a text is escaped where it is put in, and no text
/// becomes a piece as it is.
package struct Markup: Sendable, ExpressibleByStringInterpolation {
    /// The piece, as it is sent.
    package let html: String

    /// Tags that stand in the sources.
    package init(stringLiteral tags: StaticString) { html = "\(tags)" }

    /// Tags that stand in the sources, with texts, numbers and pieces between them.
    package init(stringInterpolation parts: StringInterpolation) { html = parts.html }

    /// What is between the tags of a literal.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var html = ""

        package init(literalCapacity: Int, interpolationCount: Int) { html.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ tags: StaticString) { html += "\(tags)" }

        package mutating func appendInterpolation(_ piece: Markup) { html += piece.html }

        package mutating func appendInterpolation(_ number: Int) { html += "\(number)" }

        /// Pieces, with a line's end between them if they are lines.
        package mutating func appendInterpolation(_ pieces: [Markup], lines: Bool = false) {
            html += pieces.map(\.html).joined(separator: lines ? "\n" : "")
        }

        /// A text that shows as it is, in a tag's value as well.
        package mutating func appendInterpolation(_ text: String) {
            for scalar in text.visible.unicodeScalars {
                switch scalar {
                case "&": html += "&amp;"
                case "<": html += "&lt;"
                case ">": html += "&gt;"
                case "\"": html += "&quot;"
                case "'": html += "&#39;"
                default: html.unicodeScalars.append(scalar)
                }
            }
        }
    }
}
