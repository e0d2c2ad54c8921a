/// How a packed value is laid out: a mark, the value, and four bytes of a sum over both.
///
/// A value begins with a byte that says what follows; numbers that count something are written seven bits to a byte, the low
/// ones first. A text that came before in the same value is a number, and so is one of ``PackedWords``.
enum PackedForm {
    /// What the bytes begin with; no text in JSON does.
    static let mark: UInt8 = 0x01
    static let sumCount = 4
    /// How deep values are nested at most.
    static let depthMax = 48

    // What stands alone.
    static let null: UInt8 = 0x00
    static let no: UInt8 = 0x01
    static let yes: UInt8 = 0x02
    // What a length, a number or a place follows.
    static let numberText: UInt8 = 0x03
    static let number: UInt8 = 0x04
    static let negative: UInt8 = 0x05
    static let text: UInt8 = 0x06
    static let earlier: UInt8 = 0x07
    static let identifier: UInt8 = 0x08
    static let array: UInt8 = 0x09
    static let object: UInt8 = 0x0A
    static let longWord: UInt8 = 0x0C
    // What has its count within the byte.
    static let shortArray: UInt8 = 0x10
    static let shortNumber: UInt8 = 0x20
    static let shortText: UInt8 = 0x40
    static let shortObject: UInt8 = 0x60
    static let shortEarlier: UInt8 = 0x70
    static let shortWord: UInt8 = 0x80
    static let fewMax = 15
    static let someMax = 31

    /// How long a text is at least that is referred to when it comes again, and how many of them there are.
    static let earlierLengthMin = 4
    static let earlierCountMax = 64

    /// The bytes of an identifier in small hexadecimal digits, 8-4-4-4-12, and where its dashes are.
    static let identifierCount = 16
    static let identifierTextCount = 36
    static let dashes = [8, 13, 18, 23]

    /// A sum that notices what a disk or a wire did to the bytes; it guards against damage, not against people.
    static func sum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var sum: UInt32 = 0x811C_9DC5
        for byte in bytes { sum = (sum ^ UInt32(byte)) &* 0x0100_0193 }
        return (0..<sumCount).map { UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) }
    }
}
