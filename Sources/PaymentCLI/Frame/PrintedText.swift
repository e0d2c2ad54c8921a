/// Text on its way to a terminal: what could move the cursor, hide or turn around what stands beside it is written out.
///
/// Everything that is printed passes here and nowhere else, so that no text from outside can forge a line of ours. The
/// form of an escape is JSON's own, so that a line of JSON stays the same JSON.
enum PrintedText {
    /// One line, of which nothing is left that is not shown; with colours, those of ``Paint`` take the place of its marks.
    static func line(_ text: String, colours: Bool = false) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var (shown, rest) = ("", text.unicodeScalars[...])
        while let scalar = rest.first {
            if colours, scalar == "\u{1B}",
                let colour = Paint.marks.first(where: { rest.starts(with: $0.mark.unicodeScalars) })
            {
                shown += colour.sequence
                rest = rest.dropFirst(colour.mark.unicodeScalars.count)
                continue
            }
            if isHidden(scalar) {
                for unit in UTF16.encode(scalar) ?? .init() { shown += escape(unit) }
            } else {
                shown.unicodeScalars.append(scalar)
            }
            rest = rest.dropFirst()
        }
        return shown
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16, uppercase: true)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Whether a scalar does something instead of being seen.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if (0x20...0x7E).contains(scalar.value) { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
