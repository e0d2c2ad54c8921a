internal import COpenSSL
internal import PaymentSystem

/// An accepted socket with or without TLS, which never blocks.
@safe final class ByteStream {
    /// What one attempt to read or write gave.
    enum Step {
        case moved(Int)
        case wouldBlock
        case ended
    }

    let descriptor: Int32
    /// Whether TLS has to write before it can go on reading.
    private(set) var wantsToWrite = false
    private var ssl: OpaquePointer?
    private var isOpen = true

    /// Takes over a descriptor; nil when TLS could not begin, and the descriptor is closed.
    init?(_ descriptor: Int32, _ identity: SimulatorCertificate?) {
        self.descriptor = descriptor
        guard let identity else { return }
        unsafe ssl = SSL_new(identity.context)
        guard unsafe ssl != nil, unsafe SSL_set_fd(ssl, descriptor) == 1 else {
            PaymentSystem.close(descriptor)
            isOpen = false
            return nil
        }
        unsafe SSL_set_accept_state(ssl)
    }

    deinit {
        close()
        unsafe SSL_free(ssl)
    }

    /// Whether TLS is spoken.
    var isSecure: Bool { unsafe ssl != nil }

    /// Reads what is there into the buffer.
    func read(into buffer: inout [UInt8]) -> Step {
        let size = buffer.count
        if unsafe ssl == nil {
            while true {
                let count = unsafe recv(descriptor, &buffer, size, 0)
                if count > 0 { return .moved(count) }
                if count == 0 { return .ended }
                if errno == EINTR { continue }
                return errno == EAGAIN ? .wouldBlock : .ended
            }
        }
        ERR_clear_error()
        return tlsStep(unsafe SSL_read(ssl, &buffer, Int32(clamping: size)))
    }

    /// Writes as much as goes.
    func write(_ bytes: ArraySlice<UInt8>) -> Step {
        if bytes.isEmpty { return .moved(0) }
        if unsafe ssl == nil {
            while true {
                let count = unsafe bytes.withUnsafeBytes { bytes in
                    unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                }
                if count >= 0 { return .moved(count) }
                if errno == EINTR { continue }
                return errno == EAGAIN ? .wouldBlock : .ended
            }
        }
        ERR_clear_error()
        return tlsStep(
            unsafe bytes.withUnsafeBytes { unsafe SSL_write(ssl, $0.baseAddress, Int32(clamping: $0.count)) })
    }

    private func tlsStep(_ count: Int32) -> Step {
        wantsToWrite = false
        if count > 0 { return .moved(Int(count)) }
        switch unsafe SSL_get_error(ssl, count) {
        case SSL_ERROR_WANT_READ: return .wouldBlock
        case SSL_ERROR_WANT_WRITE:
            wantsToWrite = true
            return .wouldBlock
        case _: return .ended
        }
    }

    /// Says that nothing more will be written.
    func endWriting() {
        if unsafe ssl != nil, unsafe SSL_is_init_finished(ssl) == 1 { unsafe SSL_shutdown(ssl) }
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes in good order.
    func close() {
        guard isOpen else { return }
        isOpen = false
        if unsafe ssl != nil, unsafe SSL_is_init_finished(ssl) == 1 { unsafe SSL_shutdown(ssl) }
        PaymentSystem.close(descriptor)
    }

    /// Closes with a reset (RST), which the other side sees as an error.
    func reset() {
        guard isOpen else { return }
        isOpen = false
        var linger = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<PaymentSystem.linger>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, size)
        PaymentSystem.close(descriptor)
    }
}
