internal import PaymentBase

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
        let given = await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            answer.fulfill(nil)
        }
        tell(given == nil ? .unanswered : .answered)
        return given
    }
}
