public import PaymentAbstraction
internal import PaymentBase

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Lets one process of those that share a journal settle in the background; the kernel frees it when that one dies.
public final class FileSettlementLock: SettlementLock {
    private let path: String
    private let held = Locked(Int32?.none)

    /// A lock on a file beside the journal.
    public init(besideJournal path: String) { self.path = path + ".settling" }

    deinit { release() }

    public func acquire() -> Bool {
        held.withLock { held in
            if held != nil { return false }
            let opened = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
            guard opened >= 0 else { return false }
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
                close(opened)
                return false
            }
            held = opened
            return true
        }
    }

    public func release() {
        held.withLock { held in
            if let held { close(held) }
            held = nil
        }
    }
}
