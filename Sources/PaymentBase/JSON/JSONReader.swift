/// Reads a JSON text into a ``JSON`` value, by RFC 8259 and stricter where two readers could disagree.
///
/// Refused are: duplicate keys (unless the options allow them), nesting and sizes above the limits, bytes that are not
/// UTF-8, a byte order mark, unescaped control characters, escaped surrogates without a partner, and anything but white
/// space after the value. Numbers keep their text, however large they are. No nesting makes the reader call itself.
public struct JSONReader: Sendable {
    /// What is accepted.
    public let options: JSONReadOptions

    /// Makes a reader.
    public init(options: JSONReadOptions = .standard) { self.options = options }

    /// Reads one text, all of it.
    ///
    /// - Throws: what is wrong with the text and where.
    public func read(_ bytes: [UInt8]) throws(JSONError) -> JSON {
        var reader = try JSONPullReader(bytes, options: options)
        let value = try reader.value()
        try reader.end()
        return value
    }

    /// Checks one text, all of it, without building anything.
    ///
    /// - Throws: what is wrong with the text and where; exactly when ``read(_:)`` throws.
    public func check(_ bytes: [UInt8]) throws(JSONError) {
        var reader = try JSONPullReader(bytes, options: options)
        try reader.skip()
        try reader.end()
    }
}
