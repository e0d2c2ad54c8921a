internal import CLinux
internal import PaymentSystem
public import PaymentTransport

/// Keeps what is in this process's memory from others of the same user: no dump of it is written, no other can trace it, a
/// crash prints no registers, and libraries write no keys of connections down.
///
/// For the beginning of a program, before it has threads. A library doesn't decide that for the process it is part of.
public struct PrivateMemory: MemoryProtection {
    /// Makes it available.
    public init() {}

    public func activate() -> Bool {
        unsafe unsetenv("SSLKEYLOGFILE")
        return pay_keep_memory_private() == 0
    }

    public var isActive: Bool { pay_is_memory_private() == 1 }
}
