internal import PaymentSystem

/// A value that no description, dump, reflection or log shows.
///
/// Card numbers, track and EMV data, PIN blocks, account numbers, tokens and keys travel as secrets. Only ``expose()``
/// gives the text, so that every place that needs it can be found by its name. Its own memory is wiped when no owner
/// holds it any more; what was exposed is a copy that can't be wiped. Two secrets are compared in a time that says
/// nothing of where they differ.
public struct Secret: Sendable, Hashable {
    private let memory: WipedMemory

    /// Wraps a text.
    public init(_ text: String) { self.init(bytes: Array(text.utf8)) }

    /// Wraps bytes.
    public init(bytes: [UInt8]) { memory = WipedMemory(bytes, in: Self.place.withLock { $0 }) }

    /// The text itself; call it only where it is sent or into a key.
    public func expose() -> String { unsafe memory.read { unsafe String(decoding: $0, as: UTF8.self) } }

    /// The bytes themselves; call it only where they are sent or into a key.
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

/// Memory that a platform keeps apart for secrets, out of dumps for one.
///
/// ``Secret/setMemory(_:)`` says where secrets lie from then on. They are overwritten before their memory is
/// released.
public protocol SecretMemory: Sendable {
    /// Gives so many bytes that no other code has, aligned to sixteen; nil where ordinary memory has to serve.
    func allocate(byteCount count: Int) -> UInt?

    /// Takes back what was given, overwritten.
    func deallocate(_ address: UInt, byteCount count: Int)
}

extension Secret {
    /// Where secrets lie that are made from now on.
    static let place = Locked<(any SecretMemory)?>(nil)

    /// Says where secrets lie that are made from now on; nil for ordinary memory.
    public static func setMemory(_ memory: (any SecretMemory)?) { place.withLock { $0 = memory } }

    /// The same where it was not said yet.
    public static func setDefaultMemory(_ memory: any SecretMemory) { place.withLock { $0 = $0 ?? memory } }
}

/// Bytes that never change and are overwritten before their memory is used again.
@safe final class WipedMemory: Sendable {
    let count: Int
    /// Zero where there are no bytes.
    private let address: UInt
    /// Whose memory it is; nil for ordinary memory.
    private let owner: (any SecretMemory)?

    init(_ bytes: [UInt8], in memory: (any SecretMemory)?) {
        count = bytes.count
        guard count > 0 else {
            (address, owner) = (0, nil)
            return
        }
        if let memory, let given = memory.allocate(byteCount: count) {
            (address, owner) = (given, memory)
        } else {
            let made = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
            (address, owner) = (UInt(bitPattern: made.baseAddress), nil)
        }
        unsafe UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(bitPattern: address), count: count)
            .copyBytes(from: bytes)
    }

    deinit {
        guard let start = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return }
        // The compiler may leave out an ordinary overwriting of what is not read afterwards.
        #if canImport(Darwin)
        _ = unsafe memset_s(start, count, 0, count)
        #else
        unsafe explicit_bzero(start, count)
        #endif
        if let owner {
            owner.deallocate(address, byteCount: count)
        } else {
            unsafe start.deallocate()
        }
    }

    /// Lends the bytes.
    func read<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        defer { extendLifetime(self) }
        return unsafe body(UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count))
    }
}

/// What is printed in one way only, wherever it is printed: by its description, which has nothing secret in it.
public protocol RedactedDescription: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension RedactedDescription {
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["summary": description]) }
}

/// Something about a person (a name, an address, a phone number): readable by code, masked wherever it is printed.
public struct PersonalData: Sendable, Hashable {
    /// The text itself.
    public let value: String

    /// Wraps a text about a person.
    public init(_ value: String) { self.value = value }
}

extension PersonalData: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(value) }
}

extension PersonalData: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<personal>" }
    public var debugDescription: String { "<personal>" }
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
