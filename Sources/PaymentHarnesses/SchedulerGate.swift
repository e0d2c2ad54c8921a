internal import PaymentBase
internal import PaymentLinux
internal import PaymentSimulator
internal import PaymentTesting
internal import PaymentTransport

/// Keeps a stage's clock still while bytes travel, and lets it run while a provider thinks about them.
///
/// The clock of a check is not the clock of the sockets: as long as a request or an answer is on its way no time may
/// pass, or a slow machine would look like a slow provider. What a provider does on purpose (to answer late, to stay
/// silent) takes its time by the stage's clock.
final class SchedulerGate: Sendable {
    private enum Place { case travelling, atProvider, givenUp }

    private struct State {
        var exchanges: [Int: Place] = [:]
        var next = 0
    }

    let scheduler: TestScheduler
    private let state = Locked(State())

    init(_ scheduler: TestScheduler) { self.scheduler = scheduler }

    /// A request sets out; gives its number.
    func depart() -> Int {
        scheduler.hold()
        return state.withLock { state in
            state.next += 1
            state.exchanges[state.next] = .travelling
            return state.next
        }
    }

    /// It has reached the provider.
    func reach(_ number: Int) { move(number, to: .atProvider) }

    /// Its answer sets out.
    func turn(_ number: Int) { move(number, to: .travelling) }

    /// Its sender gives it up; until the transport has noticed that and ended it, no time passes.
    func giveUp(_ number: Int) { move(number, to: .givenUp) }

    /// It is over, whatever came of it.
    func end(_ number: Int) {
        let place = state.withLock { $0.exchanges.removeValue(forKey: number) }
        if let place, place != .atProvider { scheduler.release() }
    }

    /// The caller that waited for an exchange may have left; then nothing changes.
    private func move(_ number: Int, to place: Place) {
        let before = state.withLock { state -> Place? in
            guard let before = state.exchanges[number], before != place, before != .givenUp else { return nil }
            state.exchanges[number] = place
            return before
        }
        guard let before else { return }
        if place == .atProvider { scheduler.release() }
        if before == .atProvider { scheduler.hold() }
    }
}

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

/// Real requests from a stage: its clock does not move while bytes travel, and a stall is measured by it.
///
/// The limits by the machine's clock are as wide as they can be on both sides: a machine whose threads are all busy
/// would fail a check otherwise.
struct ScheduledTransport: HTTPTransport {
    /// What the server at the other end puts up with.
    static var serverLimits: SimulatorServer.Limits {
        var limits = SimulatorServer.Limits()
        (limits.idleMilliseconds, limits.requestMilliseconds, limits.writeMilliseconds) = (hour, hour, hour)
        return limits
    }

    private static let hour: Int64 = 3_600_000
    private let inner: CurlTransport
    private let gate: SchedulerGate

    init(_ gate: SchedulerGate) {
        var limits = CurlTransport.Configuration()
        (limits.connectMilliseconds, limits.beginMilliseconds) = (Self.hour, Self.hour)
        (limits.writeMilliseconds, limits.deliverMilliseconds) = (Self.hour, Self.hour)
        limits.idleTimeoutMilliseconds = Self.hour
        (inner, self.gate) = (CurlTransport(limits), gate)
    }

    /// Closes all connections, for a check that is over.
    func end() { inner.end() }

    /// By its clock bytes take no time.
    var sendLimitMilliseconds: Int64? { 0 }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let number = gate.depart()
        defer { gate.end(number) }
        var labelled = request
        labelled.idleTimeoutMilliseconds = nil
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
