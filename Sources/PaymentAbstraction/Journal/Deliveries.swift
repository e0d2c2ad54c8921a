internal import PaymentModel

// Messages about events that receivers outside get. They are rows beside the feed, written with the position up to which the feed
// was read, so that a process that dies loses none.

/// A message on its way to one receiver.
package struct OutgoingMessage: Hashable, Sendable {
    /// The receiver's name.
    package let endpoint: String
    /// What names the message in all of its tries.
    package let event: String
    /// What is sent.
    package let body: String
    /// When it was written, in milliseconds since 1970.
    package let madeAt: Int64
    /// How often it was tried.
    package var tries: Int
    /// When it is tried next; nil if it failed for good.
    package var due: Int64?
    /// Until when a process has it.
    package var takenUntil: Int64
    /// Why the last try failed, for people; empty before that.
    package var failure: String

    /// Makes a message.
    package init(
        _ endpoint: String, _ event: String, _ body: String, at madeAt: Int64, tries: Int = 0, due: Int64?,
        takenUntil: Int64 = 0, failure: String = ""
    ) {
        (self.endpoint, self.event, self.body, self.madeAt) = (endpoint, event, body, madeAt)
        (self.tries, self.due, self.takenUntil, self.failure) = (tries, due, takenUntil, failure)
    }
}

extension OutgoingMessage {
    /// When it failed for good; nil while it is tried. A store keeps it below zero in the place of `takenUntil`: no process has such
    /// a message.
    package var failedAt: Int64? {
        get { due == nil && takenUntil < 0 ? -max(takenUntil, -Int64.max) : nil }
        set { takenUntil = newValue.map { -max(1, $0) } ?? 0 }
    }
}

/// What is known of a receiver.
package struct DeliveryEndpoint: Hashable, Sendable {
    /// Its name.
    package let name: String
    /// Up to where the feed was read for it.
    package var position: FeedPosition
    /// How many tries failed in a row.
    package var failures = 0
    /// Before when none is tried, after many failures in a row; a moment that has passed says when a process last had the receiver
    /// in its configuration.
    package var probeAt: Int64 = 0
    /// When it was switched off; nil while it is on.
    package var offAt: Int64?
    /// Since when it is not configured any more; nil while it is.
    package var removedAt: Int64?

    /// Makes a receiver that gets what comes behind a position.
    package init(_ name: String, from position: FeedPosition) { (self.name, self.position) = (name, position) }
}

extension DeliveryEndpoint {
    /// How a store keeps both in one number: before when none is tried, or below zero since when it is removed, and then nothing
    /// is tried at all.
    package var pause: Int64 {
        get { removedAt.map { -max(1, $0) } ?? probeAt }
        set {
            probeAt = max(0, newValue)
            removedAt = newValue < 0 ? -max(newValue, -Int64.max) : nil
        }
    }
}

/// The rows of one transaction. All of what is kept in it is written, or nothing.
package protocol DeliveryRows {
    /// What is known of a receiver.
    mutating func endpoint(_ name: String) throws -> DeliveryEndpoint?
    /// All receivers that are known.
    mutating func endpoints() throws -> [DeliveryEndpoint]
    /// Keeps what is known of a receiver.
    mutating func keep(_ endpoint: DeliveryEndpoint) throws
    /// The messages of a receiver that are due and that no process has: those that are due for longest first.
    mutating func due(_ endpoint: String, at now: Int64, limit: Int) throws -> [OutgoingMessage]
    /// The messages of a receiver, the oldest first.
    mutating func all(_ endpoint: String, after event: String, limit: Int) throws -> [OutgoingMessage]
    /// One message.
    mutating func delivery(_ endpoint: String, _ event: String) throws -> OutgoingMessage?
    /// How many messages a receiver has, how many failed for good, and how many a process has now.
    mutating func counts(_ endpoint: String, at now: Int64) throws -> DeliveryCounts
    /// The same of what did not fail for good, by which the rest is not read.
    mutating func waiting(_ endpoint: String, at now: Int64) throws -> DeliveryCounts
    /// Keeps a message.
    mutating func keep(_ delivery: OutgoingMessage) throws
    /// Removes a message.
    mutating func remove(_ endpoint: String, _ event: String) throws
    /// Removes messages that failed for good before a moment.
    mutating func removeFailed(_ endpoint: String, before moment: Int64) throws
    /// Removes all messages of a receiver.
    mutating func removeAll(_ endpoint: String) throws
}

