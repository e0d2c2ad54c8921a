public import PaymentTransport

/// A simulated provider that tells what became of something by messages of its own, such as webhooks.
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
    /// When time alone brings something about that may be told; nil for never.
    var nextDue: Int64? { get }
    /// When a message is sent again that nobody has taken.
    var schedule: DeliverySchedule { get }
    /// Decides what is pending under an attempt; the message that tells of it, or nil where nothing is pending.
    func decide(_ attempt: String, succeeds: Bool) -> OutgoingWebhook?
    /// Lets fail what was done under an attempt; the message that tells of it, or nil where nothing can fail.
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
