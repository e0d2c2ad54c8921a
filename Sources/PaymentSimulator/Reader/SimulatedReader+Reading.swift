public import PaymentBase

public import struct PaymentAbstraction.CardReadRequest
public import struct PaymentAbstraction.CardReadResult
public import struct PaymentAbstraction.PaymentError
public import enum PaymentAbstraction.ReaderEvent

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

    /// Keeps the card in the field; whoever cancels now does not end the read.
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
            throw PaymentError.notExecuted(.cancelled, "nobody typed a PIN")
        }
        emit(.pinEntryCompleted)
        return finished(request, card, pin: pin)
    }
}
