internal import PaymentTransport

/// Reads elements of DER one after another, strictly: definite lengths in their shortest form.
struct DERReader {
    /// An integer.
    static let integer: UInt8 = 0x02
    /// A string of bits.
    static let bitString: UInt8 = 0x03
    /// A string of bytes.
    static let octetString: UInt8 = 0x04
    /// An object's identifier.
    static let identifier: UInt8 = 0x06
    /// A sequence.
    static let sequence: UInt8 = 0x30

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Whether everything was read.
    var isAtEnd: Bool { rest.isEmpty }

    /// The contents of the next element, which has to be of that kind.
    mutating func next(_ tag: UInt8) throws(CryptoFailure) -> ArraySlice<UInt8> {
        guard rest.popFirst() == tag, let first = rest.popFirst() else { throw .invalidKey }
        var count = Int(first)
        if first >= 0x80 {
            let digits = Int(first) - 0x80
            guard (1...3).contains(digits), rest.count >= digits else { throw .invalidKey }
            let length = rest.prefix(digits)
            rest = rest.dropFirst(digits)
            count = length.reduce(0) { $0 << 8 | Int($1) }
            guard length.first != 0, count >= 0x80 else { throw .invalidKey }
        }
        guard rest.count >= count else { throw .invalidKey }
        let contents = rest.prefix(count)
        rest = rest.dropFirst(count)
        return contents
    }
}
