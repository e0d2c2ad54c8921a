internal import PaymentBase

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
    /// Where ``prune(_:)`` goes on.
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

    /// What is under a name, if it goes on beyond a moment.
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
