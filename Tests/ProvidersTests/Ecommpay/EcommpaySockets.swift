import PaymentBase
import PaymentSimulator
import PaymentTesting
import PaymentTransport

/// Lines to the simulated provider within this process; each is cut after so many messages.
struct EcommpaySockets: WebSocketTransport {
    let scheduler: TestScheduler
    let provider: EcommpaySimulator
    /// After how many messages a line is cut; nil never cuts.
    var cutAfter: Int?
    /// What came over all lines.
    let heard = Locked([String]())

    init(_ scheduler: TestScheduler, _ provider: EcommpaySimulator, cutAfter: Int? = nil) {
        (self.scheduler, self.provider, self.cutAfter) = (scheduler, provider, cutAfter)
    }

    func connect(_ request: HTTPRequest) async throws(TransportFailure) -> any WebSocketConnection {
        guard case .upgrade(let serve) = await provider.answer(request) else { throw .maybeSent(.malformed) }
        let (near, far) = (Pipe(), Pipe())
        let theirs = End(inbox: near, outbox: far, cutAfter: nil, heard: Locked([]))
        Task(executorPreference: scheduler) { await serve(theirs) }
        return End(inbox: far, outbox: near, cutAfter: cutAfter, heard: heard)
    }

    /// One direction.
    private final class Pipe: Sendable {
        private struct State {
            var texts: [String] = []
            var isClosed = false
            var waiting: Promise<Void>?
        }
        private let state = Locked(State())

        func put(_ text: String) -> Bool {
            change { state in
                if !state.isClosed { state.texts.append(text) }
                return !state.isClosed
            }
        }

        func close() {
            _ = change { state in
                state.isClosed = true
                return true
            }
        }

        private func change(_ body: (inout State) -> Bool) -> Bool {
            let (result, waiting) = state.withLock { state in
                let result = body(&state)
                defer { state.waiting = nil }
                return (result, state.waiting)
            }
            waiting?.fulfill(())
            return result
        }

        /// The next text; nil when the pipe is closed or the task cancelled.
        func take() async -> String? {
            while !Task.isCancelled {
                let promise = Promise<Void>()
                let (text, isClosed) = state.withLock { state -> (String?, Bool) in
                    if !state.texts.isEmpty { return (state.texts.removeFirst(), false) }
                    state.waiting = promise
                    return (nil, state.isClosed)
                }
                if let text { return text }
                if isClosed { return nil }
                await withTaskCancellationHandler {
                    await promise.value()
                } onCancel: {
                    promise.fulfill(())
                }
            }
            return nil
        }
    }

    private final class End: WebSocketConnection {
        let inbox: Pipe
        let outbox: Pipe
        let cutAfter: Int?
        let heard: Locked<[String]>
        private let count = Locked(0)

        init(inbox: Pipe, outbox: Pipe, cutAfter: Int?, heard: Locked<[String]>) {
            (self.inbox, self.outbox, self.cutAfter, self.heard) = (inbox, outbox, cutAfter, heard)
        }

        deinit {
            inbox.close()
            outbox.close()
        }

        func send(_ text: String) async throws(TransportFailure) {
            if !outbox.put(text) { throw .notSent(.connectionReset) }
        }

        func receive() async throws(TransportFailure) -> WebSocketMessage? {
            if let cutAfter, count.withLock({ $0 }) >= cutAfter {
                await close()
                throw .maybeSent(.connectionReset)
            }
            guard let text = await inbox.take() else {
                if Task.isCancelled { throw .notSent(.cancelled) }
                return nil
            }
            count.withLock { $0 += 1 }
            heard.withLock { $0.append(text) }
            return .text(text)
        }

        func close() async {
            inbox.close()
            outbox.close()
        }
    }
}
