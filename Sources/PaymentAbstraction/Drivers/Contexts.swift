public import PaymentBase
public import PaymentModel

/// The only door to the outside of a method that moves money; it lives as long as one run.
///
/// A driver's method is straight-line code: map, act through the context, map back. It never repeats a request, renews
/// no token and decides nothing about outcomes. It reads the provider's state before it asks a person or shows a
/// screen.
public struct PaymentContext: Sendable {
    let run: any RunCalls

    package init(_ run: any RunCalls) { self.run = run }

    /// The id of what is being done; providers that take a reference get it.
    public var attempt: AttemptID { run.intent.attempt }
    /// Milliseconds since 1970.
    public var now: Int64 { run.clock.now }
    /// Milliseconds since the machine was started, for limits of a wait: no person can set it.
    public var uptime: Int64 { run.clock.uptime }
    /// When the attempt's first request that may move money was opened, in any run and by any process, in milliseconds
    /// since 1970; nil if there was none.
    public var firstSubmittedAt: Int64? { run.firstSubmittedAt }

    /// Whether a request of this attempt may have reached the provider before the one that is under way, in any run and
    /// by any process.
    ///
    /// If none did, what the provider has under the attempt's id is another system's, or the request under way was
    /// delivered twice.
    public var mayHaveArrivedBefore: Bool { run.mayHaveArrivedBefore }

    /// The same door without money, to share code with lookups.
    public var query: LookupContext { LookupContext(run.query) }

    /// The installation's names, made once.
    public func installation() async throws(PaymentError) -> Installation { try await run.query.installation() }

    /// A number that no other process that shares the journal has had or will have, over restarts.
    public func number() async throws(PaymentError) -> Int64 { try await run.query.number() }

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
                return RecordedRequest(
                    notes: prepared.notes, names: prepared.names, canLookUp: prepared.canLookUp,
                    validMilliseconds: prepared.validMilliseconds)
            },
            transmit: { _ in
                guard let send = outgoing?.send else { throw CancellationError() }
                return try await send()
            })
    }

    /// Records and sends a request with which nothing has to be recorded beside its notes; one that only reads is only
    /// sent.
    ///
    /// The closure runs again, with a new ``Transmission``, only if the request before was provably not executed, or
    /// carries an idempotency key.
    public func exchange<Reply>(
        _ effect: RequestEffect, asksForMore: (Reply) -> Bool = { _ in false },
        _ send: (Transmission) async throws -> Reply
    ) async throws(PaymentError) -> Reply {
        if effect == .readOnly { return try await query.exchange(send) }
        return try await run.send(
            effect, effect.cards, names: { _ in [] }, asksForMore: asksForMore, prepare: { _ in RecordedRequest() },
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
    /// After so long the terminal is free for others. The attempt keeps running until the answer is there: while the
    /// call runs, absence proves nothing.
    public func outlasting<Reply: Sendable>(_ milliseconds: Int64, _ call: () async -> Reply) async -> Reply {
        let end = now + milliseconds
        let timer = Task(executorPreference: run.executor) { [run] in
            try await run.clock.sleep(until: end)
            run.leaveTerminal()
        }
        defer { timer.cancel() }
        return await call()
    }

    /// Says that what follows returns what this call has taken, such as a part that the application does not take: it is
    /// sent although no caller waits any more.
    public func givesBack() { run.returnsMoney() }

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
        let answer = await run.ask(question)
        if let answer { run.hide(Asked.secrets(in: answer)) }
        return answer
    }

    /// Refuses now, while nothing has moved, what could not end cleanly without an answer later.
    public func needs<Asked: Question>(_ kind: Asked.Type) throws(PaymentError) {
        if run.answers.hasHandler(for: kind) { return }
        throw PaymentError(
            .unsupported, outcome: run.outcome, attempt: attempt,
            detail: "\(run.providerID) may ask for \(kind) on the way; give a handler with "
                + "`answers.handle(\(kind).self)`")
    }

    /// Keeps a note with the attempt; it is written with the next request, or with the end of the run. Never a secret.
    public func note(_ name: String, _ value: String) throws(PaymentError) { try run.note(name, value) }

    /// What was noted under a name, in this run or, if nothing was, in the one before.
    public func note(_ name: String) -> String? { run.note(name) }

    /// Adds to the payment's timeline.
    public func emit(_ kind: PaymentEvent.Kind, _ attributes: [String: String] = [:]) { run.emit(kind, attributes) }

    /// Waits, but no longer than until news about this attempt arrives; says whether any did.
    @discardableResult
    public func pause(until instant: Int64) async -> Bool { await run.pause(until: instant) }

    /// Runs something to its end although the caller may have left, and waits for it: to tell the provider just that.
    public func ignoringCancellation(_ body: @escaping @Sendable () async -> Void) async {
        await Task(executorPreference: run.executor) { await body() }.value
    }

    /// Ends the pause of this attempt, or else its next one: for a driver that learns news on a line of its own.
    public func wake() { run.wake() }
}

