public import PaymentBase

/// The door of a reader's driver: the provider's exchanges, and the hardware behind names that don't show it.
public struct ReaderContext: Sendable {
    let provider: ProviderRuntime
    let services: Services

    /// Milliseconds since 1970.
    public var now: Int64 { services.clock.now }

    /// The installation's names, made once.
    public func installation() async throws(PaymentError) -> Installation { try await services.installed() }

    /// A number that nobody else who shares the journal has had or will have, over restarts and processes.
    public func number() async throws(PaymentError) -> Int64 { try await services.number(.notExecuted) }

    /// The same door for code that it shares with lookups.
    public var lookups: LookupContext { LookupContext(provider: provider, services: services) }

    /// Runs one exchange that moves no money.
    public func exchange<Reply>(_ send: (Transmission) async throws -> Reply) async throws(PaymentError) -> Reply {
        try await lookups.exchange(send)
    }

    /// Asks the application; nil when nobody answers in time.
    public func ask<Asked: Question>(_ question: Asked) async -> Asked.Answer? {
        await services.ask(question, attempt: nil, payment: nil, provider: provider.id)
    }

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

    /// Gets the hardware ready; where the token lapses after a while, the reader is prepared anew before it does.
    public func prepareReader(token: Secret, lasting milliseconds: Int64? = nil) async throws(PaymentError) {
        let end = milliseconds.map { now + $0 }
        try await hardware { reader in try await reader.prepare(token: token) }
        provider.readerQueue?.lasts(until: end)
    }

    /// Says until when a terminal of the provider's own stays ready, in milliseconds since 1970; it is prepared anew
    /// before that.
    public func staysReady(until instant: Int64) { provider.readerQueue?.lasts(until: instant) }

    /// Takes the events of a terminal of the provider's own, such as a vendor's kit: who prepares it sees how far it is,
    /// a card that was seen is past cancelling, and what is no longer ready is prepared before the next payment.
    public var sink: @Sendable (ReaderEvent) -> Void {
        { [weak readerQueue = provider.readerQueue] event in _ = readerQueue?.heard(event) }
    }

    /// Ends a wait for a card.
    public func cancelRead() async throws(PaymentError) -> CancelResult {
        try await hardware { reader in try await reader.cancel() }
    }

    private func hardware<Value: Sendable>(
        _ body: (any CardReader) async throws -> Value
    ) async throws(PaymentError) -> Value {
        guard let reader = services.reader else { throw Self.noReader }
        do { return try await body(reader) } catch {
            throw PaymentError(wrapping: error, .notExecuted, nil, provider.driver)
        }
    }

    static let noReader = PaymentError.notExecuted(
        .unsupported, "no card reader was given to the client; set `reader` when opening")
}
