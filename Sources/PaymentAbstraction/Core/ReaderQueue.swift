internal import PaymentBase
internal import PaymentDriverKit

/// One provider's reader: who prepares it, who reads, and who may cancel.
final class ReaderQueue: Sendable {
    private struct State {
        var flow = ReaderStateMachine()
        /// How often it was prepared.
        var preparedCount = 0
        var preparation: Task<Void, any Error>?
        var reading: Task<CardReadResult, any Error>?
        var subscribers: [Int: @Sendable (ReaderEvent) -> Void] = [:]
        var nextSubscriber = 0
        var emit: (@Sendable (ReaderEvent) -> Void)?
        /// When the reader's token lapses; nil where it doesn't.
        var until: Int64?
        /// How many sales wait for the reader to get ready, how many have waited, and up to which one they were cancelled.
        var waitingCount = 0
        var waitedCount = 0
        var cancelledCount = 0
        /// How many PINs are being captured.
        var pinCount = 0
    }

    /// How long before its token lapses a reader is prepared again, in milliseconds: longer than a payment takes.
    static let renewalMarginMilliseconds: Int64 = 10 * 60_000

    let driver: any ReaderDriver
    /// The same, where it has a screen that teaches.
    let education: (any EducationDriver)?
    private let feed: ReaderEventStream
    private let state = Locked(State())

    init(_ driver: any ReaderDriver, _ feed: ReaderEventStream) {
        (self.driver, self.feed) = (driver, feed)
        education = driver as? any EducationDriver
    }

    var isReady: Bool { state.withLock { $0.flow.isReady } }
    var isReading: Bool { state.withLock { $0.flow.isReading || $0.pinCount > 0 } }

    /// Whether the provider reads with the reader of the client; else its events are none of this one's.
    fileprivate var isShared: Bool { !driver.capabilities.usesProviderTerminal }

    /// Hears until when the present preparation is good.
    func lasts(until instant: Int64?) { state.withLock { $0.until = instant } }

    /// Takes the reader's events.
    func observe(_ services: Services) async { await feed.join(self, services) }

    /// Hears of an event; whether it belongs to a payment of this provider.
    func heard(_ event: ReaderEvent) -> Bool {
        let (sink, subscribers) = state.withLock { state in
            if event == .cardDetected, state.flow.isReading { _ = state.flow.handle(.cardDetected) }
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
            state.nextSubscriber += 1
            state.subscribers[state.nextSubscriber] = sink
            return state.nextSubscriber
        }
        defer { state.withLock { $0.subscribers[number] = nil } }
        return try await body()
    }

