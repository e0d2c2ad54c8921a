public import PaymentBase

/// The only door to the outside of a money method; lives as long as one attempt.
///
/// A driver's method is straight-line code: map, act through the context, map back. It never repeats an exchange,
/// renews no token and decides nothing about outcomes.
public struct PaymentContext: Sendable {
    let run: AttemptRun

    /// Our name for what is being done; providers that take a reference get it.
    public var attempt: AttemptID { run.intent.attempt }
    /// Milliseconds since 1970.
    public var now: Int64 { run.services.clock.now }
    /// When the attempt's first request that may move money was opened, in any of its rounds and by any process, in
    /// milliseconds since 1970; nil while there was none.
    public var firstSubmittedAt: Int64? { run.state.withLock { $0.facts?.sends.first?.openedAt.wall } }

    /// Whether a request of this attempt may have reached the provider before the one that is under way, in any of its
    /// rounds and by any process.
    ///
    /// If none did, what the provider has under the attempt's name is another one's, or the request under way was
    /// delivered twice.
    public var mayHaveArrivedBefore: Bool {
        run.state.withLock { state in
            guard let facts = state.facts else { return false }
            return facts.sends.contains { send in
                let isLast = send.number == state.send?.number
                if isLast, state.send?.proof == nil { return false }
                return switch isLast ? state.send?.proof : facts.proof(of: send) {
                case .notSent, .refused: false
                case .answered, .lost, nil: true
                }
            }
        }
    }

    /// The same door without money, to share code with lookups.
    public var reads: LookupContext { LookupContext(provider: run.provider, services: run.services, run: run) }

    /// The installation's names, made once.
    public func installation() async throws(PaymentError) -> Installation { try await run.services.installed() }

    /// A number that nobody else who shares the journal has had or will have, over restarts and processes.
    public func number() async throws(PaymentError) -> Int64 { try await run.services.number(run.outcome) }

    /// Runs one exchange; before the first one that may move money the attempt is marked as submitted.
    ///
    /// The closure runs again, with a new ``Try``, only where it is proven that nothing was executed. An answer that
    /// proves a refusal is thrown inside the closure, so that it counts as what the exchange proves; an error thrown
    /// after the closure has returned leaves the outcome unknown, because the money may have moved.
    public func exchange<Reply>(
        _ effect: Effect, _ send: (Try) async throws -> Reply
    ) async throws(PaymentError) -> Reply {
        try await run.provider.exchange(effect, for: run, run.services, send)
    }

    /// Runs what a terminal of the provider's does with a card: one at a time, prepared first if need be.
    ///
    /// The terminal is this attempt's until the attempt ends, lookups included. Until then a wish to cancel goes to the
    /// driver's ``ReaderDriver/cancelReading(_:)``.
    public func atTerminal<Reply>(_ body: () async throws -> Reply) async throws -> Reply {
        try await run.atTerminal(body)
    }

    /// Waits for what can't be ended, such as a call of a vendor's kit, and gives its answer however late it comes.
    ///
    /// After so long the terminal is free for others. The attempt stays under way until the answer is there: while the
    /// call runs, nobody concludes from silence that nothing happened.
    public func outlasting<Reply: Sendable>(
        _ milliseconds: Int64, _ call: () async -> Reply
    ) async -> Reply {
        let end = now + milliseconds
        let timer = Task(executorPreference: run.services.executor) { [run] in
            try await run.services.clock.sleep(until: end)
            run.leaveTerminal()
        }
        defer { timer.cancel() }
        return await call()
    }

    /// Reads a card; a caller who leaves in time ends the read.
    public func read(_ request: CardRequest) async throws(PaymentError) -> CardRead { try await run.read(request) }

    /// Lets the reader capture the PIN for a card that it has read.
    public func readPIN(token: Secret, after read: CardRead) async throws(PaymentError) -> CardRead {
        try await run.readPIN(token: token, after: read)
    }

    /// Asks the application; nil when nobody answers in time, and the driver says what that means.
    public func ask<Asked: Question>(_ question: Asked) async -> Asked.Answer? {
        let answer = await run.services.ask(
            question, attempt: attempt, payment: run.intent.paymentID, provider: run.provider.id,
            emit: { [run] kind, attributes in run.emit(kind, attributes) })
        if let answer { run.hide(Asked.secrets(in: answer)) }
        return answer
    }

    /// Refuses now, while nothing has moved, what could not end cleanly without an answer later.
    public func needs<Asked: Question>(_ kind: Asked.Type) throws(PaymentError) {
        if run.services.answers.canAnswer(kind) { return }
        throw PaymentError(
            .unsupported, outcome: run.outcome, attempt: attempt,
            detail: "\(run.provider.id) may ask for \(kind) on the way; give a handler with `answers.on(\(kind).self)`")
    }

    /// Keeps a note with the attempt, durable when it returns; never a secret.
    public func remember(_ name: String, _ value: String) async throws(PaymentError) {
        try await run.remember(name, value)
    }

    /// Writes down what the provider calls the operation, so that its messages find it before its answer comes; durable
    /// when it returns, and nobody else's from then on.
    public func isCalled(_ name: String) async throws(PaymentError) { try await run.isCalled(name) }

    /// What was remembered under a name, in this call or one before.
    public func note(_ name: String) -> String? { run.note(name) }

    /// Adds to the payment's timeline.
    public func emit(_ kind: PaymentEvent.Kind, _ attributes: [String: String] = [:]) { run.emit(kind, attributes) }

    /// Waits, but no longer than until news about this attempt arrives; says whether any did.
    @discardableResult
    public func pause(until instant: Int64) async -> Bool { await run.pause(until: instant) }

    /// Runs something to its end although the caller may have left, and waits for it: to tell the provider just that.
    public func afterLeaving(_ body: @escaping @Sendable () async -> Void) async {
        await Task(executorPreference: run.services.executor) { await body() }.value
    }

    /// Ends the pause of this attempt, or else its next one: for a driver that hears of news on a line of its own.
    public func wake() { run.news(nil) }
}
