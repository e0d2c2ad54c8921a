internal import CLinux
public import PaymentBase
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

/// Memory for secrets that the kernel writes into no dump of the process: keys that are held for long stay out of it
/// although the rest of the process is in it.
///
/// What was exposed is a copy elsewhere, and pages may be swapped; ``PrivateMemory`` has no dump written at all.
public final class PrivateSecretMemory: SecretMemory {
    /// One for the whole process.
    public static let shared = PrivateSecretMemory()

    /// How much is asked of the kernel at once. Nothing of it is returned: it serves again.
    private static let pagesBytes = 64 * 1_024
    /// The sizes that are given out; what is larger lies in ordinary memory.
    private static let sizes = [16, 64, 256, 1_024, 4_096, 16_384]

    private struct State {
        /// Returned memory, by its size.
        var free: [Int: [UInt]] = [:]
        var next: UInt = 0
        var end: UInt = 0
    }

    private let state = Locked(State())

    /// Begins with nothing.
    public init() {}

    public func allocate(byteCount count: Int) -> UInt? {
        guard count > 0, let size = Self.size(for: count) else { return nil }
        return state.withLock { state in
            if let address = state.free[size]?.popLast() { return address }
            if state.end - state.next < UInt(size) {
                let pages = pay_undumped_pages(Self.pagesBytes)
                guard pages != 0 else { return nil }
                // What is left of the pages before is too little for this one, and is not given out.
                (state.next, state.end) = (pages, pages + UInt(Self.pagesBytes))
            }
            defer { state.next += UInt(size) }
            return state.next
        }
    }

    public func deallocate(_ address: UInt, byteCount count: Int) {
        guard let size = Self.size(for: count) else { return }
        state.withLock { $0.free[size, default: []].append(address) }
    }

    private static func size(for count: Int) -> Int? { sizes.first { $0 >= count } }
}
