package import PaymentBase

/// Something that a simulated provider keeps under a name.
protocol Recorded: KeptRecord {
    /// The name that it is kept under.
    var recordName: String { get }
    /// Further names under which it is found; what was one once stays one.
    var otherNames: [String] { get }
    /// When something happens to it on its own; nil for never.
    var dueAt: Int64? { get }
}

extension Recorded {
    var otherNames: [String] { [] }
    var dueAt: Int64? { nil }
}

/// Everything of one kind that a simulated provider keeps: by name, by further names, in order of time, and by when it
/// becomes due. No request has to walk all of it.
struct Records<Value: Recorded>: PersistedState {
    private var items: [String: Value] = [:]
    /// All names, the oldest first; one that was taken out keeps its place.
    private var order: [String] = []
    private var places: [String: Int] = [:]
    private var filed: [String: [String]] = [:]
    private var dues = TimerQueue<String>()

    init() {}

    init?(kept json: JSON) {
        guard let values = [Value](kept: json) else { return nil }
        for value in values { keep(value) }
    }

    var kept: JSON { order.compactMap { items[$0] }.kept }

    /// How many there are.
    var count: Int { items.count }

    /// One by its name; nil takes it out, and its place in ``page(_:_:named:oldestFirst:)`` stays empty.
    subscript(name: String) -> Value? {
        get {
            StoreVisits.count()
            return items[name]
        }
        set {
            StoreVisits.count()
            guard let value = newValue else {
                for other in items.removeValue(forKey: name)?.otherNames ?? [] {
                    filed[other]?.removeAll { $0 == name }
                }
                return
            }
            let place = places[name] ?? order.count
            if place == order.count {
                places[name] = place
                order.append(name)
            }
            let old = items.updateValue(value, forKey: name)
            let known = old?.otherNames ?? []
            for other in value.otherNames where !known.contains(other) { filed[other, default: []].append(name) }
            // Of what becomes due at one moment the oldest comes first, before a restart and after it.
            if let due = value.dueAt, due != old?.dueAt { dues.add(name, at: due, rank: place) }
        }
    }

    /// Keeps one under its own name, instead of what was there.
    mutating func keep(_ value: Value) { self[value.recordName] = value }

    /// Those found under a further name, the oldest first.
    func named(_ other: String) -> [Value] { (filed[other] ?? []).compactMap { self[$0] } }

    /// How many are found under a further name; without one, all.
    func count(named other: String?) -> Int { other.map { filed[$0]?.count ?? 0 } ?? count }

    /// A page of all, or of those under a further name; the newest first unless it is said otherwise.
    func page(_ start: Int, _ limit: Int, named other: String? = nil, oldestFirst: Bool = false) -> [Value] {
        let names = other.map { filed[$0] ?? [] } ?? order
        let low = min(max(0, start), names.count)
        let high = min(low + max(0, limit), names.count)
        let places = oldestFirst ? low..<high : names.count - high..<names.count - low
        let page = names[places].compactMap { self[$0] }
        return oldestFirst ? page : page.reversed()
    }

    /// All, the newest first; each is looked at when it is asked for.
    var newestFirst: some Sequence<Value> { order.reversed().lazy.compactMap { self[$0] } }

    /// All, the oldest first; each is looked at when it is asked for.
    var oldestFirst: some Sequence<Value> { order.lazy.compactMap { self[$0] } }

    // MARK: Due

    /// When the next one becomes due.
    mutating func nextDue() -> Int64? {
        while let (at, name) = dues.next {
            if self[name]?.dueAt == at { return at }
            dues.popFirst()
        }
        return nil
    }

    /// Takes the next one that is due by a moment; nothing happens to it twice.
    mutating func takeDue(by now: Int64) -> (value: Value, at: Int64)? {
        guard let at = nextDue(), at <= now, let name = dues.popFirst()?.item, let value = self[name] else {
            return nil
        }
        return (value, at)
    }
}

/// Something that ends at a moment: a token, a session.
protocol Lapsing: PersistedState {
    /// When it ends, in milliseconds since 1970.
    var expires: Int64 { get }
}

extension Int64: Lapsing {
    var expires: Int64 { self }
}

/// Tokens and sessions by name; those that have ended are forgotten a few at a time, so that no request walks all of them.
struct ExpiringTokens<Value: Lapsing>: PersistedState {
    /// How many are looked at by one ``prune(_:)``: more than a request adds, so that what has ended doesn't pile up.
    static var looksMax: Int { 4 }

    private var items: [String: Value] = [:]
    /// Every name once, in no order; one that was taken out goes when it is looked at.
    private var queue: [String] = []
    /// Where ``prune(_:)`` continues.
    private var place = 0

    init() {}

    init?(kept json: JSON) {
        guard let values = [String: Value](kept: json) else { return nil }
        (items, queue) = (values, values.keys.sorted())
    }

    var kept: JSON { items.kept }

    /// How many there are, with those that have ended and are not forgotten yet.
    var count: Int { items.count }

    /// All names.
    var names: [String] { items.keys.sorted() }

    /// What is under a name, whether it has ended or not.
    subscript(name: String) -> Value? {
        get {
            StoreVisits.count()
            return items[name]
        }
        set {
            StoreVisits.count()
            if items[name] == nil, newValue != nil { queue.append(name) }
            items[name] = newValue
        }
    }

    /// What is under a name, if it continues beyond a moment.
    func current(_ name: String, at now: Int64) -> Value? { self[name].flatMap { $0.expires > now ? $0 : nil } }

    /// Forgets what has ended by a moment, among the next few.
    mutating func prune(_ now: Int64) {
        for _ in 0..<min(Self.looksMax, queue.count) {
            if place >= queue.count { place = 0 }
            let name = queue[place]
            if current(name, at: now) == nil {
                items[name] = nil
                queue.swapAt(place, queue.count - 1)
                queue.removeLast()
            } else {
                place += 1
            }
        }
    }

    /// Takes out what fits.
    mutating func removeAll(where fits: (Value) -> Bool) { items = items.filter { !fits($0.value) } }
}

/// What becomes due, by time: the earliest is found without looking at the others.
struct TimerQueue<Item: Sendable>: Sendable {
    private struct Due: Sendable {
        let at: Int64
        /// What comes first among those of one moment.
        let rank: Int
        let item: Item

        func isBefore(_ other: Due) -> Bool { (at, rank) < (other.at, other.rank) }
    }

    /// A heap: each is before the two at twice its place and one, and one more.
    private var heap: [Due] = []

    /// The earliest.
    var next: (at: Int64, item: Item)? { heap.first.map { ($0.at, $0.item) } }

    /// Adds something that becomes due at a moment; what has the lower rank comes first among those of one moment.
    mutating func add(_ item: Item, at instant: Int64, rank: Int) {
        heap.append(Due(at: instant, rank: rank, item: item))
        var place = heap.count - 1
        while place > 0, heap[place].isBefore(heap[(place - 1) / 2]) {
            StoreVisits.count()
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Takes the earliest out.
    @discardableResult
    mutating func popFirst() -> (at: Int64, item: Item)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        StoreVisits.count()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return (first.at, first.item)
    }

    private mutating func sink() {
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            if least == place { return }
            StoreVisits.count()
            heap.swapAt(place, least)
            place = least
        }
    }
}

/// Counts the items that simulated providers look at in what they keep, so that a test can hold requests to a number.
package enum StoreVisits {
    /// Where the running task counts; nil outside of such a test.
    @TaskLocal package static var counter: Locked<Int>?

    /// One item was looked at.
    static func count(_ number: Int = 1) { counter?.withLock { $0 += number } }
}
