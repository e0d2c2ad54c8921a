public import PaymentBase

public import protocol PaymentModel.AccountLinkingReader
public import enum PaymentModel.CancelResult
public import struct PaymentModel.CardReadRequest
public import struct PaymentModel.CardReadResult
public import protocol PaymentModel.CardReader
public import protocol PaymentModel.MerchantEducationReader
public import struct PaymentModel.PaymentError
public import struct PaymentModel.ReaderCompatibility
public import enum PaymentModel.ReaderEvent

/// A reader without hardware: a card lies in front of it, and its events come in a real order.
///
/// A read reports `readyForTap`, `cardDetected`, perhaps `pinEntryRequested` and `pinEntryCompleted`, `removeCard`,
/// `readCompleted`, `userInterfaceDismissed`. What it hands over is opaque to adapters; only the simulated providers
/// read it.
public final class SimulatedReader: CardReader, AccountLinkingReader, MerchantEducationReader {
    /// How a wait for a card ended.
    enum Wake: Hashable, Sendable {
        case tapped, cancelled
        case interrupted(Interruption)
    }

    struct State {
        var card: Card?
        var sink: (@Sendable (ReaderEvent) -> Void)?
        /// Until when its token is good; nil while it is not prepared.
        var preparedUntil: Int64?
        var situations: Set<Interruption> = []
        var isLinked = false
        var isDetected = false
        var nextNumber = 0
        /// The wait for a card, while a read is under way.
        var wake: Promise<Wake>?
        var reads: [String: CardReadRequest] = [:]
        var readOrder: [String] = []
    }

    /// How long after a read the PIN can be captured, in milliseconds.
    public static let pinWindowMilliseconds: Int64 = 55_000
    /// How long a token is good, in milliseconds: 48 hours.
    public static let tokenMilliseconds: Int64 = 48 * 3_600_000
    /// How many reads are remembered for a PIN afterwards.
    public static let readsMax = 1_000
    /// What a preparation reports about its progress, in percent.
    public static let progressSteps = [1, 50, 100]

    let clock: any PaymentClock
    let executor: (any TaskExecutor)?
    let state: Locked<State>

    /// Makes a reader with a card in front of it; nil for none.
    public init(clock: any PaymentClock, executor: (any TaskExecutor)? = nil, card: Card? = Card()) {
        (self.clock, self.executor) = (clock, executor)
        state = Locked(State(card: card))
    }

    /// Lays another card in front of it, or takes the card away.
    public func present(_ card: Card?) { state.withLock { $0.card = card } }

    public func compatibility() async -> ReaderCompatibility {
        ReaderCompatibility([
            ReaderCompatibility.Check(.model, passed: true, found: "simulated", required: "any"),
            ReaderCompatibility.Check(.systemVersion, passed: true, found: "18.0", required: "18.0"),
        ])
    }

    public func setEventHandler(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async {
        state.withLock { $0.sink = sink }
    }

    public func isLinked(token: Secret) async throws -> Bool { state.withLock { $0.isLinked } }
    public func link(token: Secret, again: Bool) async throws { state.withLock { $0.isLinked = true } }
    public func showEducation() async throws {}

    public func prepare(token: Secret) async throws {
        guard !token.isEmpty else {
            throw PaymentError.notExecuted(.configuration, "the reader's token is empty")
        }
        if state.withLock({ $0.situations.contains(.background) }) { throw Interruption.background.error }
        for percent in Self.progressSteps { emit(.updateProgress(percent)) }
        let until = clock.now + Self.tokenMilliseconds
        state.withLock { $0.preparedUntil = until }
    }

    public func cancel() async throws -> CancelResult {
        let (answer, wake): (CancelResult, Promise<Wake>?) = state.withLock { state in
            if state.isDetected { return (.tooLate, nil) }
            return state.wake == nil ? (.nothingToCancel, nil) : (.cancelled, state.wake)
        }
        wake?.fulfill(.cancelled)
        return answer
    }

    func emit(_ event: ReaderEvent) { state.withLock { $0.sink }?(event) }
}

extension SimulatedReader {
    /// The card in front of the reader, and what its holder does.
    public struct Card: Sendable {
        /// How the holder is asked for the PIN while the card is read.
        public enum Verification: String, Hashable, Sendable, CaseIterable {
            /// Not at all; the provider may ask for it afterwards.
            case none
            /// The holder types the right one.
            case rightPIN
            /// The holder types a wrong one.
            case wrongPIN
            /// The holder continues without one; also when asked afterwards.
            case bypassedPIN
        }

