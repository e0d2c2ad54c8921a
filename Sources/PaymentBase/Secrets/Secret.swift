/// A value that no description, dump, reflection or log shows.
///
/// Card numbers, track and EMV data, PIN blocks, account numbers, tokens and keys travel as secrets. Only ``expose()``
/// gives the text, so that every place that needs it can be found by its name.
public struct Secret: Sendable, Hashable {
    private let bytes: [UInt8]

    /// Wraps a text.
    public init(_ text: String) { bytes = Array(text.utf8) }

    /// Wraps bytes.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// The text itself; call it only where it goes on a wire or into a key.
    public func expose() -> String { String(decoding: bytes, as: UTF8.self) }

    /// The bytes themselves; call it only where they go on a wire or into a key.
    public func exposeBytes() -> [UInt8] { bytes }

    /// Whether there is nothing inside.
    public var isEmpty: Bool { bytes.isEmpty }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<secret>" }
    public var debugDescription: String { "<secret>" }
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
