package import PaymentBase
package import PaymentModel

// What carries the calls of the contexts out. The client implements these; a driver sees the contexts alone.

/// What every context offers.
package protocol SessionCalls: Sendable {
    /// Milliseconds since 1970.
    var now: Int64 { get }
    func installation() async throws(PaymentError) -> Installation
}

/// What a ``LookupContext`` offers.
package protocol QueryCalls: SessionCalls {
    func number() async throws(PaymentError) -> Int64
    func hiding(_ secrets: [Secret]) -> any QueryCalls
    func exchange<Reply>(_ send: (Transmission) async throws -> Reply) async throws(PaymentError) -> Reply
}

/// What a ``ReaderContext`` offers.
package protocol ReaderCalls: QueryCalls {
    /// The reader that the application gave, if any.
    var reader: (any CardReader)? { get }
    var sink: @Sendable (ReaderEvent) -> Void { get }
    var announce: @Sendable (PaymentEvent.Kind, [String: String]) -> Void { get }
    func ask<Asked: Question>(_ question: Asked) async -> Asked.Answer?
    /// Until when the terminal stays ready; nil if it has no end.
    func staysReady(until instant: Int64?)
    /// What the reader threw, as the application sees it.
    func wrapped(_ error: any Error) -> PaymentError
}

/// What a ``PaymentContext`` offers: one run of an attempt.
package protocol RunCalls: AnyObject, Sendable {
    var intent: Attempt.Intent { get }
    var outcome: PaymentError.Outcome { get }
    /// The name of the provider.
    var providerID: ProviderID { get }
    var clock: any PaymentClock { get }
    var executor: (any TaskExecutor)? { get }
    var answers: QuestionHandlers { get }
    var query: any QueryCalls { get }
    var firstSubmittedAt: Int64? { get }
    var mayHaveArrivedBefore: Bool { get }

    func send<Reply>(
        _ effect: RequestEffect, _ cards: Attempt.Request.Cards, names: (Reply) -> [String],
        asksForMore: (Reply) -> Bool,
        prepare: (Transmission) async throws -> RecordedRequest,
        transmit: (Transmission) async throws -> Reply
    ) async throws(PaymentError) -> Reply
    func atTerminal<Reply>(_ body: () async throws -> Reply) async throws -> Reply
    func leaveTerminal()
    func read(_ request: CardReadRequest) async throws(PaymentError) -> CardReadResult
    func readPIN(token: Secret, after read: CardReadResult) async throws(PaymentError) -> CardReadResult
    func ask<Asked: Question>(_ question: Asked) async -> Asked.Answer?
    func hide(_ secrets: [Secret])
    func note(_ name: String, _ value: String) throws(PaymentError)
    func note(_ name: String) -> String?
    func emit(_ kind: PaymentEvent.Kind, _ attributes: [String: String])
    func pause(until instant: Int64) async -> Bool
    /// Ends the pause of the attempt, or else its next one.
    func wake()
    /// What follows is sent although no caller waits.
    func returnsMoney()
}

/// What is recorded with a request before its first byte.
package struct RecordedRequest {
    package var notes: [String: String] = [:]
    package var names: [String] = []
    package var canLookUp = true
    package var validMilliseconds: Int64?

    package init() {}

    package init(notes: [String: String], names: [String], canLookUp: Bool, validMilliseconds: Int64?) {
        (self.notes, self.names, self.canLookUp) = (notes, names, canLookUp)
        self.validMilliseconds = validMilliseconds
    }
}