/// How many messages a receiver has.
package struct DeliveryCounts: Hashable, Sendable {
    /// All of them.
    package let all: Int
    /// Those that failed for good.
    package let failed: Int
    /// Those that a process has now.
    package let taken: Int

    package init(all: Int, failed: Int, taken: Int) { (self.all, self.failed, self.taken) = (all, failed, taken) }
}

/// What came of one try.
package enum DeliveryOutcome: Hashable, Sendable {
    /// The receiver took it.
    case taken
    /// It is tried again, or failed for good if that was the last try.
    case failed(String)
    /// The receiver says that it wants no more.
    case gone
}

/// What happens to messages; every function runs in one transaction of the journal.
package enum DeliveryRules {
    /// How many messages of a receiver are under way at once, over all processes.
    package static let atOnceMax = 8
    /// For how long a process has a message, in milliseconds: longer than a try.
    package static let takenMilliseconds: Int64 = 60_000
    /// From when on a message is taken by a clock that ran ahead, and free, in milliseconds from now.
    package static let takenMax: Int64 = 120_000
    /// After how many failures in a row one message a minute is tried.
    package static let failuresMax = 10
    /// How far two such tries are apart, in milliseconds.
    package static let probeMilliseconds: Int64 = 60_000
    /// From when on a next try was set by a clock that ran ahead, and is made at once, in milliseconds from now: more than the
    /// longest pause with what is added to it.
    package static let dueMax: Int64 = 108_000_000
    /// For how long a message is kept that failed for good, and what waits for a receiver that was removed, in milliseconds.
    package static let keptMilliseconds: Int64 = 30 * 86_400_000
    /// For how long a receiver counts as configured after a process that has it said so, in milliseconds: some of its looks.
    package static let signMilliseconds: Int64 = 300_000
    /// How many messages may wait for a receiver; the feed is read on when there are less.
    package static let messagesMax = 100_000
    /// How long after a failed try the next one comes, in milliseconds.
    package static let pauses: [Int64] = [
        5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
    ]

    /// Writes the messages of a piece of the feed together with the place behind it. Returns false, and writes nothing, if another
    /// process read that piece, if the receiver is switched off, or if too many messages wait for it.
    package static func write(
        _ messages: [OutgoingMessage], to name: String, from: FeedPosition, upTo next: FeedPosition, at now: Int64,
        _ rows: inout any DeliveryRows
    ) throws -> Bool {
        guard var endpoint = try rows.endpoint(name), endpoint.offAt == nil, endpoint.position == from else {
            return false
        }
        // Counting looks at every message of the receiver: only where one is added.
        if !messages.isEmpty {
            // What failed for good waits for a person, and holds up nothing.
            if try rows.waiting(name, at: now).all >= messagesMax { return false }
        }
        for message in messages where try rows.delivery(name, message.event) == nil { try rows.keep(message) }
        endpoint.position = next
        try rows.keep(endpoint)
        return true
    }

    /// Takes the messages that are sent now, so that no other process sends them.
    package static func take(
        _ name: String, upTo limit: Int = atOnceMax, at now: Int64, _ rows: inout any DeliveryRows
    ) throws -> [OutgoingMessage] {
        guard var endpoint = try rows.endpoint(name), endpoint.offAt == nil else { return [] }
        let isProbed = endpoint.failures >= failuresMax
        // A moment further away was set by a clock that ran ahead.
        if isProbed, now < endpoint.probeAt, endpoint.probeAt <= now.addingSaturating(2 * probeMilliseconds) {
            return []
        }
        let most = isProbed ? 1 : atOnceMax
        var taken = try rows.due(name, at: now, limit: min(most, limit))
        // Counting looks at every message that waits: not in each of the looks that find nothing due.
        guard !taken.isEmpty else { return [] }
        taken = Array(taken.prefix(max(0, most - (try rows.waiting(name, at: now)).taken)))
        guard !taken.isEmpty else { return [] }
        for place in taken.indices {
            taken[place].tries += 1
            taken[place].takenUntil = now.addingSaturating(takenMilliseconds)
            try rows.keep(taken[place])
        }
        if isProbed {
            endpoint.probeAt = now.addingSaturating(probeMilliseconds)
            try rows.keep(endpoint)
        }
        return taken
    }

    /// Records what came of a try; `jitter` is added to the pause before the next one. Returns the message if it failed for good.
    package static func settle(
        _ sent: OutgoingMessage, _ outcome: DeliveryOutcome, at now: Int64, jitter: (Int64) -> Int64,
        _ rows: inout any DeliveryRows
    ) throws -> OutgoingMessage? {
        guard var endpoint = try rows.endpoint(sent.endpoint) else { return nil }
        // Another process may have taken it since: what it does counts. Whichever process sent it, the receiver has it.
        let held = try rows.delivery(sent.endpoint, sent.event)
        let isOurs = held?.tries == sent.tries && held?.takenUntil == sent.takenUntil
        switch outcome {
        case .taken:
            if held != nil { try rows.remove(sent.endpoint, sent.event) }
            guard endpoint.failures > 0 else { return nil }
            (endpoint.failures, endpoint.probeAt) = (0, min(endpoint.probeAt, now))
            try rows.keep(endpoint)
            return nil
        case .gone:
            if endpoint.offAt == nil { endpoint.offAt = now }
            try rows.keep(endpoint)
            if isOurs, var held {
                (held.tries, held.takenUntil) = (held.tries - 1, 0)
                held.failure = "The receiver answered 410: it wants no more."
                try rows.keep(held)
            }
            return nil
        case .failed(let why):
            endpoint.failures = min(endpoint.failures + 1, failuresMax)
            if endpoint.failures == failuresMax { endpoint.probeAt = now.addingSaturating(probeMilliseconds) }
            try rows.keep(endpoint)
            guard isOurs, var held else { return nil }
            (held.takenUntil, held.failure) = (0, why)
            guard held.tries >= 1, held.tries <= pauses.count else {
                (held.due, held.failedAt) = (nil, now)
                try rows.keep(held)
                return held
            }
            let pause = pauses[held.tries - 1]
            held.due = now.addingSaturating(pause).addingSaturating(jitter(pause))
            try rows.keep(held)
            return nil
        }
    }

    /// Notes which receivers are configured here: every other one is removed from now on, unless another process has said lately
    /// that it has it. What waits for a removed one is kept for a while, so that it gets it if it comes back, and is then deleted.
    /// So is what failed for good.
    ///
    /// - Parameter left: Those that this process had until now: that one was said to be there lately was its own word. If another
    ///   process has one as well, that takes it back.
    package static func keepOnly(
        _ names: Set<String>, leaving left: Set<String> = [], at now: Int64, _ rows: inout any DeliveryRows
    ) throws {
        for var endpoint in try rows.endpoints() {
            try rows.removeFailed(endpoint.name, before: now.addingSaturating(-keptMilliseconds))
            if names.contains(endpoint.name) {
                // The pause of one that fails stays, and is a sign itself; a removed one is taken back by what sends to it.
                if endpoint.removedAt == nil, endpoint.probeAt <= now || !hasSign(endpoint, at: now) {
                    endpoint.probeAt = now
                    try rows.keep(endpoint)
                }
                continue
            }
            if !left.contains(endpoint.name), hasSign(endpoint, at: now) { continue }
            // A moment that is still to come was noted by a clock that ran ahead.
            guard let removedAt = endpoint.removedAt, removedAt <= now else {
                (endpoint.removedAt, endpoint.probeAt) = (max(1, now), 0)
                try rows.keep(endpoint)
                continue
            }
            if isOver(removedAt, at: now) { try rows.removeAll(endpoint.name) }
        }
    }

    /// A receiver that is configured, as it is known; nil if it is new. If it was removed, it continues where it was, and after too
    /// long a time without what waited for it.
    package static func configured(
        _ name: String, at now: Int64, _ rows: inout any DeliveryRows
    ) throws -> DeliveryEndpoint? {
        guard var endpoint = try rows.endpoint(name) else { return nil }
        guard let removedAt = endpoint.removedAt else { return endpoint }
        if isOver(removedAt, at: now) { try rows.removeAll(name) }
        (endpoint.removedAt, endpoint.probeAt) = (nil, now)
        try rows.keep(endpoint)
        return endpoint
    }

    /// Whether a process said lately that it has a receiver in its configuration, or tries it again soon. A moment further away was
    /// set by a clock that ran ahead.
    private static func hasSign(_ endpoint: DeliveryEndpoint, at now: Int64) -> Bool {
        endpoint.removedAt == nil && endpoint.probeAt > max(0, now.addingSaturating(-signMilliseconds))
            && endpoint.probeAt <= now.addingSaturating(2 * probeMilliseconds)
    }

    /// Whether a receiver is removed for so long that nothing is kept for it.
    private static func isOver(_ removedAt: Int64, at now: Int64) -> Bool {
        removedAt < now.addingSaturating(-keptMilliseconds)
    }

    /// Has what failed for good tried again, from the first try on, and switches the receiver on. Returns how many messages.
    package static func resend(
        _ name: String, _ event: String?, at now: Int64, _ rows: inout any DeliveryRows
    ) throws -> Int? {
        guard var endpoint = try rows.endpoint(name) else { return nil }
        (endpoint.failures, endpoint.probeAt, endpoint.offAt) = (0, min(endpoint.probeAt, now), nil)
        try rows.keep(endpoint)
        var (count, last) = (0, "")
        while true {
            let page = try rows.all(name, after: last, limit: 200)
            for var one in page where event.map({ one.event == $0 }) ?? (one.due == nil) {
                if one.takenUntil > now { continue }
                (one.tries, one.due, one.takenUntil) = (0, now, 0)
                try rows.keep(one)
                count += 1
            }
            guard let end = page.last?.event, page.count == 200 else { return count }
            last = end
        }
    }
}

