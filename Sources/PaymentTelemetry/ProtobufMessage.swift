/// One message of Protocol Buffers while it is written.
///
/// It is written by hand, because swift-protobuf is not among the packages that this one may depend on; a test decodes it with
/// OpenTelemetry's own classes.
struct ProtobufMessage {
    private(set) var bytes: [UInt8] = []

    private enum Wire: UInt64 {
        case varint = 0
        case fixed64 = 1
        case lengthDelimited = 2
    }

    /// A number of variable length; zero, which is what a reader assumes, is left out.
    mutating func varint(_ field: UInt64, _ value: UInt64) {
        if value == 0 { return }
        tag(field, .varint)
        write(value)
    }

    /// A number of 64 bits; zero is left out.
    mutating func fixed64(_ field: UInt64, _ value: UInt64) {
        if value == 0 { return }
        tag(field, .fixed64)
        append(value)
    }

    /// A number of 64 bits that is written also as zero, because a reader distinguishes it from a missing one.
    mutating func given64(_ field: UInt64, _ value: UInt64) {
        tag(field, .fixed64)
        append(value)
    }

    /// Numbers of 64 bits, one after the other.
    mutating func packed(_ field: UInt64, _ values: [UInt64]) {
        tag(field, .lengthDelimited)
        write(UInt64(values.count) * 8)
        for value in values { append(value) }
    }

    /// The bits of a whole number in IEEE 754's binary64, rounded down above 53 bits; one below zero is zero.
    static func binary64(_ number: Int64) -> UInt64 {
        guard number > 0 else { return 0 }
        let top = 63 - number.leadingZeroBitCount
        let bits = UInt64(number)
        let fraction = top <= 52 ? bits << UInt64(52 - top) : bits >> UInt64(top - 52)
        return UInt64(1_023 + top) << 52 | fraction & (1 << 52 - 1)
    }

    private mutating func append(_ value: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift))) }
    }

    /// One alternative of several: zero is written, too, because it says which alternative it is.
    mutating func alternative(_ field: UInt64, integer value: Int64) {
        tag(field, .varint)
        write(UInt64(bitPattern: value))
    }

    /// A number with a sign as one alternative of several, in 64 bits.
    mutating func alternative(_ field: UInt64, fixed value: Int64) {
        given64(field, UInt64(bitPattern: value))
    }

    /// A text; an empty one is left out.
    mutating func text(_ field: UInt64, _ value: String) { data(field, Array(value.utf8)) }

    /// Bytes; none are left out.
    mutating func data(_ field: UInt64, _ value: [UInt8]) {
        if value.isEmpty { return }
        tag(field, .lengthDelimited)
        write(UInt64(value.count))
        bytes += value
    }

    /// A message within this one.
    mutating func message(_ field: UInt64, _ write: (inout ProtobufMessage) -> Void) {
        var inner = ProtobufMessage()
        write(&inner)
        tag(field, .lengthDelimited)
        self.write(UInt64(inner.bytes.count))
        bytes += inner.bytes
    }

    private mutating func tag(_ field: UInt64, _ wire: Wire) { write(field << 3 | wire.rawValue) }

    private mutating func write(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