/// One run of an exchange; a repeat gets a new number and, after a refusal, a new access.
public struct Transmission: Hashable, Sendable {
    /// Counts from 1.
    public let number: Int
    /// The access that works now; nil where the provider needs none.
    public let access: AccessToken

    package init(number: Int, access: AccessToken) { (self.number, self.access) = (number, access) }
}

/// A request that is ready to leave. What has to be known to find its operation again is recorded before its first
/// byte.
public struct Outgoing<Reply> {
    /// What finds the operation again, such as a message's number.
    public var notes: [String: String]
    /// Names that the request gives to the operation, before any reply.
    public var names: [String]
    /// Whether the provider can be asked what became of it, where the operation's plan says so in general.
    public var canLookUp: Bool
    /// For how long it can be executed, in milliseconds, where that is longer than the transport sends: a page is paid later.
    public var validMilliseconds: Int64?
    /// Sends the request; the reply proves nothing that `send` throws away.
    public let send: () async throws -> Reply

    /// Makes a request.
    public init(
        notes: [String: String] = [:], names: [String] = [], canLookUp: Bool = true, validMilliseconds: Int64? = nil,
        _ send: @escaping () async throws -> Reply
    ) {
        (self.notes, self.names, self.canLookUp, self.send) = (notes, names, canLookUp, send)
        self.validMilliseconds = validMilliseconds
    }
}

/// What an exchange can do to money.
public enum RequestEffect: Hashable, Sendable {
    /// It only asks.
    case readOnly
    /// It may move money.
    case money
    /// It may move money, and it carries a key of this client under which the provider does it once, however often it
    /// comes.
    ///
    /// Only such an exchange is made again when it is not known whether it arrived, and only within the same call.
    case idempotent
    /// It may move money, and the customer sees it, as a kit's screen does.
    ///
    /// Such an exchange is never made again on its own: not after a refusal, and not with a renewed access.
    case visible

    /// What such a request can execute, unless the driver says otherwise.
    package var cards: Attempt.Request.Cards { self == .visible ? .several : .one }
}

/// The door for calls that can't move money: it has no `.money`, so that a lookup can't charge by mistake.
public struct LookupContext: Sendable {
    let calls: any QueryCalls

    package init(_ calls: any QueryCalls) { self.calls = calls }

    /// Milliseconds since 1970.
    public var now: Int64 { calls.now }

    /// The installation's names, made once.
    public func installation() async throws(PaymentError) -> Installation { try await calls.installation() }

    /// A number that no other process that shares the journal has had or will have, over restarts.
    public func number() async throws(PaymentError) -> Int64 { try await calls.number() }

    /// The same door, which also takes these secrets out of whatever comes back.
    public func hiding(_ secrets: [Secret]) -> LookupContext { LookupContext(calls.hiding(secrets)) }