    /// Prepares, or waits for the preparation that is under way.
    func prepare(_ calls: ProviderCalls) async throws(PaymentError) {
        let before = state.withLock { $0.preparedCount }
        await observe(calls.services)
        // One that has ended since the call was made is its own as well.
        if state.withLock({ $0.preparedCount != before }) { return }
        // Another account reads with it, in a session that this would replace.
        if isShared, feed.isReading(besides: self) { throw Self.busy }
        let action = state.withLock { state in
            // A new session would end the one that captures a PIN.
            if state.pinCount > 0 { return (ReaderStateMachine.Action.refuseBusy, state.preparation) }
            let action = state.flow.handle(.prepareAsked)
            if action == .prepare {
                state.preparation = Task(executorPreference: calls.services.executor) { [driver] in
                    try await driver.prepare(ReaderContext(calls))
                }
            }
            return (action, state.preparation)
        }
        switch action.0 {
        case .prepare, .joinPreparation: try await finish(action.1, calls)
        case .refuseBusy: throw Self.busy
        case .refuseBackground: throw Self.background
        case .prepareThenRead, .read, .cancelRead, .answer, .abortRead, .nothing: break
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
                state.preparedCount += 1
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

    /// Reads a card, prepared first if need be; one at a time.
    func read(
        _ calls: ProviderCalls, _ emit: @escaping @Sendable (ReaderEvent) -> Void,
        _ body: @escaping @Sendable (any CardReader) async throws -> CardReadResult
    ) async throws -> CardReadResult {
        guard let reader = feed.reader else { throw ReaderContext.noReader }
        await observe(calls.services)
        while true {
            if feed.isReading(besides: self) { throw Self.busy }
            let action = state.withLock { state in
                let action = Self.asked(&state, calls.services.clock.now)
                if action == .read {
                    state.emit = emit
                    state.reading = Task(executorPreference: calls.services.executor) { try await body(reader) }
                }
                return (action, state.reading)
            }
            switch action.0 {
            case .read: return try await finish(action.1)
            case .prepareThenRead, .joinPreparation: try await waitUntilReady(calls)
            case .refuseBusy: throw Self.busy
            case .refuseBackground: throw Self.background
            case .prepare, .cancelRead, .answer, .abortRead, .nothing: throw Self.busy
            }
        }
    }

    /// Begins what a terminal of the provider's does with a card, prepared first if need be; one at a time, until it is
    /// left.
    func occupy<Reply>(_ calls: ProviderCalls, _ body: () async throws -> Reply) async throws -> Reply {
        while true {
            switch state.withLock({ Self.asked(&$0, calls.services.clock.now) }) {
            case .read: return try await body()
            case .prepareThenRead, .joinPreparation: try await waitUntilReady(calls)
            case .refuseBackground: throw Self.background
            case .prepare, .refuseBusy, .cancelRead, .answer, .abortRead, .nothing: throw Self.busy
            }
        }
    }

    /// Prepares for a sale, which may be cancelled or left in the meantime.
    private func waitUntilReady(_ calls: ProviderCalls) async throws {
        let number = state.withLock { state in
            state.waitingCount += 1
            state.waitedCount += 1
            return state.waitedCount
        }
        defer { state.withLock { $0.waitingCount -= 1 } }
        try await prepare(calls)
        if Task.isCancelled || state.withLock({ $0.cancelledCount >= number }) { throw Self.cancelled }
    }

    /// Captures a PIN; nothing else is read during it.
    func capture(_ body: () async throws -> CardReadResult) async throws -> CardReadResult {
        if feed.isReading(besides: self) { throw Self.busy }
        let isFree = state.withLock { state in
            let isFree = !state.flow.isReading && state.pinCount == 0
            if isFree { state.pinCount += 1 }
            return isFree
        }
        guard isFree else { throw Self.busy }
        defer { state.withLock { $0.pinCount -= 1 } }
        return try await body()
    }

    /// What becomes of a wish to read; a preparation that lapses within a payment is over before it.
    private static func asked(_ state: inout State, _ now: Int64) -> ReaderStateMachine.Action {
        if state.pinCount > 0 { return .refuseBusy }
        if let until = state.until, now > until - renewalMarginMilliseconds, !state.flow.isReading {
            _ = state.flow.handle(.invalidated)
            state.until = nil
        }
        return state.flow.handle(.readAsked)
    }

    /// The terminal is free for the next payment.
    func leave() { state.withLock { _ = $0.flow.handle(.readEnded) } }

    private func finish(_ reading: Task<CardReadResult, any Error>?) async throws -> CardReadResult {
        guard let reading else { throw Self.busy }
        defer {
            state.withLock { state in
                _ = state.flow.handle(.readEnded)
                (state.reading, state.emit) = (nil, nil)
            }
        }
        return try await withTaskCancellationHandler {
            try await reading.value
        } onCancel: {
            reading.cancel()
        }
    }

    /// Cancels a wait for a card; says what became of it.
    func cancel(_ calls: ProviderCalls) async throws(PaymentError) -> CancelResult {
        let action = state.withLock { state -> ReaderStateMachine.Action in
            if state.flow.isReading { return state.flow.handle(.cancelAsked) }
            // The card was read.
            if state.pinCount > 0 { return .answer(.tooLate) }
            guard state.waitingCount > 0 else { return .answer(.nothingToCancel) }
            state.cancelledCount = state.waitedCount
            return .answer(.cancelled)
        }
        switch action {
        case .answer(let answer): return answer
        case .cancelRead:
            do { return try await driver.cancelReading(ReaderContext(calls)) } catch {
                throw PaymentError(wrapping: error, .unknown, nil, driver)
            }
        case .prepare, .joinPreparation, .prepareThenRead, .read, .refuseBusy, .refuseBackground, .abortRead, .nothing:
            return .nothingToCancel
        }
    }

    /// The application left or came back; a read that is under way can't continue without it.
    ///
    /// A terminal of the provider's continues on its own.
    func lifecycle(_ change: AppLifecycle, _ calls: ProviderCalls) async {
        if driver.capabilities.usesProviderTerminal {
            return await driver.appLifecycleChanged(change, ReaderContext(calls))
        }
        let reading = state.withLock { state in
            let action = state.flow.handle(change == .becameActive ? .becameActive : .enteredBackground)
            return action == .abortRead ? state.reading : nil
        }
        reading?.cancel()
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

    /// Whether another provider reads with it now.
    func isReading(besides queue: ReaderQueue) -> Bool {
        queues.contains { $0 !== queue && $0.isShared && $0.isReading }
    }

    /// One has prepared it with its own token: for the others it has to be prepared again.
    func prepared(by queue: ReaderQueue) { for other in queues where other !== queue { other.invalidate() } }
}
