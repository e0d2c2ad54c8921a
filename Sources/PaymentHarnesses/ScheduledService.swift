internal import PaymentBase
internal import PaymentSimulator
internal import PaymentTransport

/// A provider whose answers are thought out on a stage although its requests come from a server's thread.
struct ScheduledService: SimulatorService {
    /// The header that carries an exchange's number.
    static let header = "Sandbox-Exchange"

    let inner: any SimulatorService
    let gate: SchedulerGate

    func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        let number = request.headers[Self.header].flatMap { Int($0) }
        let thinking = Task(executorPreference: gate.scheduler) { [inner, gate] in
            if let number { gate.reach(number) }
            let answer = await inner.answer(request)
            if let number, !answer.isSilent { gate.turn(number) }
            return answer
        }
        return await withTaskCancellationHandler {
            await thinking.value
        } onCancel: {
            thinking.cancel()
        }
    }
}

extension SimulatorResponse {
    /// Whether nothing will ever come.
    fileprivate var isSilent: Bool {
        if case .noReply = self { return true }
        return false
    }
}