        /// How a read ends without card data.
        public enum Failure: String, Hashable, Sendable, CaseIterable {
            /// The card could not be read.
            case unreadable
            /// The reader takes no cards of this kind.
            case notSupported
        }

        /// The card's number.
        public var number: Secret
        /// The PIN that the holder types when the provider asks for it afterwards; nil without one.
        public var typedPIN: Secret?
        /// The PIN that is right.
        public var expectedPIN: Secret
        /// How long until the tap, in milliseconds.
        public var tapMilliseconds: Int64 = 500
        /// How long it is in the field before it is read, in milliseconds; no caller can cancel any more.
        public var fieldMilliseconds: Int64 = 0
        /// What is asked while the card is read.
        public var verification = Verification.none
        /// How often the holder takes the card away too early before it is read.
        public var earlyRemovals = 0
        /// How the read fails, if it does.
        public var failure: Failure?
        /// Whether the card itself refuses.
        public var isDeclinedByCard = false

        /// Makes a card; its holder knows the PIN.
        public init(number: String = "4111111111111111", pin: String = "1234") {
            self.number = Secret(number)
            (typedPIN, expectedPIN) = (Secret(pin), Secret(pin))
        }

        /// A PIN that is not the right one.
        var wrongPIN: Secret { Secret(expectedPIN == Secret("0000") ? "1111" : "0000") }
    }
}

extension SimulatedReader {
    public func read(_ request: CardReadRequest) async throws -> CardReadResult {
        let card = try start(request)
        defer { state.withLock { ($0.isDetected, $0.wake) = (false, nil) } }
        emit(.readyForTap)
        for _ in 0..<max(0, card?.earlyRemovals ?? 0) {
            _ = try await tap(card)
            emit(.readRetry)
            state.withLock { ($0.isDetected, $0.wake) = (false, Promise()) }
            emit(.readyForTap)
        }
        let present = try await tap(card)
        if let failure = present.failure {
            emit(.readNotCompleted)
            emit(.userInterfaceDismissed)
            throw Self.error(failure)
        }
        var pin: Secret?
        if present.verification != .none {
            emit(.pinEntryRequested)
            pin = Self.pin(present)
            emit(.pinEntryCompleted)
        }
        for event in [ReaderEvent.removeCard, .readCompleted, .userInterfaceDismissed] { emit(event) }
        return finished(request, present, pin: pin)
    }

    /// Keeps the card in the field; cancelling now does not end the read.
    private func hold(_ card: Card) async {
        guard card.fieldMilliseconds > 0 else { return }
        let end = clock.now + card.fieldMilliseconds
        await Task(executorPreference: executor) { [clock] in try? await clock.sleep(until: end) }.value
    }

    /// Waits until the card is in the field.
    private func tap(_ card: Card?) async throws -> Card {
        guard let wake = state.withLock({ $0.wake }) else { throw Self.notPrepared }
        let timer = card.map { card in
            let end = clock.now + card.tapMilliseconds
            return Task(executorPreference: executor) { [clock] in
                try await clock.sleep(until: end)
                wake.fulfill(.tapped)
            }
        }
        defer { timer?.cancel() }
        switch await wake.value(orWhenCancelled: .cancelled) {
        case .tapped:
            guard let card else { throw Self.notPrepared }
            state.withLock { $0.isDetected = true }
            emit(.cardDetected)
            await hold(card)
            return card
        case .cancelled:
            emit(.readCancelled)
            emit(.userInterfaceDismissed)
            throw PaymentError.notExecuted(.cancelled, "the read was cancelled")
        case .interrupted(let situation):
            emit(.readNotCompleted)
            emit(.userInterfaceDismissed)
            if situation == .background { emit(.notReady) }
            throw situation.error
        }
    }

    private func start(_ request: CardReadRequest) throws(PaymentError) -> Card? {
        guard !request.amount.isNegative, request.purpose == .verification || request.amount.minorUnits > 0 else {
            throw PaymentError.notExecuted(.invalidRequest, "a card is read for an amount above nothing")
        }
        let now = clock.now
        let (card, lapsed): (Card?, Bool) = try state.withLock { state throws(PaymentError) in
            guard state.wake == nil else {
                throw PaymentError.notExecuted(.readerBusy, "a card is being read already")
            }
            if let situation = Interruption.allCases.first(where: { state.situations.contains($0) }) {
                throw situation.error
            }
            guard let until = state.preparedUntil else { throw Self.notPrepared }
            if now >= until {
                state.preparedUntil = nil
                return (nil, true)
            }
            state.wake = Promise()
            return (state.card, false)
        }
        if lapsed {
            emit(.notReady)
            throw PaymentError.notExecuted(.readerUnavailable, "the reader's token has lapsed; prepare it again")
        }
        return card
    }

