public import PaymentBase

public import protocol PaymentAbstraction.AccountLinkingReader
public import enum PaymentAbstraction.CancelResult
public import struct PaymentAbstraction.CardReadRequest
public import struct PaymentAbstraction.CardReadResult
public import protocol PaymentAbstraction.CardReader
public import protocol PaymentAbstraction.MerchantEducationReader
public import struct PaymentAbstraction.PaymentError
public import struct PaymentAbstraction.ReaderCompatibility
public import enum PaymentAbstraction.ReaderEvent

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
