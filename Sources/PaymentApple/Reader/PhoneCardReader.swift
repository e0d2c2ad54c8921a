#if canImport(ProximityReader)
internal import Foundation
public import PaymentModel
public import PaymentBase
internal import ProximityReader

/// Tap to Pay on iPhone as a card reader of an application, for providers whose wire takes Apple's card data.
@available(iOS 17.0, *)
public actor PhoneCardReader: AccountLinkingReader {
    private let reader: PaymentCardReader
    private let clock: any PaymentClock
    private var session: PaymentCardReaderSession?
    private var listening: Task<Void, Never>?
    private var sink: (@Sendable (ReaderEvent) -> Void)?
    private var isReading = false
    /// Whether a card was seen in the read that is under way, after which Apple ends none.
    private var hasCard = false

    /// Makes the reader of this iPhone; there is one.
    public init(clock: any PaymentClock = SystemClock()) {
        var options = PaymentCardReader.Options()
        options.includeErrorInReadResult = true
        (reader, self.clock) = (PaymentCardReader(options: options), clock)
    }

    public func compatibility() async -> ReaderCompatibility {
        let isAble = PaymentCardReader.isSupported
        let found = isAble ? "able to read cards" : "not able to read cards"
        return ReaderCompatibility([.init(.model, passed: isAble, found: found, required: "iPhone XS")])
    }

    public func setEventHandler(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async {
        self.sink = sink
        // Apple's stream is one for the reader's life, and a task that leaves it ends it for every other.
        guard listening == nil else { return }
        let events = reader.events
        listening = Task { [weak self] in
            for await event in events { await self?.heard(event) }
        }
    }

    public func isLinked(token: Secret) async throws -> Bool {
        do { return try await reader.isAccountLinked(using: Self.token(token)) } catch { throw Self.failure(error) }
    }

    public func link(token: Secret, again: Bool) async throws {
        do {
            if again {
                try await reader.relinkAccount(using: Self.token(token))
            } else {
                try await reader.linkAccount(using: Self.token(token))
            }
        } catch PaymentCardReaderError.accountAlreadyLinked { return } catch { throw Self.failure(error) }
    }

    public func prepare(token: Secret) async throws {
        do { session = try await reader.prepare(using: Self.token(token)) } catch { throw Self.failure(error) }
    }

    public func read(_ request: CardReadRequest) async throws -> CardReadResult {
        let session = try prepared()
        if isReading { throw Self.failure(PaymentCardReaderSession.ReadError.readerSessionBusy) }
        (isReading, hasCard) = (true, false)
        defer { isReading = false }
        let result: PaymentCardReadResult
        do {
            result = try await withTaskCancellationHandler {
                try await Self.read(request, session)
            } onCancel: {
                Task { _ = try? await session.cancelRead() }
            }
        } catch PaymentCardReaderSession.ReadError.paymentCardDeclined {
            return declined("")
        } catch { throw Self.failure(error) }
        return try card(result)
    }

    public func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult {
        let session = try prepared()
        let result: PaymentCardReadResult
        do {
            result = try await session.capturePIN(
                using: PaymentCardReaderSession.PINToken(rawValue: token.expose()),
                cardReaderTransactionID: read.id)
        } catch { throw Self.failure(error) }
        return try card(result)
    }

    /// Apple ends a wait for a card, and no read of one.
    public func cancel() async throws -> CancelResult {
        guard let session, isReading else { return .nothingToCancel }
        if hasCard { return .tooLate }
        do { return try await session.cancelRead() ? .cancelled : .tooLate } catch { throw Self.failure(error) }
    }

    private func heard(_ event: PaymentCardReader.Event) {
        if case .cardDetected = event { hasCard = true }
        sink?(ReaderEvent(event))
    }

    private func prepared() throws(PaymentError) -> PaymentCardReaderSession {
        if let session { return session }
        throw Self.failure(PaymentCardReaderSession.ReadError.noReaderSession)
    }

    private static func read(
        _ request: CardReadRequest, _ session: PaymentCardReaderSession
    ) async throws -> PaymentCardReadResult {
        let code = request.amount.currency.code
        if request.purpose == .verification {
            return try await session.readPaymentCard(PaymentCardVerificationRequest(currencyCode: code))
        }
        return try await session.readPaymentCard(
            PaymentCardTransactionRequest(
                amount: major(request.amount), currencyCode: code,
                for: request.purpose == .refund ? .refund : .purchase))
    }

    /// An amount in major units, made of decimal digits all the way.
    private static func major(_ money: Money) -> Decimal {
        Decimal(
            sign: money.minorUnits < 0 ? .minus : .plus, exponent: -money.currency.exponent,
            significand: Decimal(money.minorUnits.magnitude))
    }

    private static func token(_ token: Secret) -> PaymentCardReader.Token {
        PaymentCardReader.Token(rawValue: token.expose())
    }

    /// What was read; a card that refuses on its own has no data to submit.
    private func card(_ result: PaymentCardReadResult) throws(PaymentError) -> CardReadResult {
        if result.outcome == .cardDeclined { return declined(result.id) }
        guard result.outcome == .success, let payment = result.paymentCardData else {
            throw Self.failure(PaymentCardReaderSession.ReadError.cardReadFailed)
        }
        var read = CardReadResult(
            id: result.id, generalCardData: Secret(result.generalCardData ?? ""), paymentCardData: Secret(payment),
            at: clock.now)
        read.pinBypassed = result.pinBypassed
        return read
    }

    private func declined(_ id: String) -> CardReadResult {
        var read = CardReadResult(id: id, generalCardData: Secret(""), paymentCardData: Secret(""), at: clock.now)
        read.isDeclinedByCard = true
        return read
    }
}
#endif
