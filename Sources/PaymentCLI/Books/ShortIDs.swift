/// The ends of ids that a list shows where a line has no room: each finds its payment in every command.
///
/// Ids that the library draws begin with what all ids of one journal have in common, so only their ends differ.
struct ShortIDs {
    /// The fewest characters of an end.
    private static let endMin = 8
    /// The fewest characters that are taken for a beginning.
    private static let beginningMin = 8
    /// The most characters of an id that is shown whole.
    private static let wholeMax = 12

    private let shown: [String: String]

    init(_ ids: [String]) {
        let turned = ids.filter { $0.count > Self.wholeMax }.map { Array($0.reversed()) }.sorted {
            $0.lexicographicallyPrecedes($1)
        }
        var shown: [String: String] = [:]
        for (index, id) in turned.enumerated() {
            let near = [index > 0 ? turned[index - 1] : [], index + 1 < turned.count ? turned[index + 1] : []]
            let common = near.map { zip($0, id).prefix { $0 == $1 }.count }.max() ?? 0
            let text = String(id.reversed())
            shown[text] = "…" + text.suffix(max(Self.endMin, common + 1))
        }
        self.shown = shown
    }

    subscript(id: String) -> String { shown[id] ?? id }

    /// Whether an id has the form of those that the library draws: five groups of hexadecimal digits.
    static func isDrawn(_ id: String) -> Bool {
        let groups = id.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
    }

    /// Whether a text can be the beginning of such an id.
    static func canBegin(_ text: String) -> Bool {
        text.count >= beginningMin && text.count < 36 && text.allSatisfy { $0.isHexDigit || $0 == "-" }
    }
}
