public import PaymentBase

/// The only door to the outside of a method that moves money; it lives as long as one run.
///
/// A driver's method is straight-line code: map, act through the context, map back. It never repeats a request, renews no
/// token and decides nothing about outcomes. It reads the provider's state before it asks a person or shows a screen.
public struct PaymentContext: Sendable {
    let run: AttemptRun

    /// The id of what is being done; providers that take a reference get it.
    public var attempt: AttemptID { run.intent.attempt }
    /// Milliseconds since 1970.
    public var now: Int64 { run.services.clock.now }
    /// When the attempt's first request that may move money was opened, in any run and by any process, in milliseconds since
    /// 1970; nil if there was none.
    public var firstSubmittedAt: Int64? { run.state.withLock { $0.log.attempt?.requests.first?.openedAt.wall } }

    /// Whether a request of this attempt may have reached the provider before the one that is under way, in any run and by
    /// any process.
    ///
    /// If none did, what the provider has under the attempt's id is another system's, or the request under way was delivered
    /// twice.
    public var mayHaveArrivedBefore: Bool { run.state.withLock { $0.mayHaveArrivedBefore } }

    /// The same door without money, to share code with lookups.
    public var query: LookupContext { LookupContext(provider: run.provider, services: run.services, run: run) }

    /// The installation's names, made once.
    public func installation() async throws(PaymentError) -> Installation { try await run.services.installed() }

    /// A number that no other process that shares the journal has had or will have, over restarts.
    public func number() async throws(PaymentError) -> Int64 { try await run.services.number(run.outcome) }

    /// Prepares a request, records it durably, and sends it.
    ///
    /// Nothing has left while `prepare` runs. It runs again, with a new ``Transmission``, only if the request before
    /// was provably not executed, or carries an idempotency key. A reply that proves a refusal is thrown by
    /// ``Outgoing/send``, so that it counts as what it proves; an error thrown after the reply leaves the outcome
    /// unknown.
    ///
    /// - Parameters:
    ///   - effect: Whether it moves money, and whether it carries an idempotency key.
    ///   - cards: What the request can execute: one card, once at most; or several, as a terminal shows them.
    ///   - names: The provider's names for the operation in a reply.
    ///   - asksForMore: Whether a reply only asks for more, such as the issuer's for a PIN: nothing was executed then.
    ///   - prepare: Makes the request, and what is noted of it.
    public func send<Reply>(
        _ effect: RequestEffect, cards: Attempt.Request.Cards? = nil, names: (Reply) -> [String] = { _ in [] },
        asksForMore: (Reply) -> Bool = { _ in false }, _ prepare: (Transmission) async throws -> Outgoing<Reply>
    ) async throws(PaymentError) -> Reply {
        var outgoing: Outgoing<Reply>?
        return try await run.send(
            effect, cards ?? effect.cards, names: names, asksForMore: asksForMore,
            prepare: { attempt in
                let prepared = try await prepare(attempt)
                outgoing = prepared
                return .init(notes: prepared.notes, names: prepared.names, canLookUp: prepared.canLookUp)
            },
            transmit: { _ in
                guard let send = outgoing?.send else { throw CancellationError() }
                return try await send()
            })
    }

    /// Records and sends a request with which nothing has to be recorded beside its notes; one that only reads is only sent.
    ///
    /// The closure runs again, with a new ``Transmission``, only if the request before was provably not executed, or
    /// carries an idempotency key.
    public func exchange<Reply>(
        _ effect: RequestEffect, asksForMore: (Reply) -> Bool = { _ in false },
        _ send: (Transmission) async throws -> Reply
    ) async throws(PaymentError) -> Reply {
        if effect == .readOnly { return try await query.exchange(send) }
        return try await run.send(
            effect, effect.cards, names: { _ in [] }, asksForMore: asksForMore, prepare: { _ in .init() },
            transmit: send)
    }

    /// Runs what a terminal of the provider's does with a card: one at a time, prepared first if need be.
    ///
    /// The terminal is this attempt's until the attempt ends, lookups included. Until then a wish to cancel goes to the
    /// driver's ``ReaderDriver/cancelReading(_:)``.
    public func atTerminal<Reply>(_ body: () async throws -> Reply) async throws -> Reply {
        try await run.atTerminal(body)
    }

    /// Waits for what can't be ended, such as a call of a vendor's SDK, and gives its answer however late it comes.
    ///
    /// After so long the terminal is free for others. The attempt keeps running until the answer is there: while the call
    /// runs, absence proves nothing.
    public func outlasting<Reply: Sendable>(_ milliseconds: Int64, _ call: () async -> Reply) async -> Reply {
        let end = now + milliseconds
        let timer = Task(executorPreference: run.services.executor) { [run] in
            try await run.services.clock.sleep(until: end)
            run.leaveTerminal()
        }
        defer { timer.cancel() }
        return await call()
    }

    /// Reads a card; a caller that leaves in time ends the read.
    public func read(_ request: CardReadRequest) async throws(PaymentError) -> CardReadResult {
        try await run.read(request)
    }

    /// Lets the reader capture the PIN for a card that it has read.
    public func readPIN(token: Secret, after read: CardReadResult) async throws(PaymentError) -> CardReadResult {
        try await run.readPIN(token: token, after: read)
    }

    /// Asks the application; nil if no answer comes in time, and the driver says what that means.
    public func ask<Asked: Question>(_ question: Asked) async -> Asked.Answer? {
        let answer = await run.services.ask(
            question, attempt: attempt, payment: run.intent.paymentID, provider: run.provider.id,
            emit: { [run] kind, attributes in run.emit(kind, attributes) })
        if let answer { run.hide(Asked.secrets(in: answer)) }
        return answer
    }

    /// Refuses now, while nothing has moved, what could not end cleanly without an answer later.
    public func needs<Asked: Question>(_ kind: Asked.Type) throws(PaymentError) {
        if run.services.answers.hasHandler(for: kind) { return }
        throw PaymentError(
            .unsupported, outcome: run.outcome, attempt: attempt,
            detail: "\(run.provider.id) may ask for \(kind) on the way; give a handler with `answers.on(\(kind).self)`")
    }

    /// Keeps a note with the attempt; it is written with the next request, or with the end of the run. Never a secret.
    public func note(_ name: String, _ value: String) throws(PaymentError) { try run.note(name, value) }

    /// What was noted under a name, in this run or, if nothing was, in the one before.
    public func note(_ name: String) -> String? { run.state.withLock { $0.log.note(name) } }

    /// Adds to the payment's timeline.
    public func emit(_ kind: PaymentEvent.Kind, _ attributes: [String: String] = [:]) { run.emit(kind, attributes) }

    /// Waits, but no longer than until news about this attempt arrives; says whether any did.
    @discardableResult
    public func pause(until instant: Int64) async -> Bool { await run.pause(until: instant) }

    /// Runs something to its end although the caller may have left, and waits for it: to tell the provider just that.
    public func ignoringCancellation(_ body: @escaping @Sendable () async -> Void) async {
        await Task(executorPreference: run.services.executor) { await body() }.value
    }

    /// Ends the pause of this attempt, or else its next one: for a driver that learns news on a line of its own.
    public func wake() { run.news(nil) }
}
