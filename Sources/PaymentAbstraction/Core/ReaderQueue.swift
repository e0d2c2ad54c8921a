internal import PaymentBase
internal import PaymentDriverKit

/// One provider's reader: who prepares it, who reads, and who may cancel.
final class ReaderQueue: Sendable {
    private struct State {
        var flow = ReaderStateMachine()
        var preparation: Task<Void, any Error>?
        var reading: Task<CardReadResult, any Error>?
        var emit: (@Sendable (ReaderEvent) -> Void)?
        var subscribers: [Int: @Sendable (ReaderEvent) -> Void] = [:]
        /// The last number of a subscriber, or of what a sale does with the reader.
        var lastNumber = 0
        /// When the reader's token lapses; nil where it doesn't.
        var until: Int64?
        /// The sales that have read their card, and have not ended.
        var onTheirWay: Set<Int> = []

        mutating func number() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    /// How long before its token lapses a reader is prepared again, in milliseconds: longer than a payment takes.
    static let renewalMarginMilliseconds: Int64 = 10 * 60_000
    /// How long a PIN keeps the reader from other sales, in milliseconds; the documents leave it a minute from the tap.
    static let pinMilliseconds: Int64 = 2 * 60_000

    let driver: any ReaderDriver
    /// The same, where it has a screen that teaches.
    let education: (any EducationDriver)?
    /// Whether the provider reads with the reader of the client; else its events are none of this one's.
    fileprivate let isShared: Bool
    private let feed: ReaderEventStream
    private let state = Locked(State())

    init(_ driver: any ReaderDriver, _ feed: ReaderEventStream) {
        (self.driver, self.feed) = (driver, feed)
        (education, isShared) = (driver as? any EducationDriver, !driver.capabilities.usesProviderTerminal)
    }

    var isReady: Bool { state.withLock { $0.flow.isReady } }
    fileprivate var isReading: Bool { state.withLock { $0.flow.isReading } }

    /// Hears until when the present preparation is good.
    func lasts(until instant: Int64?) { state.withLock { $0.until = instant } }

    /// Hears of an event; whether it belongs to a payment of this provider.
    func heard(_ event: ReaderEvent) -> Bool {
        let (sink, subscribers) = state.withLock { state in
            if event == .cardDetected { _ = state.flow.handle(.cardDetected) }
            if event == .readRetry { _ = state.flow.handle(.cardLost) }
            if event == .notReady { _ = state.flow.handle(.invalidated) }
            return (state.emit, Array(state.subscribers.values))
        }
        sink?(event)
        for subscriber in subscribers { subscriber(event) }
        return sink != nil
    }

    /// It has to be prepared again, after a read that is under way.
    func invalidate() { state.withLock { _ = $0.flow.handle(.invalidated) } }

    /// Hands each event to `sink` while `body` runs.
    func listening<Value>(
        _ sink: @escaping @Sendable (ReaderEvent) -> Void, _ body: () async throws(PaymentError) -> Value
    ) async throws(PaymentError) -> Value {
        let number = state.withLock { state in
            let number = state.number()
            state.subscribers[number] = sink
            return number
        }
        defer { state.withLock { $0.subscribers[number] = nil } }
        return try await body()
    }

    /// Changes the state in one step with the look at the other accounts; nil if one of them has the reader.
    private func alone<Value>(_ change: (inout State) -> Value) -> Value? {
        if !isShared { return state.withLock { change(&$0) } }
        return feed.alone(self) { state.withLock { change(&$0) } }
    }

    /// Prepares, or waits for the preparation that is under way.
    func prepare(_ calls: ProviderCalls) async throws(PaymentError) {
        // Another account reads with it, in a session that this would replace.
        let asked = alone { state -> (ReaderStateMachine.Action, Task<Void, any Error>?) in
            let action = state.flow.handle(.prepareAsked)
            if action == .prepare {
                state.preparation = Task(executorPreference: calls.services.executor) { [self] in
                    // The events of a phone's reader say nothing about a terminal of the provider's.
                    if isShared { await feed.join(self, calls.services) }
                    try await driver.prepare(ReaderContext(calls))
                }
            }
            return (action, state.preparation)
        }
        guard let (action, preparation) = asked else { throw Self.busy }
        switch action {
        case .prepare, .joinPreparation: try await finish(preparation, calls)
        case .refuseBackground: throw Self.background
        case .refuseBusy, .refuseCancelled, .prepareThenRead, .read, .cancelRead, .answer, .abortRead, .nothing:
            throw Self.busy
        }
    }

