/// A moment as the journal knows it: the wall's time, and the time since the machine was started, which no person sets.
public struct JournalInstant: Hashable, Sendable {
    /// Milliseconds since 1970.
    public let wall: Int64
    /// Milliseconds since the machine was started, sleep counted.
    public let uptime: Int64
    /// Which start of the machine this was; empty where that is unknown.
    public let boot: String

    /// Makes a moment of its parts.
    public init(wall: Int64, uptime: Int64, boot: String = "") {
        (self.wall, self.uptime, self.boot) = (wall, uptime, boot)
    }
}

/// The name of a journal between two restorations: 48 random bits. Two journals that were made of one backup have two.
package struct JournalGeneration: Hashable, Sendable, CustomStringConvertible {
    package let bits: UInt64

    package init(_ bits: UInt64) { self.bits = bits & 0xFFFF_FFFF_FFFF }

    /// Twelve hexadecimal digits, as ids of it begin.
    package var description: String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 12 - digits.utf8.count) + digits
    }
}
