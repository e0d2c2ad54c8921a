internal import PaymentBase

extension Services {
    /// Waits for a piece of work no longer than until a moment; then it is cancelled and left to itself.
    func bounded<Value: Sendable>(
        until end: Int64, _ attempt: AttemptID, _ body: @escaping @Sendable () async throws(PaymentError) -> Value
    ) async throws(PaymentError) -> Value {
        let answer = Promise<Result<Value, PaymentError>>()
        let work = Task(executorPreference: executor) {
            do throws(PaymentError) { answer.fulfill(.success(try await body())) } catch {
                answer.fulfill(.failure(error))
            }
        }
        let timer = Task(executorPreference: executor) { [clock] in
            try await clock.sleep(until: end)
            answer.fulfill(.failure(Self.left(.timedOut, attempt)))
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        let given = await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            answer.fulfill(.failure(Self.left(.cancelled, attempt)))
        }
        return try given.get()
    }

    private static func left(_ code: PaymentError.Code, _ attempt: AttemptID) -> PaymentError {
        PaymentError(
            code, outcome: .unknown, attempt: attempt, detail: "nobody can tell yet; ask for the attempt's status")
    }
}