    private func finish(_ preparation: Task<Void, any Error>?, _ calls: ProviderCalls) async throws(PaymentError) {
        guard let preparation else { return }
        let result = await preparation.result
        var othersHaveToPrepare = false
        let isFirst = state.withLock { state in
            guard state.preparation == preparation else { return false }
            state.preparation = nil
            switch result {
            case .success:
                _ = state.flow.handle(.prepared)
                if isShared { othersHaveToPrepare = true }
            case .failure: _ = state.flow.handle(.prepareFailed)
            }
            return true
        }
        if othersHaveToPrepare { feed.prepared(by: self) }
        switch result {
        case .success: if isFirst { tell(.readerReady, calls.services) }
        case .failure(let error):
            let failure = PaymentError(wrapping: error, .notExecuted, nil, driver)
            if isFirst { tell(.readerFailed, calls.services, ["code": failure.code.rawValue]) }
            throw failure
        }
    }

    /// Reports something that belongs to no payment.
    func tell(_ kind: PaymentEvent.Kind, _ services: Services, _ attributes: [String: String] = [:]) {
        services.events.emit(
            kind, at: services.clock.now, payment: nil, attempt: nil, provider: driver.identity.id,
            attributes: attributes)
    }

    /// Reads a card, prepared first if need be; one at a time. Until the sale leaves, it is too late to cancel it.
    func read(
        _ calls: ProviderCalls, _ emit: @escaping @Sendable (ReaderEvent) -> Void,
        _ body: @escaping @Sendable (any CardReader) async throws -> CardReadResult
    ) async throws -> (sale: Int, card: CardReadResult) {
        guard let reader = feed.reader else { throw ReaderContext.noReader }
        let (sale, reading) = try await turn(calls) { state in
            let task = Task(executorPreference: calls.services.executor) { try await body(reader) }
            (state.reading, state.emit) = (task, emit)
            return task
        }
        let result = await withTaskCancellationHandler {
            await reading.result
        } onCancel: {
            reading.cancel()
        }
        // In one step, so that no cancel finds nothing between both.
        state.withLock { state in
            _ = state.flow.handle(.left(by: sale))
            (state.reading, state.emit) = (nil, nil)
            if case .success = result { state.onTheirWay.insert(sale) }
        }
        return (sale, try result.get())
    }

    /// Keeps a terminal of the provider's for a sale, prepared first if need be, until it leaves; one at a time.
    func occupy(_ calls: ProviderCalls) async throws -> Int { try await turn(calls) { _ in }.sale }

    /// Waits until a sale has the reader, and begins in the same step. A cancel or a caller that leaves ends the wait.
    private func turn<Begun>(
        _ calls: ProviderCalls, _ begin: (inout State) -> Begun
    ) async throws -> (sale: Int, begun: Begun) {
        let sale = state.withLock { $0.number() }
        do {
            while true {
                let now = calls.services.clock.now
                let asked = alone { state -> (ReaderStateMachine.Action, Begun?) in
                    // A preparation that lapses within a payment is over before it.
                    if let until = state.until, now > until - Self.renewalMarginMilliseconds, !state.flow.isReading {
                        _ = state.flow.handle(.invalidated)
                        state.until = nil
                    }
                    let action = state.flow.handle(.readAsked(by: sale))
                    return (action, action == .read ? begin(&state) : nil)
                }
                guard let (action, begun) = asked else { throw Self.busy }
                if let begun { return (sale, begun) }
                switch action {
                case .prepareThenRead, .joinPreparation: try await prepare(calls)
                case .refuseBackground: throw Self.background
                case .refuseCancelled: throw Self.cancelled
                case .refuseBusy, .prepare, .read, .cancelRead, .answer, .abortRead, .nothing: throw Self.busy
                }
                if Task.isCancelled { throw Self.cancelled }
            }
        } catch {
            leave(sale)
            throw error
        }
    }

    /// Captures a PIN; nothing else is read during it.
    func capture(_ services: Services, _ body: () async throws -> CardReadResult) async throws -> CardReadResult {
        let sale = state.withLock { $0.number() }
        guard alone({ $0.flow.handle(.pinAsked(by: sale)) }) == .read else { throw Self.busy }
        // A reader may ignore that the sale is over. While it shows the entry it refuses a read on its own, and a PIN
        // that comes so late is still of this sale alone.
        let end = services.clock.now + Self.pinMilliseconds
        let timer = Task(executorPreference: services.executor) { [self] in
            try await services.clock.sleep(until: end)
            leave(sale)
        }
        defer {
            timer.cancel()
            leave(sale)
        }
        return try await body()
    }

