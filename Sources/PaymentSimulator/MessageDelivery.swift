internal import PaymentBase
public import PaymentTransport

/// Posts what simulated providers have to say to their receivers, each provider's messages in their order.
///
/// It lives by the sandbox's clock: what was not taken is sent again when the clock gets there, on its own or because
/// it was put forward.
final class MessageDelivery: Sendable {
    private struct State: Sendable {
        var receivers: [String: WebhookReceiver] = [:]
        /// Rings when something may have to be done before the time that was found last.
        var bell = Promise<Void>()
    }

    private let state = Locked(State())
    private let providers: [any WebhookSendingProvider]
    private let clock: SimulatorClock

    init(_ providers: [any SimulatedProvider], _ clock: SimulatorClock) {
        (self.providers, self.clock) = (providers.compactMap { $0 as? any WebhookSendingProvider }, clock)
    }

    /// Where a provider's messages go; nil for nowhere.
    func receiver(of name: String) -> WebhookReceiver? { state.withLock { $0.receivers[name] } }

    /// Sends a provider's messages to a receiver from now on; false for a provider that sends none.
    func setReceiver(_ receiver: WebhookReceiver?, of name: String) -> Bool {
        guard providers.contains(where: { $0.name == name }) else { return false }
        state.withLock { $0.receivers[name] = receiver }
        ring()
        return true
    }

    /// Says that something may have changed, or that ``run(over:save:)`` was cancelled.
    func ring() {
        let bell = state.withLock { state in
            defer { state.bell = Promise() }
            return state.bell
        }
        bell.fulfill(())
    }

    /// Delivers until its task is cancelled and the bell is rung; `save` is called when something was sent.
    func run(over transport: any HTTPTransport, save: @escaping @Sendable () -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for provider in providers {
                group.addTask { await self.run(provider, transport, save) }
            }
        }
    }

    private func run(
        _ provider: any WebhookSendingProvider, _ transport: any HTTPTransport, _ save: @Sendable () -> Void
    ) async {
        while true {
            let (bell, receiver) = state.withLock { ($0.bell, $0.receivers[provider.name]) }
            if Task.isCancelled { return }
            var next: Int64?
            if let receiver {
                let count = await provider.deliver(
                    over: transport, to: receiver.origin, receiver.target, at: clock.now)
                if count > 0 { save() }
                next = [provider.nextDelivery, provider.nextDue].compactMap { $0 }.min()
            }
            await wait(for: bell, until: next)
        }
    }

    /// Rings one bell that no other task has rung yet.
    private func wake(_ bell: Promise<Void>) {
        state.withLock { if $0.bell === bell { $0.bell = Promise() } }
        bell.fulfill(())
    }

    private func wait(for bell: Promise<Void>, until instant: Int64?) async {
        await withTaskGroup(of: Void.self) { [clock] group in
            if let instant {
                group.addTask {
                    do { try await clock.sleep(until: instant) } catch { return }
                    self.wake(bell)
                }
            }
            await bell.value()
            group.cancelAll()
        }
    }
}

/// When a simulated provider sends a message again that no receiver has taken.
public struct DeliverySchedule: Sendable {
    /// How long it waits after so many tries, in milliseconds; nil when it was the last one.
    public let milliseconds: @Sendable (Int) -> Int64?
    /// The status codes of a receiver that has taken the message.
    public let accepted: ClosedRange<Int>

    /// Makes a schedule.
    public init(accepted: ClosedRange<Int> = 200...299, _ milliseconds: @escaping @Sendable (Int) -> Int64?) {
        (self.accepted, self.milliseconds) = (accepted, milliseconds)
    }

    /// Nine tries: at once, then after 10 s, 30 s, 1 min, 5 min, 15 min, 1 h, 4 h and 12 h.
    public static let usual = DeliverySchedule { tries in
        let waits: [Int64] = [10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000, 14_400_000, 43_200_000]
        return (1...waits.count).contains(tries) ? waits[tries - 1] : nil
    }
}

