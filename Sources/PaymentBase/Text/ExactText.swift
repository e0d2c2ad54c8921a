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
    @inline(__always) func isExactly(_ other: String) -> Bool {
        // How many bytes there are is known, and sorts out nearly everything.
        utf8.count == other.utf8.count && hasBytes(of: other)
    }

    /// Whether another text of the same length has the same bytes.
    @inline(never) private func hasBytes(of other: String) -> Bool {
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { one in
            unsafe other.utf8.withContiguousStorageIfAvailable { unsafe MachineWord.isEqual(one, $0) }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
