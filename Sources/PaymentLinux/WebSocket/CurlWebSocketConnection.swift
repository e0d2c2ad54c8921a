internal import PaymentBase
internal import PaymentTransport

/// The front of one WebSocket; the thread behind it ends when the connection does or nobody holds the front any more.
final class CurlWebSocketConnection: WebSocketConnection {
    /// How long a text may be that is sent.
    static let textBytesMax = 16 * 1_024 * 1_024

    private let mailbox: WebSocketMailbox

    init(_ mailbox: WebSocketMailbox) { self.mailbox = mailbox }

    deinit { mailbox.abandon() }

    /// A text whose sending has begun goes out whole, even when the task is cancelled meanwhile.
    func send(_ text: String) async throws(TransportFailure) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.textBytesMax else { throw .notSent(.invalidRequest) }
        if Task.isCancelled { throw .notSent(.cancelled) }
        let end = Promise<Result<Bool, TransportFailure>>()
        let result = await withTaskCancellationHandler {
            mailbox.send(WebSocketMailbox.Outgoing(bytes: bytes, end: end))
            if Task.isCancelled { mailbox.cancel(end) }
            return await end.value()
        } onCancel: {
            mailbox.cancel(end)
        }
        _ = try result.get()
    }

    func receive() async throws(TransportFailure) -> WebSocketMessage? {
        let receiver = Promise<WebSocketMailbox.Received>()
        let received = await withTaskCancellationHandler {
            mailbox.receive(receiver)
            // A cancellation that came before the receiver was known has found nothing to cancel.
            if Task.isCancelled { mailbox.cancel(receiver) }
            return await receiver.value()
        } onCancel: {
            mailbox.cancel(receiver)
        }
        return try received.get()
    }

    func close() async {
        mailbox.close()
        _ = await mailbox.ended.value()
    }
}
