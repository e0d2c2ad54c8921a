import MemoryProvider
import PaymentAbstraction
import PaymentBase
import PaymentConformance

/// A reader with some of its calls replaced.
struct BentReader: CardReader {
    let inner: any CardReader
    var onCompatibility: @Sendable (ReaderCompatibility) -> ReaderCompatibility = { $0 }
    var onEvent: @Sendable (ReaderEvent) -> [ReaderEvent] = { [$0] }
    var onPrepare: @Sendable (any CardReader, Secret) async throws -> Void = { try await $0.prepare(token: $1) }
    var onRead: @Sendable (any CardReader, CardReadRequest) async throws -> CardReadResult = { try await $0.read($1) }

    func compatibility() async -> ReaderCompatibility { onCompatibility(await inner.compatibility()) }
    func setEventHandler(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async {
        await inner.setEventHandler { [onEvent] event in for told in onEvent(event) { sink(told) } }
    }
    func prepare(token: Secret) async throws { try await onPrepare(inner, token) }
    func read(_ request: CardReadRequest) async throws -> CardReadResult { try await onRead(inner, request) }
    func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult {
        try await inner.readPIN(token: token, after: read)
    }
    func cancel() async throws -> CancelResult { try await inner.cancel() }
}

extension Mutant {
    /// A mutant of the hardware.
    private static func hardware(
        _ id: String, _ sentence: String, caughtBy check: String,
        _ change: @escaping @Sendable (inout BentReader) -> Void
    ) -> Mutant {
        around(id, sentence, caughtBy: check) { given in
            guard let reader = given.reader else { return }
            var bent = BentReader(inner: reader)
            change(&bent)
            given.reader = bent
        }
    }

    /// A mutant that charges by reader without a card.
    private static func chargesAtOnce(_ id: String, caughtBy check: String) -> Mutant {
        driver(id, "Charges by reader without waiting for a card.", caughtBy: check) {
            $0.onSale = { inner, request, context in
                guard case .reader = request.source else { return try await inner.sale(request, context) }
                let token = PaymentSource.token(Secret("made-up"), last4: "1111")
                let asked = SaleRequest(request.amount, from: token, reference: request.reference)
                return try await inner.sale(asked, context)
            }
        }
    }

    /// Reads a card, and sends it as if somebody had typed it.
    private static var typing: Mutant {
        driver("entry.tap-as-typed", "Sends what was tapped as a typed card.", caughtBy: "sale.entry") {
            $0.onSale = { inner, request, context in
                guard case .reader = request.source else { return try await inner.sale(request, context) }
                _ = try await context.read(CardReadRequest(.purchase, request.amount))
                let card = try KeyedCard(number: "4111111111111111", expiryMonth: 12, expiryYear: 2030)
                let asked = SaleRequest(request.amount, from: .card(card), reference: request.reference)
                return try await inner.sale(asked, context)
            }
        }
    }

    /// Reads on although nobody waits any more.
    @Sendable private static func deaf(_ reader: any CardReader, _ request: CardReadRequest) async throws
        -> CardReadResult
    {
        try await Task { try await reader.read(request) }.value
    }

    static let readers: [Mutant] = [
        typing,
        hardware("reader.never-fits", "Calls every device too old.", caughtBy: "reader.compatibility") {
            $0.onCompatibility = { _ in
                ReaderCompatibility([.init(.model, passed: false, found: "simulated", required: "another")])
            }
        },
        hardware("reader.never-ready", "Fails whenever it is prepared.", caughtBy: "reader.prepare") {
            $0.onPrepare = { _, _ in
                throw PaymentError(.readerUnavailable, outcome: .notExecuted, detail: "it can't be prepared")
            }
        },
        hardware("reader.not-prepared", "Is not prepared by a sale.", caughtBy: "reader.prepared-by-sale") {
            $0.onPrepare = { _, _ in }
        },
        hardware("reader.in-background", "Reads on behind other applications.", caughtBy: "reader.background") {
            $0.onRead = deaf
        },
        hardware("reader.card-unsaid", "Does not say that a card came.", caughtBy: "reader.cancel-too-late") {
            $0.onEvent = { event in event == .cardDetected ? [] : [event] }
        },
        hardware("reader.silent", "Says nothing of what it sees.", caughtBy: "reader.events") {
            $0.onEvent = { _ in [] }
        },
        chargesAtOnce("reader.not-asked", caughtBy: "reader.one-card-at-a-time"),
        chargesAtOnce("reader.not-waited-for", caughtBy: "cancel.before-mark"),
        hardware("reader.makes-up-cards", "Makes up the card that it can't read.", caughtBy: "reader.unreadable") {
            $0.onRead = { reader, request in
                do { return try await reader.read(request) } catch {
                    return CardReadResult(
                        id: "made-up", generalCardData: Secret("g"), paymentCardData: Secret("p"), at: 0)
                }
            }
        },
        driver("reader.failure-swallowed", "Calls a failed preparation done.", caughtBy: "reader.prepare-fails") {
            $0.onPrepare = { inner, context in try? await inner.prepare(context) }
        },
    ]
}
