internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentConformance
internal import PaymentTransport

extension ChaosWorld {
    /// What lies between a process and a provider.
    func line(_ process: Process, _ provider: Int) -> Interceptor {
        Interceptor { [self] (request, next) async throws(TransportFailure) in
            if process.passes() { throw .notSent(.cancelled) }
            let attempt = CurrentAttempt.id
            let leftAt = judge { $0.tick() }
            let fault = process.nextLineFault()
            if let fault { strike(fault, attempt, process) }
            note("\(process.name) sends \(request.method) \(request.path) for \(attempt ?? "nobody")")
            begin(attempt)
            defer { end(attempt) }
            let carry: @Sendable (Int64) async throws(TransportFailure) -> HTTPResponse = {
                [self] hundredths async throws(TransportFailure) in
                if hundredths > 0 { await wait(latest(provider) * hundredths / 100) }
                judge { $0.carry(attempt, leftAt, from: process.name) }
                defer {
                    let isTwin = attempt.map { fixtures[provider].duplicatedRequests.contains($0) } ?? false
                    judge { judge in if isTwin { judge.doubled(attempt, by: provider) } }
                    look(provider)
                }
                return try await next(request)
            }
            var response: HTTPResponse
            switch fault {
            case .refused: throw .notSent(.connectionRefused)
            case .requestLost: throw .maybeSent(.connectionReset)
            case .replyLost:
                _ = try await carry(0)
                throw .maybeSent(.connectionReset)
            case .late(let hundredths):
                travel(attempt) { _ = try? await carry(hundredths) }
                throw .maybeSent(.connectionReset)
            case .slow(let hundredths): response = try await carry(hundredths)
            case .replySlow(let milliseconds):
                response = try await carry(0)
                await wait(milliseconds)
            case .torn:
                response = try await carry(0)
                response.body = Array(response.body.prefix(response.body.count / 2))
            case nil: response = try await carry(0)
            }
            if process.passes() { throw .maybeSent(.cancelled) }
            return response
        }
    }

    /// How long a request can take on its way: less than the shortest time after which the provider's adapter takes
    /// silence for proof, or after which a refusal that is found counts.
    private func latest(_ provider: Int) -> Int64 {
        PaymentOperation.allCases.reduce(Self.refusalQuietMilliseconds) { least, operation in
            min(least, drivers[provider].lookupPlan(for: operation)?.quiet ?? least)
        } - 1
    }

    /// As long as the client waits for where no quiet time says so.
    private static let refusalQuietMilliseconds: Int64 = 60_000

    /// Something is on its way, whatever becomes of whoever sent it.
    private func travel(_ attempt: String?, _ body: @escaping @Sendable () async -> Void) {
        begin(attempt)
        Task(executorPreference: scheduler) { [self] in
            await body()
            end(attempt)
        }
    }

    private func begin(_ attempt: String?) { state.withLock { $0.travelling[attempt ?? "", default: 0] += 1 } }

    private func end(_ attempt: String?) { state.withLock { $0.travelling[attempt ?? "", default: 0] -= 1 } }

    private func strike(_ fault: LineFault, _ attempt: String?, _ process: Process) {
        note("line of \(process.name): \(fault)")
        guard let attempt = attempt.flatMap({ try? AttemptID($0) }) else { return }
        judge { $0.visit(attempt, "line: \(fault.word)") }
    }
}

extension LineFault {
    fileprivate var word: String {
        switch self {
        case .refused: "refused"
        case .requestLost: "request lost"
        case .replyLost: "reply lost"
        case .late: "request late"
        case .slow: "request slow"
        case .replySlow: "reply slow"
        case .torn: "reply torn"
        }
    }
}
