internal import PaymentBase
internal import PaymentSimulator
internal import PaymentTesting
internal import PaymentTransport

/// Real requests from a stage: its clock stands still while bytes travel, and a stall is measured by it.
struct ScheduledTransport: HTTPTransport {
    let inner: any HTTPTransport
    let gate: SchedulerGate

    /// By its clock bytes take no time.
    var sendLimitMilliseconds: Int64? { 0 }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let number = gate.depart()
        defer { gate.end(number) }
        var labelled = request
        labelled.headers[ScheduledService.header] = String(number)
        let sending = Task(executorPreference: gate.scheduler) { [inner, labelled] in
            do throws(TransportFailure) {
                return Result<HTTPResponse, TransportFailure>.success(try await inner.send(labelled))
            } catch {
                return .failure(error)
            }
        }
        let end = gate.scheduler.now + (request.idleTimeoutMilliseconds ?? InProcessTransport.stallMilliseconds)
        let hasStalled = Locked(false)
        let timer = Task(executorPreference: gate.scheduler) { [gate] in
            try await gate.scheduler.sleep(until: end)
            hasStalled.withLock { $0 = true }
            gate.giveUp(number)
            sending.cancel()
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await sending.value
        } onCancel: {
            gate.giveUp(number)
            sending.cancel()
        }
        if hasStalled.withLock({ $0 }), case .failure = result { throw .maybeSent(.stalled) }
        return try result.get()
    }
}
