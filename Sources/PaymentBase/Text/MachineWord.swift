/// Eight bytes at a time: tests on text that would take eight steps byte by byte.
enum MachineWord {
    /// How many bytes a word has.
    static let byteCount = 8
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Eight bytes, the first one lowest; stops the program outside the array, as a subscript would.
    @inline(__always) static func load(_ bytes: [UInt8], at index: Int) -> UInt64 {
        precondition(index >= 0 && index <= bytes.count - byteCount, "a word lies within its bytes")
        let word = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: index, as: UInt64.self) }
        return UInt64(littleEndian: word)
    }

    /// Whether two pieces of memory of the same length have the same bytes.
    @inline(__always) static func isEqual(
        _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        precondition(one.count == other.count, "only what is as long is compared")
        let (first, second) = (UnsafeRawBufferPointer(one), UnsafeRawBufferPointer(other))
        var offset = 0
        while offset + byteCount <= first.count {
            let word = unsafe first.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if unsafe word != second.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
            offset += byteCount
        }
        while offset < first.count {
            if unsafe first[offset] != second[offset] { return false }
            offset += 1
        }
        return true
    }

    /// The bits in which two pieces of memory of the same length differ, wherever that is; it takes as long for all.
    static func difference(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> UInt64 {
        precondition(one.count == other.count, "only what is as long is compared")
        var (difference, offset) = (UInt64(0), 0)
        while offset + byteCount <= one.count {
            let word = unsafe one.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            difference |= unsafe word ^ other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset += byteCount
        }
        while offset < one.count {
            difference |= unsafe UInt64(one[offset] ^ other[offset])
            offset += 1
        }
        return difference
    }

    /// The highest bit of every quote, backslash and control character; exact up to the first of them.
    @inline(__always) static func special(_ word: UInt64) -> UInt64 {
        let quotes = word ^ (ones &* UInt64(Byte.quote))
        let backslashes = word ^ (ones &* UInt64(Byte.backslash))
        // A byte's highest bit is set where it is zero, or below a space; borrows only reach higher bytes.
        let marks =
            ((quotes &- ones) & ~quotes)
            | ((backslashes &- ones) & ~backslashes)
            | ((word &- ones &* UInt64(Byte.space)) & ~word)
        return marks & highs
    }

    /// How many bytes stand before the first marked one; eight when none is marked.
    @inline(__always) static func count(before marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }

    /// The highest bit of every byte that is not ASCII and stands before the first marked one.
    @inline(__always) static func highs(_ word: UInt64, before marks: UInt64) -> UInt64 {
        word & highs & ((marks & (0 &- marks)) &- 1)
    }
}
