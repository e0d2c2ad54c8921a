internal import PaymentSystem

/// Bytes that never change and are overwritten before their memory is anybody else's.
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
        // The compiler may leave out an ordinary overwriting of what nobody reads afterwards.
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
