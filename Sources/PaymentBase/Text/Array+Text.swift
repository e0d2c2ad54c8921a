extension [UInt8] {
    /// The most bytes that a text keeps in place, without memory of its own.
    private static var smallTextCount: Int { 15 }

    /// The text of some of the bytes; a slice would cost two reference counts more.
    @inline(__always) func text(_ range: Range<Int>) -> String {
        unsafe withUnsafeBufferPointer { bytes in
            let text = unsafe UnsafeBufferPointer(rebasing: bytes[range])
            guard text.count <= Self.smallTextCount else { return unsafe String(decoding: text, as: UTF8.self) }
            // Half of the instructions for what is kept in place; a little more for what is not.
            return unsafe String(unsafeUninitializedCapacity: text.count) { room in
                unsafe room.initialize(fromContentsOf: text)
            }
        }
    }
}
