internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentJournalKit

extension Services {
    /// Asks the application and waits no longer than the question's time limit.
    func ask<Asked: Question>(
        _ question: Asked, attempt: AttemptID?, payment: PaymentID?, provider: ProviderID,
        emit: (@Sendable (PaymentEvent.Kind, [String: String]) -> Void)? = nil
    ) async -> Asked.Answer? {
        let name = ["question": "\(Asked.self)"]
        let tell: @Sendable (PaymentEvent.Kind) -> Void = { [events, clock] kind in
            if let emit { return emit(kind, name) }
            events.emit(
                kind, at: clock.now, payment: payment, attempt: attempt, provider: provider, attributes: name)
        }
        guard let handler = answers.handler(for: Asked.self) else {
            tell(.unanswered)
            return nil
        }
        tell(.asked)
        let answer = Promise<Asked.Answer?>()
        let end = clock.now + Asked.timeout.wholeMilliseconds
        let asking = Task(executorPreference: executor) {
            let given = try? await handler(question)
            answer.fulfill(given)
        }
        let timer = Task(executorPreference: executor) { [clock] in
            try await clock.sleep(until: end)
            answer.fulfill(nil)
        }
        defer {
            asking.cancel()
            timer.cancel()
        }
        let given = await answer.value(orWhenCancelled: nil)
        tell(given == nil ? .unanswered : .answered)
        return given
    }
}

extension Services {
    /// Waits for a piece of work no longer than until an uptime; then it is cancelled and left to itself. Work about no attempt
    /// moves no money.
    func bounded<Value: Sendable>(
        until end: Int64, _ attempt: AttemptID?, _ body: @escaping @Sendable () async throws(PaymentError) -> Value
    ) async throws(PaymentError) -> Value {
        let answer = Promise<Result<Value, PaymentError>>()
        let inFlight = RequestInFlight()
        let work = Task(executorPreference: executor) {
            await RequestInFlight.$current.withValue(inFlight) {
                do throws(PaymentError) { answer.fulfill(.success(try await body())) } catch {
                    answer.fulfill(.failure(error))
                }
            }
        }
        let timer = Task(executorPreference: executor) { [clock] in
            try await clock.sleep(until: clock.now.addingSaturating(clock.uptime.until(end)))
            answer.fulfill(.failure(Self.left(.timedOut, attempt, inFlight.timedOut)))
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        return try await answer.value(orWhenCancelled: .failure(Self.left(.cancelled, attempt))).get()
    }

    private static func left(
        _ code: PaymentError.Code, _ attempt: AttemptID?, _ diagnosis: FailureDiagnosis? = nil
    ) -> PaymentError {
        guard let attempt else {
            return PaymentError(
                code, outcome: .notExecuted, detail: "It was not done in time, and no money moved. Try it again.",
                diagnosis: diagnosis)
        }
        return PaymentError(
            code, outcome: .unknown, attempt: attempt, detail: "It is not known yet. Ask for the attempt's status.",
            diagnosis: diagnosis)
    }
}

extension Services {
    /// How often the registry is asked whether a process is still there, in milliseconds.
    private static let aliveEveryMilliseconds: Int64 = 1_000

    /// Returns when more was written about an attempt's payment, or when the process that works on it is dead: that one writes
    /// nothing, so that no journal shows it.
    func changed(_ attempt: AttemptID, after entry: Int, orGone owner: String) async throws(PaymentError) {
        let result = await withTaskGroup(of: Result<Void, JournalFailure>.self) { group in
            group.addTask { [journal] in
                do throws(JournalFailure) { return .success(try await journal.changed(attempt, after: entry)) } catch {
                    return .failure(error)
                }
            }
            group.addTask { [journal, clock] in
                while journal.processes.isAlive(owner), !Task.isCancelled {
                    do { try await clock.sleep(until: clock.now + Self.aliveEveryMilliseconds) } catch { break }
                }
                return .success(())
            }
            defer { group.cancelAll() }
            return await group.next() ?? .success(())
        }
        do { try result.get() } catch { throw failed(error, attempt, .unknown) }
    }
}
