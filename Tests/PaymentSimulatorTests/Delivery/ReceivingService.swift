import PaymentBase
import PaymentSimulator
import PaymentTransport

/// A small receiver of webhooks: it keeps what comes, and answers with the statuses that it was given, then with 200.
final class ReceivingService: SimulatorService {
    private struct State: Sendable {
        var statuses: [Int]
        var heard: [HTTPRequest] = []
        var waiting: [Int: Promise<Void>] = [:]
    }

    private let state: Locked<State>

    init(_ statuses: [Int] = []) { state = Locked(State(statuses: statuses)) }

    var heard: [HTTPRequest] { state.withLock { $0.heard } }

    func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        let (status, waiting) = state.withLock { state in
            state.heard.append(request)
            let status = state.statuses.isEmpty ? 200 : state.statuses.removeFirst()
            return (status, state.waiting.removeValue(forKey: state.heard.count))
        }
        waiting?.fulfill(())
        return .empty(status)
    }

    /// Waits until so many requests have come.
    func hears(_ count: Int) async {
        let promise: Promise<Void>? = state.withLock { state in
            if state.heard.count >= count { return nil }
            let promise = state.waiting[count] ?? Promise()
            state.waiting[count] = promise
            return promise
        }
        await promise?.value()
    }
}
