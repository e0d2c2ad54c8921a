/// Words that a packed form writes as one or two bytes, by their place in a list.
///
/// What was written once is read for ever: a list only grows at its end.
package struct PackedWords: Sendable {
    /// Places that one byte has room for; the others take two.
    static let shortCount = 128
    static let countMax = shortCount + 256

    let list: [String]
    private let places: [ExactText: Int]

    /// Takes the words in their order; one that comes twice keeps its first place.
    package init(_ list: [String]) {
        precondition(list.count <= Self.countMax, "a packed form has no room for so many words")
        self.list = list
        places = Dictionary(list.enumerated().map { (ExactText(text: $1), $0) }) { first, _ in first }
    }

    func place(of text: String) -> Int? { places[ExactText(text: text)] }

    subscript(place: Int) -> String? { list.indices.contains(place) ? list[place] : nil }
}
