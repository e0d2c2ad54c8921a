/// A text that equals another only byte by byte, unlike `String`, for which composed and decomposed letters are equal.
struct ExactText: Hashable {
    let text: String

    static func == (one: ExactText, other: ExactText) -> Bool { one.text.isExactly(other.text) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(UInt8(0xFF))
    }
}

extension String {
    /// Whether two texts have the same bytes.
    func isExactly(_ other: String) -> Bool {
        // The first comparison is fast and sorts out nearly everything; the second one is exact.
        self == other && utf8.elementsEqual(other.utf8)
    }
}
