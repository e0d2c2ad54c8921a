/// An open WebSocket. One task may send while another receives.
///
/// A fake that answers every text with itself:
///
/// ```swift
/// final class Echo: WebSocketConnection {
///     let texts = Locked([String]())
///     func send(_ text: String) async throws(TransportFailure) { texts.withLock { $0.append(text) } }
///     func receive() async throws(TransportFailure) -> WebSocketMessage? {
///         texts.withLock { $0.isEmpty ? nil : .text($0.removeFirst()) }
///     }
///     func close() async {}
/// }
/// ```
public protocol WebSocketConnection: Sendable {
    /// Sends one text and returns when all of it has left the process; that proves nothing about its arrival.
    ///
    /// - Throws: ``TransportFailure``; `notSent` when no byte of this text left us.
    func send(_ text: String) async throws(TransportFailure)

    /// Waits for the next message; nil when the other side has closed in good order. For one task at a time.
    ///
    /// - Throws: ``TransportFailure``, always `maybeSent` unless this task was cancelled: what was sent before may
    ///   have arrived.
    func receive() async throws(TransportFailure) -> WebSocketMessage?

    /// Says goodbye, waits a little for the answer, and lets the connection go. Further calls do nothing.
    func close() async
}