    private static let notPrepared = PaymentError.notExecuted(.readerUnavailable, "the reader is not prepared")

    private static func error(_ failure: Card.Failure) -> PaymentError {
        switch failure {
        case .unreadable:
            PaymentError.notExecuted(.readerUnavailable, "the card could not be read; tap again")
        case .notSupported:
            PaymentError.notExecuted(.readerUnavailable, "the reader takes no such cards; take another")
        }
    }

    private static func pin(_ card: Card) -> Secret? {
        switch card.verification {
        case .none, .bypassedPIN: nil
        case .rightPIN: card.expectedPIN
        case .wrongPIN: card.wrongPIN
        }
    }

    private func finished(_ request: CardReadRequest, _ card: Card, pin: Secret?) -> CardReadResult {
        let id = state.withLock { state in
            state.nextNumber += 1
            let id = "read-\(state.nextNumber)"
            state.reads[id] = request
            state.readOrder.append(id)
            if state.readOrder.count > Self.readsMax { state.reads[state.readOrder.removeFirst()] = nil }
            return id
        }
        var payload: JSONObject = [
            "amount": .number(JSONNumber(request.amount.minorUnits)),
            "currency": .string(request.amount.currency.code), "purpose": .string(request.purpose.rawValue),
            "pan": .string(card.number.expose()), "expectedPIN": .string(card.expectedPIN.expose()),
            "at": .number(JSONNumber(clock.now)),
        ]
        if let pin { payload["pin"] = .string(pin.expose()) }
        let text = Base64.standard.encode(JSON.object(payload).bytes())
        var read = CardReadResult(id: id, generalCardData: Secret("9F02"), paymentCardData: Secret(text), at: clock.now)
        read.pinBypassed = card.verification == .bypassedPIN
        read.isDeclinedByCard = card.isDeclinedByCard
        return read
    }

    public func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult {
        let (card, request) = state.withLock { ($0.card, $0.reads[read.id]) }
        guard let card, let request, clock.now - read.at <= Self.pinWindowMilliseconds else {
            throw PaymentError.notExecuted(.readerUnavailable, "it is too late for the PIN")
        }
        emit(.pinEntryRequested)
        if card.verification == .bypassedPIN {
            emit(.pinEntryCompleted)
            return finished(request, card, pin: nil)
        }
        guard let pin = card.typedPIN else {
            throw PaymentError.notExecuted(.cancelled, "the customer typed no PIN")
        }
        emit(.pinEntryCompleted)
        return finished(request, card, pin: pin)
    }
}

/// What the simulated reader hands over, as a simulated provider reads it.
struct TapPayload {
    let amount: LedgerAmount
    /// `purchase`, `refund` or `verification`.
    let purpose: String
    let number: String
    /// What the holder typed; nil without an entry.
    let pin: String?
    let expectedPIN: String?
    /// When the card was read, in milliseconds since 1970.
    let at: Int64

    /// Reads it; nil when it is none.
    init?(_ text: String?) {
        guard let text, let bytes = Base64.standard.decode(text), let body = try? JSONReader().read(bytes),
            let units = body["amount"]?.int64, let currency = body["currency"]?.string,
            let purpose = body["purpose"]?.string, let number = body["pan"]?.string, let at = body["at"]?.int64
        else { return nil }
        amount = LedgerAmount(units, currency)
        (self.purpose, self.number, self.at) = (purpose, number, at)
        (pin, expectedPIN) = (body["pin"]?.string, body["expectedPIN"]?.string)
    }

    /// The number with all but its first six and last four digits hidden.
    var maskedNumber: String {
        number.prefix(6) + String(repeating: "*", count: max(0, number.count - 10)) + number.suffix(4)
    }

    /// The scheme by the first digit.
    var scheme: String {
        switch number.first {
        case "4": "VISA"
        case "5", "2": "MASTERCARD"
        case "3": "AMEX"
        default: "UNKNOWN"
        }
    }
}
