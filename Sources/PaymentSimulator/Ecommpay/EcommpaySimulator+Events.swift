internal import PaymentBase
internal import PaymentTransport

extension EcommpaySimulator {
    /// The path under which a session is listened to.
    private static let eventsPath = "/msdk/v1/events"

    /// Opens a line that pushes how a payment stands whenever that changes; nil for other requests.
    func events(_ request: HTTPRequest) -> SimulatorResponse? {
        let parts = request.target.split(separator: "?", maxSplits: 1)
        guard request.method == "GET", parts.first.map({ $0 == Self.eventsPath }) ?? false else { return nil }
        let query = FormEncoding.decode(parts.count > 1 ? String(parts[1]) : "") ?? []
        let name = query.first { $0.name == "sid" }?.value ?? ""
        let now = clock.now
        guard state.withLock({ ($0.sessions[name]?.expires ?? 0) > now }) else {
            return .reply(refusal(.accessRefused))
        }
        let origin = request.origin
        return .upgrade { [self] line in await push(name, origin, over: line) }
    }

    private func push(_ name: String, _ origin: Origin, over line: any WebSocketConnection) async {
        let isOver = Locked(false)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                while (try? await line.receive()) != nil {}
                isOver.withLock { $0 = true }
                changed(clock.now)
            }
            var last: JSON?
            while !isOver.withLock({ $0 }) {
                let change = bell.withLock { $0 }
                let (report, ripensAt) = look(name, origin)
                if let ripensAt {
                    group.addTask { [self] in
                        try? await clock.sleep(until: ripensAt)
                        changed(clock.now)
                    }
                }
                if let report, report != last {
                    last = report
                    guard (try? await line.send(String(decoding: report.bytes(), as: UTF8.self))) != nil else { break }
                }
                await change.value()
            }
            group.cancelAll()
            await line.close()
        }
    }

    /// How the payment of a session stands, and when it will be decided by itself.
    private func look(_ name: String, _ origin: Origin) -> (report: JSON?, ripensAt: Int64?) {
        let now = clock.now
        return state.withLock { state in
            Self.expire(&state, now)
            guard let session = state.sessions[name], let payment = state.payments[session.payment] else {
                return (nil, nil)
            }
            return (Self.standing(payment, session, state, origin), payment.isRipening ? payment.ripensAt : nil)
        }
    }
}
