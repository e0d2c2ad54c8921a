/// Memory that a platform keeps apart for secrets, out of dumps for one.
///
/// ``Secret/setMemory(_:)`` says where secrets lie from then on. They are overwritten before their memory is given
/// back.
public protocol SecretMemory: Sendable {
    /// Gives so many bytes that nobody else has, aligned to sixteen; nil where ordinary memory has to serve.
    func allocate(byteCount count: Int) -> UInt?

    /// Takes back what was given, overwritten.
    func deallocate(_ address: UInt, byteCount count: Int)
}

extension Secret {
    /// Where secrets lie that are made from now on.
    static let place = Locked<(any SecretMemory)?>(nil)

    /// Says where secrets lie that are made from now on; nil for ordinary memory.
    public static func setMemory(_ memory: (any SecretMemory)?) { place.withLock { $0 = memory } }

    /// The same where nobody has said it yet.
    public static func setDefaultMemory(_ memory: any SecretMemory) { place.withLock { $0 = $0 ?? memory } }
}
