/// Why a JSON text was refused and where; never any part of the text itself.
///
/// Lines are counted by line feeds and columns in bytes, both from 1, so that the place can be found in any editor and
/// in a hex dump; `offset` counts bytes from 0.
public struct JSONError: Error, Sendable, Hashable {
    /// What is wrong.
    public let kind: Kind
    /// How many bytes stand before the place.
    public let offset: Int
    /// The line of the place, from 1.
    public let line: Int
    /// The byte within its line, from 1.
    public let column: Int

    /// Makes an error that points to a byte of `bytes`.
    init(_ kind: Kind, at offset: Int, in bytes: [UInt8]) {
        self.kind = kind
        self.offset = min(max(offset, 0), bytes.count)
        var line = 1
        var lineStart = 0
        for index in 0..<self.offset where bytes[index] == Byte.lineFeed {
            line += 1
            lineStart = index + 1
        }
        self.line = line
        column = self.offset - lineStart + 1
    }
}

extension JSONError: CustomStringConvertible {
    public var description: String { "JSONError(\(kind), line \(line), column \(column), byte \(offset))" }
}
