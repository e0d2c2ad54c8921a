#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Bytes that never change and are overwritten before their memory is anybody else's.
@safe final class WipedMemory: Sendable {
    let count: Int
    /// Zero where there are no bytes.
    private let address: UInt

    init(_ bytes: [UInt8]) {
        count = bytes.count
        guard count > 0 else {
            address = 0
            return
        }
        let made = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        unsafe made.copyBytes(from: bytes)
        address = UInt(bitPattern: made.baseAddress)
    }

    deinit {
        guard let start = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return }
        // The compiler may leave out an ordinary overwriting of what nobody reads afterwards.
        #if canImport(Darwin)
        _ = unsafe memset_s(start, count, 0, count)
        #else
        unsafe explicit_bzero(start, count)
        #endif
        unsafe start.deallocate()
    }

    /// Lends the bytes.
    func read<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        defer { extendLifetime(self) }
        return unsafe body(UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count))
    }
}
