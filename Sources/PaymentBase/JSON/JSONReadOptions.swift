/// What a JSON reader accepts: sizes, depth, and what it does with a key that comes twice.
public struct JSONReadOptions: Sendable, Hashable {
    /// The options that every reader starts from.
    public static let standard = JSONReadOptions()
    /// The deepest nesting that any option can allow.
    public static let depthCeiling = 256

    /// The longest text, in bytes.
    public var bytesMax = 8 * 1_024 * 1_024
    /// How deep arrays and objects may nest; never more than ``depthCeiling``.
    public var depthMax = 128
    /// What to do with a key that comes twice in one object.
    public var duplicateKeys = DuplicateKeys.refuse

    /// Makes the standard options: 8 MiB, 128 levels, no duplicate keys.
    public init() {}
}
