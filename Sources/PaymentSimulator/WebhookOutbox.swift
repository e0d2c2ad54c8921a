public import PaymentBase

/// What a simulated provider has to say on its own: every message, in order, with what became of it.
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
            /// The program that opened the provider has taken it.
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

extension WebhookOutbox {
    /// Every message with its delivery, as the control address shows them and as a state file keeps them.
    public var json: JSON { .array(entries.map(\.json)) }

    /// Makes an outbox of what ``json`` gave; nil when it is anything else.
    public init?(_ json: JSON) {
        guard let items = json.array else { return nil }
        let entries = items.compactMap { Entry($0) }
        let first = entries.first?.number ?? 1
        guard entries.count == items.count, entries.enumerated().allSatisfy({ $1.number - first == $0 }) else {
            return nil
        }
        self.init(entries)
    }
}

extension WebhookOutbox: PersistedState {
    var kept: JSON { json }
    init?(kept json: JSON) { self.init(json) }
}

extension WebhookOutbox.Entry {
    /// A body that is no text is under another name, in Base64.
    fileprivate var json: JSON {
        let text = String(validating: message.body, as: UTF8.self)
        let body: (name: String, text: String) =
            text.map { ("body", $0) } ?? ("base64", Base64.standard.encode(message.body))
        return [
            "number": .whole(number), "attempt": .string(message.attempt), "at": .whole(message.at),
            "headers": message.headers.kept,
            "state": .string(state.rawValue), "tries": .whole(tryCount), "dueAt": .whole(dueAt),
            body.name: .string(body.text),
        ]
    }

    fileprivate init?(_ json: JSON) {
        let coded = json["base64"]?.string.flatMap { Base64.standard.decode($0) }
        guard let body = coded ?? json["body"]?.string.map({ Array($0.utf8) }), let number = json["number"]?.int64,
            number > 0,
            let headers = json["headers"].flatMap({ [String: String](kept: $0) }), let at = json["at"]?.int64,
            let attempt = json["attempt"]?.string, let tries = json["tries"]?.int64,
            let state = json["state"]?.string.flatMap({ State(rawValue: $0) }), let dueAt = json["dueAt"]?.int64
        else { return nil }
        let message = OutgoingWebhook(headers: headers, body: body, at: at, attempt: attempt)
        self.init(number: Int(number), message: message, state: state, tryCount: Int(tries), dueAt: dueAt)
    }
}

/// A message that a simulated provider sends on its own, such as a webhook, as it goes over the wire.
public struct OutgoingWebhook: Hashable, Sendable {
    /// The header fields, with the proof where that is there.
    public let headers: [String: String]
    /// The body.
    public let body: [UInt8]
    /// When it was made, in milliseconds since 1970.
    public let at: Int64
    /// The attempt that it is about, as the ledger has it; empty where it is about none.
    public let attempt: String

    /// Makes a message.
    public init(headers: [String: String] = [:], body: [UInt8], at instant: Int64, attempt: String = "") {
        (self.headers, self.body, at, self.attempt) = (headers, body, instant, attempt)
    }
}
