/// JSON as few bytes, for what a program keeps by the million and only it reads.
///
/// The same value always gives the same bytes, and what comes back is equal to what was written. Bytes that aren't what was
/// written are refused, by a sum over them.
package enum PackedJSON {
    /// What was kept is damaged, or another form.
    package struct Unreadable: Error, Hashable {}

    /// Whether bytes are in this form rather than in JSON's own.
    package static func isPacked(_ bytes: [UInt8]) -> Bool { bytes.first == PackedForm.mark }

    /// A value as bytes.
    package static func bytes(_ value: JSON, _ words: PackedWords) -> [UInt8] {
        var writer = PackedWriter(words)
        writer.add(value)
        return sealed(writer.bytes)
    }

    /// Reads a value.
    package static func value(_ bytes: [UInt8], _ words: PackedWords) throws(Unreadable) -> JSON {
        let end = bytes.count - PackedForm.sumCount
        guard isPacked(bytes), end > 1, PackedForm.sum(bytes[..<end]).elementsEqual(bytes[end...]) else {
            throw Unreadable()
        }
        var reader = PackedReader(bytes[1..<end], words)
        let value = try reader.value()
        guard reader.isAtEnd else { throw Unreadable() }
        return value
    }

    /// Whatever is given between the mark and its sum, for those who attack the reader.
    package static func sealed(_ content: [UInt8]) -> [UInt8] {
        var bytes = [PackedForm.mark] + content
        bytes += PackedForm.sum(bytes)
        return bytes
    }
}
