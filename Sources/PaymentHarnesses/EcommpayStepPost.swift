internal import EcommpayProvider
internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentSimulator
internal import PaymentTransport

/// The shop's own front: it hands each callback about a step to the processes that wait for one, at once.
///
/// The callbacks stay in the outbox: the suite delivers them once more, as the provider may.
final class EcommpayStepPost: Sendable {
    private let backend: EcommpaySimulator
    private let state = Locked((seen: 0, drivers: [EcommpayDriver]()))

    init(_ backend: EcommpaySimulator) { self.backend = backend }

    /// Hands callbacks to one more process.
    func tell(_ driver: EcommpayDriver) { state.withLock { $0.drivers.append(driver) } }

    /// Hands over what is new.
    func deliver() {
        let seen = state.withLock { $0.seen }
        let new = backend.withOutbox { outbox in
            outbox.entries.suffix(max(0, (outbox.entries.last?.number ?? 0) - seen))
        }
        guard let last = new.last else { return }
        let drivers = state.withLock { state in
            state.seen = max(state.seen, last.number)
            return state.drivers
        }
        for entry in new {
            guard let body = try? JSONReader().read(entry.message.body), body["operation"] == nil else { continue }
            for driver in drivers {
                _ = try? driver.notices(in: WebhookMessage(body: entry.message.body, at: entry.message.at))
            }
        }
    }
}

/// A transport that lets the front deliver after each exchange, however it ended.
struct StepCarrier: HTTPTransport {
    private let inner: any HTTPTransport
    /// The front belongs to the fixture; it knows the drivers that have this transport.
    private weak let post: EcommpayStepPost?

    init(_ inner: any HTTPTransport, _ post: EcommpayStepPost) { (self.inner, self.post) = (inner, post) }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        defer { post?.deliver() }
        return try await inner.send(request)
    }
}