/// Where the messages of a simulated provider are posted: a server of the application's, or a test's.
public struct WebhookReceiver: Hashable, Sendable {
    /// The longest address, in characters.
    public static let charactersMax = 2_048

    /// Scheme, host and port.
    public let origin: Origin
    /// Path and query, beginning with a slash.
    public let target: String

    /// Reads `http://host:port/path`; nil when it is anything else.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.charactersMax, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains("#"), let scheme = text.firstRange(of: "://")
        else { return nil }
        let rest = text[scheme.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard let origin = Origin(String(text[..<end])) else { return nil }
        let target = String(rest[end...])
        (self.origin, self.target) = (origin, target.hasPrefix("/") ? target : "/" + target)
    }
}

extension WebhookReceiver: CustomStringConvertible {
    public var description: String { "\(origin)\(target)" }
}

/// A simulated provider that reports what became of something by messages of its own, such as webhooks.
///
/// ```swift
/// extension Acme: WebhookSendingProvider {
///     func withOutbox<Value>(_ body: (inout Outbox) -> Value) -> Value { state.withLock { body(&$0.outbox) } }
///     func decide(_ attempt: String, succeeds: Bool) -> OutgoingWebhook? {
///         state.withLock { … $0.outbox.hand(over: OutgoingWebhook(body: …, at: clock.now, attempt: attempt)) }
///     }
///     func failLater(_ attempt: String) -> OutgoingWebhook? { nil }
/// }
/// ```
public protocol WebhookSendingProvider: SimulatedProvider {
    /// What it has to say, with everything that time alone has brought about by now.
    func withOutbox<Value>(_ body: (inout WebhookOutbox) -> Value) -> Value
    /// When time alone brings something about that may be reported; nil for never.
    var nextDue: Int64? { get }
    /// When a message is sent again that no receiver has taken.
    var schedule: DeliverySchedule { get }
    /// Decides what is pending under an attempt; the message that reports it, or nil where nothing is pending.
    func decide(_ attempt: String, succeeds: Bool) -> OutgoingWebhook?
    /// Lets fail what was done under an attempt; the message that reports it, or nil where nothing can fail.
    func failLater(_ attempt: String) -> OutgoingWebhook?
}

extension WebhookSendingProvider {
    /// Nothing happens by time alone.
    public var nextDue: Int64? { nil }

    /// Nine tries within a day.
    public var schedule: DeliverySchedule { .usual }

    /// The messages that wait, oldest first; each is given once, and not delivered any more.
    public func takeMessages() -> [OutgoingWebhook] { withOutbox { $0.take() } }

    /// When the next message is to be delivered; nil where none waits.
    public var nextDelivery: Int64? { withOutbox { $0.next()?.dueAt } }

    /// Sends the messages that are due to a receiver, in order; one that isn't taken holds back those behind it.
    ///
    /// - Returns: How many were sent, taken or not.
    @discardableResult
    public func deliver(
        over transport: any HTTPTransport, to origin: Origin, _ target: String, at now: Int64
    ) async -> Int {
        var count = 0
        while let entry = withOutbox({ $0.next() }), entry.dueAt <= now {
            var headers: HTTPHeaders = ["Content-Type": "application/json"]
            for (name, value) in entry.message.headers { headers[name] = value }
            var request = HTTPRequest(
                "POST", origin, target, headers: headers, body: entry.message.body)
            request.idleTimeoutMilliseconds = deliveryStallMilliseconds
            let status = try? await transport.send(request).status
            // What was given up on the way may have arrived or not: it stays as it was, and is sent again.
            if Task.isCancelled { return count }
            let isTaken = status.map { schedule.accepted.contains($0) } ?? false
            withOutbox {
                $0.heard(entry, isTaken: isTaken, wait: schedule.milliseconds(entry.tryCount + 1), at: now)
            }
            count += 1
        }
        return count
    }
}

/// How long a receiver may say nothing, in milliseconds.
private let deliveryStallMilliseconds: Int64 = 10_000
