internal import PaymentBase

/// Something that ends at a moment: a token, a session.
protocol Lapsing: Kept {
    /// When it ends, in milliseconds since 1970.
    var expires: Int64 { get }
}

extension Int64: Lapsing {
    var expires: Int64 { self }
}

/// Tokens and sessions by name; those that have ended are found by their time, without looking at the others.
struct Lapses<Value: Lapsing>: Kept {
    private var items: [String: Value] = [:]
    private var ends = DueList<String>()

    init() {}

    init?(kept json: JSON) {
        guard let values = [String: Value](kept: json) else { return nil }
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { self[name] = value }
    }

    var kept: JSON { items.kept }

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
            let isNew = items[name] == nil
            items[name] = newValue
            if isNew, let newValue { ends.add(name, at: newValue.expires) }
        }
    }

    /// What is under a name, if it goes on beyond a moment.
    func current(_ name: String, at now: Int64) -> Value? { self[name].flatMap { $0.expires > now ? $0 : nil } }

    /// Forgets what has ended by a moment; what was prolonged meanwhile is looked at again at its new end.
    mutating func prune(_ now: Int64) {
        while let (at, name) = ends.next, at <= now {
            ends.popFirst()
            guard let value = self[name] else { continue }
            if value.expires <= now { items[name] = nil } else { ends.add(name, at: value.expires) }
        }
    }

    /// Takes out what fits.
    mutating func removeAll(where fits: (Value) -> Bool) { items = items.filter { !fits($0.value) } }
}