/// The rows of a journal in memory.
package struct InMemoryDeliveries: DeliveryRows, Sendable {
    private var known: [String: DeliveryEndpoint] = [:]
    private var rows: [String: [String: OutgoingMessage]] = [:]

    package init() {}

    package func endpoint(_ name: String) -> DeliveryEndpoint? { known[name] }

    package func endpoints() -> [DeliveryEndpoint] { known.values.sorted { $0.name < $1.name } }

    package mutating func keep(_ endpoint: DeliveryEndpoint) { known[endpoint.name] = endpoint }

    package func due(_ endpoint: String, at now: Int64, limit: Int) -> [OutgoingMessage] {
        let due = (rows[endpoint] ?? [:]).values.filter { one in
            (one.takenUntil <= now || one.takenUntil > now.addingSaturating(DeliveryRules.takenMax))
                && one.due.map { $0 <= now || $0 > now.addingSaturating(DeliveryRules.dueMax) } ?? false
        }
        return Array(due.sorted { ($0.due ?? 0, $0.event) < ($1.due ?? 0, $1.event) }.prefix(limit))
    }

    package func all(_ endpoint: String, after event: String, limit: Int) -> [OutgoingMessage] {
        let all = (rows[endpoint] ?? [:]).values.filter { $0.event > event }
        return Array(all.sorted { $0.event < $1.event }.prefix(limit))
    }

    package func delivery(_ endpoint: String, _ event: String) -> OutgoingMessage? { rows[endpoint]?[event] }

    package func counts(_ endpoint: String, at now: Int64) -> DeliveryCounts {
        let all = (rows[endpoint] ?? [:]).values
        return DeliveryCounts(
            all: all.count, failed: all.count { $0.due == nil },
            taken: all.count { $0.takenUntil > now && $0.takenUntil <= now.addingSaturating(DeliveryRules.takenMax) })
    }

    package func waiting(_ endpoint: String, at now: Int64) -> DeliveryCounts {
        let all = counts(endpoint, at: now)
        return DeliveryCounts(all: all.all - all.failed, failed: 0, taken: all.taken)
    }

    package mutating func keep(_ delivery: OutgoingMessage) {
        rows[delivery.endpoint, default: [:]][delivery.event] = delivery
    }

    package mutating func remove(_ endpoint: String, _ event: String) { rows[endpoint]?[event] = nil }

    package mutating func removeFailed(_ endpoint: String, before moment: Int64) {
        rows[endpoint] = rows[endpoint]?.filter { row in
            row.value.due != nil || (row.value.failedAt ?? row.value.madeAt) >= moment
        }
    }

    package mutating func removeAll(_ endpoint: String) { rows[endpoint] = nil }
}