    /// What a sale did with the reader is over: it is free for the next one.
    func leave(_ sale: Int) {
        state.withLock { state in
            _ = state.flow.handle(.left(by: sale))
            state.onTheirWay.remove(sale)
        }
    }

    /// Cancels a wait for a card; says what became of it.
    func cancel(_ calls: ProviderCalls) async throws(PaymentError) -> CancelResult {
        let (action, isOnItsWay) = state.withLock { state in
            (state.flow.handle(.cancelAsked), !state.onTheirWay.isEmpty)
        }
        switch action {
        // The reader waits for nothing, and a payment with its card may be sent at this moment.
        case .answer(.nothingToCancel) where isOnItsWay: return .tooLate
        case .answer(let answer): return answer
        case .cancelRead:
            let answer: CancelResult
            do { answer = try await driver.cancelReading(ReaderContext(calls)) } catch {
                throw PaymentError(wrapping: error, .unknown, nil, driver)
            }
            // A reader that does not wait for the card yet, or not any more, ends nothing: the sale continues, or its card is on its
            // way since.
            let continues = state.withLock { $0.flow.isReading || !$0.onTheirWay.isEmpty }
            return answer == .nothingToCancel && continues ? .tooLate : answer
        case .prepare, .joinPreparation, .prepareThenRead, .read, .refuseBusy, .refuseBackground, .refuseCancelled,
            .abortRead, .nothing:
            return .nothingToCancel
        }
    }

    /// The application left or came back; a read that is under way can't continue without it.
    ///
    /// A terminal of the provider's continues on its own.
    func lifecycle(_ change: AppLifecycle, _ calls: ProviderCalls) async {
        if isShared {
            let reading = state.withLock { state in
                let action = state.flow.handle(change == .becameActive ? .becameActive : .enteredBackground)
                return action == .abortRead ? state.reading : nil
            }
            reading?.cancel()
        }
        await driver.appLifecycleChanged(change, ReaderContext(calls))
    }

    private static let busy = PaymentError.notExecuted(
        .readerBusy, "a card is being read already; wait for it or cancel it")
    private static let cancelled = PaymentError.notExecuted(
        .cancelled, "the payment was cancelled while the reader got ready")
    private static let background = PaymentError.notExecuted(
        .readerUnavailable, "the application is not in front; a card can be read only there")
}

extension ReaderEvent {
    var attributes: [String: String] {
        if case .updateProgress(let percent) = self { return ["percent": String(percent)] }
        return [:]
    }
}

/// The one reader of a client: connected once, shared by all providers that read with it.
///
/// It hands each event to those that it concerns. One provider at a time can have prepared it, and one reads at a time.
final class ReaderEventStream: Sendable {
    private struct Listener: Sendable {
        weak let queue: ReaderQueue?
    }

    private struct State {
        var isConnected = false
        var listeners: [Listener] = []
    }

    let reader: (any CardReader)?
    private let state = Locked(State())

    init(_ reader: (any CardReader)?) { self.reader = reader }

    private var queues: [ReaderQueue] { state.withLock { $0.listeners.compactMap(\.queue) } }

    /// Takes a provider's queue in; the first to come connects the reader.
    func join(_ queue: ReaderQueue, _ services: Services) async {
        let isFirst = state.withLock { state in
            if !state.listeners.contains(where: { $0.queue === queue }) {
                state.listeners.append(Listener(queue: queue))
            }
            defer { state.isConnected = true }
            return !state.isConnected
        }
        guard isFirst, let reader else { return }
        await reader.setEventHandler { [weak self] event in self?.heard(event, services) }
    }

    private func heard(_ event: ReaderEvent, _ services: Services) {
        let queues = queues
        let isTaken = queues.map { $0.heard(event) }.contains(true)
        if isTaken { return }
        services.events.emit(
            .reader(event), at: services.clock.now, payment: nil, attempt: nil,
            provider: queues.count == 1 ? queues.first?.driver.identity.id : nil, attributes: event.attributes)
    }

    /// Runs `change` in one step with the look at the others; nil if one of them has the reader. A queue's lock is
    /// taken within this one, never around it.
    func alone<Value>(_ queue: ReaderQueue, _ change: () -> Value) -> Value? {
        state.withLock { state -> Value? in
            let others = state.listeners.lazy.compactMap(\.queue).filter { $0 !== queue }
            return others.contains { $0.isShared && $0.isReading } ? nil : change()
        }
    }

    /// One has prepared it with its own token: for the others it has to be prepared again.
    func prepared(by queue: ReaderQueue) { for other in queues where other !== queue { other.invalidate() } }
}
