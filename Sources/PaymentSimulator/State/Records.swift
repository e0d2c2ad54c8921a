internal import PaymentBase

/// Something that a simulated provider keeps under a name.
protocol Recorded: KeptRecord {
    /// The name that it is kept under.
    var recordName: String { get }
    /// Further names under which it is found; what was one once stays one.
    var otherNames: [String] { get }
    /// When something happens to it by itself; nil for never.
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