    /// Runs one request that only asks; repeats it if it was provably not executed, and whatever it was if it only
    /// reads.
    public func exchange<Reply>(_ send: (Transmission) async throws -> Reply) async throws(PaymentError) -> Reply {
        try await calls.exchange(send)
    }
}

/// The door of a reader's driver: the provider's exchanges, and the hardware behind names that don't show it.
public struct ReaderContext: Sendable {
    let calls: any ReaderCalls

    package init(_ calls: any ReaderCalls) { self.calls = calls }

    /// Milliseconds since 1970.
    public var now: Int64 { calls.now }

    /// The installation's names, made once.
    public func installation() async throws(PaymentError) -> Installation { try await calls.installation() }

    /// A number that no other process that shares the journal has had or will have, over restarts.
    public func number() async throws(PaymentError) -> Int64 { try await calls.number() }

    /// The same door for code that it shares with lookups.
    public var lookups: LookupContext { LookupContext(calls) }

    /// Runs one exchange that moves no money.
    public func exchange<Reply>(_ send: (Transmission) async throws -> Reply) async throws(PaymentError) -> Reply {
        try await calls.exchange(send)
    }

    /// Asks the application; nil if no answer comes in time.
    public func ask<Asked: Question>(_ question: Asked) async -> Asked.Answer? { await calls.ask(question) }

    /// What the device has.
    public func compatibility() async throws(PaymentError) -> ReaderCompatibility {
        try await hardware { reader in await reader.compatibility() }
    }

    /// Whether the terms were accepted; nil for a reader that has none.
    public func isLinked(token: Secret) async throws(PaymentError) -> Bool? {
        try await hardware { reader in
            guard let reader = reader as? any AccountLinkingReader else { return nil }
            return try await reader.isLinked(token: token)
        }
    }

    /// Has the terms accepted and the device linked; nothing for a reader that has none.
    public func link(token: Secret, again: Bool = false) async throws(PaymentError) {
        try await hardware { reader in
            try await (reader as? any AccountLinkingReader)?.link(token: token, again: again)
        }
    }

    /// Gets the hardware ready; where the token lapses after a while, the reader is prepared again before it does.
    public func prepareReader(token: Secret, lasting milliseconds: Int64? = nil) async throws(PaymentError) {
        let end = milliseconds.map { now + $0 }
        try await hardware { reader in try await reader.prepare(token: token) }
        calls.staysReady(until: end)
    }

    /// Says until when a terminal of the provider's own stays ready, in milliseconds since 1970; it is prepared again
    /// before that.
    public func staysReady(until instant: Int64) { calls.staysReady(until: instant) }

    /// Takes the events of a terminal of the provider's own, such as a vendor's kit: who prepares it sees how far it
    /// is, a card that was seen is past cancelling, and what is no longer ready is prepared before the next payment.
    public var sink: @Sendable (ReaderEvent) -> Void { calls.sink }

    /// Takes what a terminal of the provider reports while no payment runs: it becomes an event of the client.
    public var announce: @Sendable (PaymentEvent.Kind, [String: String]) -> Void { calls.announce }

    /// Ends a wait for a card.
    public func cancelRead() async throws(PaymentError) -> CancelResult {
        try await hardware { reader in try await reader.cancel() }
    }

    private func hardware<Value: Sendable>(
        _ body: (any CardReader) async throws -> Value
    ) async throws(PaymentError) -> Value {
        guard let reader = calls.reader else { throw Self.noReader }
        do { return try await body(reader) } catch { throw calls.wrapped(error) }
    }

    package static let noReader = PaymentError.notExecuted(
        .unsupported, "no card reader was given to the client; set `reader` when opening")
}

/// What a driver may use while it gets an access.
public struct SessionContext: Sendable {
    let calls: any SessionCalls

    package init(_ calls: any SessionCalls) { self.calls = calls }

    /// Milliseconds since 1970.
    public var now: Int64 { calls.now }

    /// The installation's names, made once.
    public func installation() async throws(PaymentError) -> Installation { try await calls.installation() }
}
