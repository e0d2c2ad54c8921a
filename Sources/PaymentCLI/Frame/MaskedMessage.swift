internal import PaymentAbstraction

/// A message in which a typed card number is masked, while ids and amounts of ours can still be read and typed.
enum MaskedMessage {
    static func of(_ message: String) -> String {
        // Ids and amounts stand aside, and come back once everything else was looked through.
        var (kept, shown) = ([String](), [String]())
        let words = message.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        for (index, word) in words.enumerated() {
            let core = word.trimmed
            let isAmount = isDecimal(core) && index + 1 < words.count && isCode(words[index + 1].trimmed)
            guard isUUID(core) || isAmount, !core.contains(mark) else {
                shown.append(word)
                continue
            }
            kept.append(core)
            shown.append(word.replacing(core, with: String(mark), maxReplacements: 1))
        }
        var left = kept[...]
        return Masking.cardNumbers(in: shown.joined(separator: " ")).map { character in
            character == mark ? left.popFirst() ?? "" : String(character)
        }.joined()
    }

    private static let mark: Character = "\u{F8FF}"

    private static func isUUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
    }

    /// Digits with decimals behind a full stop, which no card number has.
    private static func isDecimal(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { "0123456789".contains($0) } }
    }

    private static func isCode(_ text: String) -> Bool {
        text.count == 3 && text.allSatisfy { ("A"..."Z").contains($0) }
    }
}

extension String {
    /// Without the marks that a sentence puts around a word.
    fileprivate var trimmed: String {
        let marks = "\"'`,;:()."
        let front = drop { marks.contains($0) }
        return String(front.reversed().drop { marks.contains($0) }.reversed())
    }
}
