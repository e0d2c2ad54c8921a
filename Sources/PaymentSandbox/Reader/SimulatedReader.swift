public import PaymentBase

public import enum PaymentAbstraction.CancelAnswer
public import struct PaymentAbstraction.CardRead
public import protocol PaymentAbstraction.CardReader
public import struct PaymentAbstraction.CardRequest
public import struct PaymentAbstraction.Compatibility
public import protocol PaymentAbstraction.LinkingReader
public import struct PaymentAbstraction.PaymentError
public import enum PaymentAbstraction.ReaderEvent
public import protocol PaymentAbstraction.TeachingReader

/// A reader without hardware: a card lies in front of it, and its events come in a real order.
///
/// What it hands over is opaque to adapters; only the simulated companies read it.
public final class SimulatedReader: CardReader, LinkingReader, TeachingReader {
    /// The card in front of the reader, and what its holder does.
    public struct Card: Sendable {
        public var number: Secret
        /// The PIN that the holder types.
        public var typedPIN: Secret?
        /// The PIN that is right.
        public var expectedPIN: Secret
        /// How long until the tap, in milliseconds.
        public var tapMilliseconds: Int64 = 500

        /// Makes a card; its holder knows the PIN.
        public init(number: String = "4111111111111111", pin: String = "1234") {
            self.number = Secret(number)
            (typedPIN, expectedPIN) = (Secret(pin), Secret(pin))
        }
    }

    private struct State {
        var card: Card?
        var sink: (@Sendable (ReaderEvent) -> Void)?
        var isPrepared = false
        var isLinked = false
        var isWaiting = false
        var isDetected = false
        var nextNumber = 0
        var wake: Promise<Bool>?
        var amounts: [String: CardRequest] = [:]
    }

    /// How long after a read the PIN can be captured, in milliseconds.
    public static let pinWindowMilliseconds: Int64 = 55_000

    private let clock: any PaymentClock
    private let executor: (any TaskExecutor)?
    private let state: Locked<State>

    /// Makes a reader with a card in front of it; nil for none.
    public init(clock: any PaymentClock, executor: (any TaskExecutor)? = nil, card: Card? = Card()) {
        (self.clock, self.executor) = (clock, executor)
        state = Locked(State(card: card))
    }

    /// Lays another card in front of it, or takes the card away.
    public func present(_ card: Card?) { state.withLock { $0.card = card } }

    public func compatibility() async -> Compatibility {
        Compatibility([
            Compatibility.Check(.model, passed: true, found: "simulated", required: "any"),
            Compatibility.Check(.systemVersion, passed: true, found: "18.0", required: "18.0"),
        ])
    }

    public func observe(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async {
        state.withLock { $0.sink = sink }
    }

    public func isLinked(token: Secret) async throws -> Bool { state.withLock { $0.isLinked } }
    public func link(token: Secret, again: Bool) async throws { state.withLock { $0.isLinked = true } }
    public func showEducation() async throws {}

    public func prepare(token: Secret) async throws {
        guard !token.isEmpty else {
            throw PaymentError(.configuration, outcome: .nothingMoved, detail: "the reader's token is empty")
        }
        for percent in [1, 50, 100] { emit(.updateProgress(percent)) }
        state.withLock { $0.isPrepared = true }
    }

    public func read(_ request: CardRequest) async throws -> CardRead {
        let card = try start(request)
        emit(.readyForTap)
        let wake = Promise<Bool>()
        state.withLock { $0.wake = wake }
        defer { state.withLock { ($0.isWaiting, $0.isDetected, $0.wake) = (false, false, nil) } }
        let timer = card.map { card in
            let end = clock.now + card.tapMilliseconds
            return Task(executorPreference: executor) { [clock] in
                try await clock.sleep(until: end)
                wake.fulfil(true)
            }
        }
        defer { timer?.cancel() }
        let isTapped = await withTaskCancellationHandler {
            await wake.value()
        } onCancel: {
            wake.fulfil(false)
        }
        guard isTapped, let card else {
            emit(.readCancelled)
            throw PaymentError(.cancelled, outcome: .nothingMoved, detail: "the read was cancelled")
        }
        state.withLock { $0.isDetected = true }
        for event in [ReaderEvent.cardDetected, .removeCard, .readCompleted, .userInterfaceDismissed] { emit(event) }
        return finished(request, card, pin: nil)
    }

    private func start(_ request: CardRequest) throws(PaymentError) -> Card? {
        guard !request.amount.isNegative else {
            throw PaymentError(
                .invalidRequest, outcome: .nothingMoved, detail: "a card is not read for less than nothing")
        }
        return try state.withLock { state throws(PaymentError) in
            guard !state.isWaiting else {
                throw PaymentError(.readerBusy, outcome: .nothingMoved, detail: "a card is being read already")
            }
            guard state.isPrepared else {
                throw PaymentError(.readerUnavailable, outcome: .nothingMoved, detail: "the reader is not prepared")
            }
            state.isWaiting = true
            return state.card
        }
    }

    private func finished(_ request: CardRequest, _ card: Card, pin: Secret?) -> CardRead {
        let id = state.withLock { state in
            state.nextNumber += 1
            state.amounts["read-\(state.nextNumber)"] = request
            return "read-\(state.nextNumber)"
        }
        var payload: JSONObject = [
            "amount": .number(JSONNumber(request.amount.minorUnits)),
            "currency": .string(request.amount.currency.code), "purpose": .string(request.purpose.rawValue),
            "pan": .string(card.number.expose()), "expectedPIN": .string(card.expectedPIN.expose()),
        ]
        if let pin { payload["pin"] = .string(pin.expose()) }
        let text = Base64.standard.encode(JSON.object(payload).bytes())
        return CardRead(id: id, general: Secret("9F02"), payment: Secret(text), at: clock.now)
    }

    public func readPIN(token: Secret, after read: CardRead) async throws -> CardRead {
        let (card, request) = state.withLock { ($0.card, $0.amounts[read.id]) }
        guard let card, let request, clock.now - read.at <= Self.pinWindowMilliseconds else {
            throw PaymentError(.readerUnavailable, outcome: .nothingMoved, detail: "it is too late for the PIN")
        }
        emit(.pinEntryRequested)
        guard let pin = card.typedPIN else {
            throw PaymentError(.cancelled, outcome: .nothingMoved, detail: "nobody typed a PIN")
        }
        emit(.pinEntryCompleted)
        return finished(request, card, pin: pin)
    }

    public func cancel() async throws -> CancelAnswer {
        let wake: (answer: CancelAnswer, promise: Promise<Bool>?) = state.withLock { state in
            if state.isDetected { return (.tooLate, nil) }
            return state.isWaiting ? (.cancelled, state.wake) : (.nothingToCancel, nil)
        }
        wake.promise?.fulfil(false)
        return wake.answer
    }

    private func emit(_ event: ReaderEvent) { state.withLock { $0.sink }?(event) }
}
