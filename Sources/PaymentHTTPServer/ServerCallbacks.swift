internal import CMicroHTTP
internal import PaymentSystem

/// What the library calls, on its own thread.
enum ServerCallbacks {
    private static func core(_ context: UnsafeMutableRawPointer?) -> ServerCore? {
        unsafe context.map { unsafe Unmanaged<ServerCore>.fromOpaque($0).takeUnretainedValue() }
    }

    static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        unsafe pointer.map { unsafe String(cString: $0) } ?? ""
    }

    /// The first line of a request was read.
    static let began:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
            context, target, connection in
            guard let core = unsafe core(context) else { return nil }
            let exchange = unsafe core.began(text(target), ConnectionHandle(connection))
            unsafe pay_mhd_hide_query(target)
            return unsafe Unmanaged.passRetained(exchange).toOpaque()
        }

    /// The head is there, or a part of the body, or all of it, or the answer.
    static let access: MHD_AccessHandlerCallback = {
        context, connection, _, method, version, upload, size, held in
        guard let core = unsafe core(context), let size = unsafe size, let held = unsafe held?.pointee else {
            return .NO
        }
        let exchange = unsafe Unmanaged<Exchange>.fromOpaque(held).takeUnretainedValue()
        if unsafe size.pointee > 0 {
            unsafe core.take(UnsafeRawBufferPointer(start: upload, count: size.pointee), of: exchange)
            unsafe size.pointee = 0
            return .YES
        }
        return unsafe core.proceed(exchange, method, version, connection)
    }

    /// An exchange is over.
    static let completed: MHD_RequestCompletedCallback = { context, _, held, _ in
        guard let pointer = unsafe held?.pointee else { return }
        unsafe Unmanaged<Exchange>.fromOpaque(pointer).release()
        unsafe held?.pointee = nil
        unsafe core(context)?.ended()
    }

    /// A connection was opened, or is about to be closed.
    static let connection: MHD_NotifyConnectionCallback = { context, connection, _, code in
        guard let core = unsafe core(context), let handle = unsafe ConnectionHandle(connection) else { return }
        if pay_mhd_is_opening(code) != 0 {
            core.opened(handle, unsafe pay_mhd_descriptor(connection))
        } else {
            core.closed(handle)
        }
    }

    /// The library can send more of a streamed body.
    static let read: MHD_ContentReaderCallback = { context, _, buffer, count in
        guard let context = unsafe context, let buffer = unsafe buffer else { return pay_mhd_end_of_stream }
        let body = unsafe Unmanaged<StreamedBody>.fromOpaque(context).takeUnretainedValue()
        switch body.buffer.next(atMost: count, park: { body.connection?.suspend() }) {
        case .send(let bytes):
            unsafe bytes.withUnsafeBytes { bytes in
                if let start = bytes.baseAddress {
                    unsafe UnsafeMutableRawPointer(buffer).copyMemory(from: start, byteCount: bytes.count)
                }
            }
            return bytes.count
        case .wait: return 0
        case .end: return pay_mhd_end_of_stream
        case .abort: return pay_mhd_abort_of_stream
        }
    }

    /// The library is done with a streamed body.
    static let free: MHD_ContentReaderFreeCallback = { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<StreamedBody>.fromOpaque(context).takeRetainedValue().close()
    }
}
