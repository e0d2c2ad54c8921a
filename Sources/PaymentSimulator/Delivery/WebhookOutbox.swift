internal import PaymentBase

/// What a simulated provider has to say by itself: every message, in order, with what became of it.
///
/// A message is delivered at least once: one whose receiver's answer was lost is posted again. Only what is older than
/// ``messagesMax`` others, or was tried as often as the schedule says, is given up.
public struct WebhookOutbox: Sendable {
    /// How many messages are kept at least; when there are half as many more, the oldest go.
    public static let messagesMax = 10_000

    /// One message with its delivery.
    public struct Entry: Sendable {
        /// What became of a message.
        public enum State: String, Sendable, CaseIterable {
            /// It waits to be delivered or taken.
            case waiting
            /// Its receiver has taken it.
            case delivered
            /// Whoever opened the provider has taken it.
            case taken
            /// It was tried as often as the schedule says.
            case abandoned
        }

        /// Its number, counted from one.
        public internal(set) var number = 0
        /// The message.
        public internal(set) var message = OutgoingWebhook(body: [], at: 0)
        /// What became of it.
        public internal(set) var state = State.waiting
        /// How often it was sent.
        public internal(set) var tryCount = 0
        /// When it is sent next, in milliseconds since 1970.
        public internal(set) var dueAt: Int64 = 0
    }

    /// The messages that are kept, the oldest first; their numbers follow each other.
    public private(set) var entries: [Entry] = []
    /// Everything before this place is done with.
    private var firstOpen = 0

    /// Makes an empty outbox.
    public init() {}

    init(_ entries: [Entry]) { self.entries = entries }

    /// Adds a message behind the others.
    public mutating func add(_ message: OutgoingWebhook) { add(message, .waiting) }

    /// Adds a message that is handed over at once, and gives it.
    public mutating func deliver(_ message: OutgoingWebhook) -> OutgoingWebhook {
        add(message, .taken)
        return message
    }

    /// Hands over the message that was added last.
    mutating func handOverLast() -> OutgoingWebhook? {
        guard let last = entries.indices.last, entries[last].state == .waiting else { return nil }
        entries[last].state = .taken
        return entries[last].message
    }

    private mutating func add(_ message: OutgoingWebhook, _ state: Entry.State) {
        var entry = Entry()
        (entry.number, entry.message, entry.state) = ((entries.last?.number ?? 0) + 1, message, state)
        entry.dueAt = message.at
        entries.append(entry)
        // So each is moved once.
        guard entries.count > Self.messagesMax + Self.messagesMax / 2 else { return }
        let count = entries.count - Self.messagesMax
        entries.removeFirst(count)
        firstOpen = max(0, firstOpen - count)
    }

    /// Lets a message that was handed over wait to be delivered after all.
    mutating func release(_ message: OutgoingWebhook) {
        guard let place = entries.lastIndex(where: { $0.message == message && $0.state == .taken }) else { return }
        entries[place].state = .waiting
        firstOpen = min(firstOpen, place)
    }

    /// The messages that wait, the oldest first; they are done with then.
    public mutating func take() -> [OutgoingWebhook] {
        var taken: [OutgoingWebhook] = []
        while let entry = next() {
            entries[firstOpen].state = .taken
            taken.append(entry.message)
        }
        return taken
    }

    /// The message that is delivered before all others; nil where none waits.
    mutating func next() -> Entry? {
        while firstOpen < entries.count, entries[firstOpen].state != .waiting {
            StoreVisits.count()
            firstOpen += 1
        }
        return firstOpen < entries.count ? entries[firstOpen] : nil
    }

    /// Lets a message wait to be delivered once more, before all others, whatever became of it; false where it is none.
    @discardableResult
    public mutating func sendAgain(_ number: Int, at now: Int64) -> Bool {
        guard let place = place(of: number) else { return false }
        (entries[place].state, entries[place].tryCount, entries[place].dueAt) = (.waiting, 0, now)
        firstOpen = min(firstOpen, place)
        return true
    }

    private func place(of number: Int) -> Int? {
        entries.first.map { number - $0.number }.flatMap { entries.indices.contains($0) ? $0 : nil }
    }

    /// Notes how the delivery of an entry ended: taken, to be tried again after a while, or, without one, given up.
    mutating func heard(_ entry: Entry, isTaken: Bool, wait: Int64?, at now: Int64) {
        // While it was under way, everything may have been forgotten, and another may have its number.
        guard let place = place(of: entry.number), entries[place].message == entry.message,
            entries[place].state == .waiting
        else { return }
        entries[place].tryCount += 1
        if isTaken {
            entries[place].state = .delivered
        } else if let wait {
            entries[place].dueAt = now + wait
        } else {
            entries[place].state = .abandoned
        }
    }
}
