/// A value that no description, dump, reflection or log shows.
///
/// Card numbers, track and EMV data, PIN blocks, account numbers, tokens and keys travel as secrets. Only ``expose()``
/// gives the text, so that every place that needs it can be found by its name. Its own memory is wiped when nobody holds
/// it any more; what was exposed is a copy that nobody can wipe. Two secrets are compared in a time that says nothing of
/// where they differ.
public struct Secret: Sendable, Hashable {
    private let memory: WipedMemory

    /// Wraps a text.
    public init(_ text: String) { self.init(bytes: Array(text.utf8)) }

    /// Wraps bytes.
    public init(bytes: [UInt8]) { memory = WipedMemory(bytes, in: Self.place.withLock { $0 }) }

    /// The text itself; call it only where it goes on a wire or into a key.
    public func expose() -> String { unsafe memory.read { unsafe String(decoding: $0, as: UTF8.self) } }

    /// The bytes themselves; call it only where they go on a wire or into a key.
    public func exposeBytes() -> [UInt8] { unsafe memory.read { unsafe Array($0) } }

    /// Whether there is nothing inside.
    public var isEmpty: Bool { memory.count == 0 }

    public static func == (one: Secret, other: Secret) -> Bool {
        guard one.memory.count == other.memory.count else { return false }
        return unsafe one.memory.read { one in
            unsafe other.memory.read { other in
                // Every byte is looked at, whatever the first ones were.
                unsafe MachineWord.difference(one, other) == 0
            }
        }
    }

    public func hash(into hasher: inout Hasher) { unsafe memory.read { unsafe hasher.combine(bytes: $0) } }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<secret>" }
    public var debugDescription: String { "<secret>" }
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
