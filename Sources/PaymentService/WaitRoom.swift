internal import PaymentBase
internal import PaymentCore
internal import PaymentModel

/// Tasks that wait for something that a task of the service does, or for a sign that something has changed.
final class Waiters: Sendable {
    private struct State: Sendable {
        var isOver = false
        var count = 0
        var waiting: [Int: Promise<Bool>] = [:]
    }

    private let state = Locked(State())

    /// Whether the task has ended.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Adds one; nil if the task has ended.
    func add(_ waiter: Promise<Bool>) -> Int? {
        state.withLock { state in
            if state.isOver { return nil }
            state.count += 1
            state.waiting[state.count] = waiter
            return state.count
        }
    }

    /// Waits until the task has ended.
    func ended() async {
        while !isOver {
            let sign = Promise<Bool>()
            guard add(sign) != nil else { return }
            _ = await sign.value()
        }
    }

    func remove(_ number: Int) { state.withLock { $0.waiting[number] = nil } }

    /// There is something to read.
    func wake() { take(isOver: false) }

    /// The task has ended.
    func end() { take(isOver: true) }

    private func take(isOver: Bool) {
        let waiting = state.withLock { state in
            if isOver { state.isOver = true }
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for waiter in waiting { waiter.fulfill(true) }
    }
}

/// The places of requests that wait. Each wait has a connection, so there are fewer places than connections: if all are
/// taken, the oldest wait of the shop that has the most ends early, and its request is answered with what is known. So no
/// shop, and no provider that does not answer, takes the places of others.
final class WaitRoom: Sendable {
    /// How many waits there are at most if the server has its usual number of connections.
    static let waitsMax = 1_536
    /// How many reading requests of one key wait at a time.
    static let readsPerKeyMax = 64

    /// Why a request waits.
    enum Purpose: Hashable, Sendable {
        /// It asked for money to be moved: a newer request for the same attempt takes its place.
        case money(AttemptID)
        /// It reads.
        case reads
    }

    /// One place.
    struct Place: Sendable {
        fileprivate let number: Int
        /// Is over when the wait has to end.
        let ended: Waiters
    }

    private struct Held: Sendable {
        let shop: String
        let key: String
        let purpose: Purpose
        let ended: Waiters
    }

    private struct State: Sendable {
        var count = 0
        var held: [Int: Held] = [:]
        /// The places of each shop in the order in which they were taken.
        var shops: [String: [Int]] = [:]
        var keys: [String: [Int]] = [:]
        var money: [AttemptID: Int] = [:]

        mutating func remove(_ number: Int) -> Held? {
            guard let held = held.removeValue(forKey: number) else { return nil }
            shops[held.shop]?.removeAll { $0 == number }
            if shops[held.shop]?.isEmpty == true { shops[held.shop] = nil }
            switch held.purpose {
            case .money(let id): if money[id] == number { money[id] = nil }
            case .reads:
                keys[held.key]?.removeAll { $0 == number }
                if keys[held.key]?.isEmpty == true { keys[held.key] = nil }
            }
            return held
        }
    }

    private let placesMax: Int
    private let state = Locked(State())

    init(placesMax: Int = WaitRoom.waitsMax) { self.placesMax = max(1, placesMax) }

    /// How many wait now.
    var count: Int { state.withLock { $0.held.count } }

    /// Takes a place, and ends the waits that have to make room for it.
    func enter(_ shop: String, key: String, for purpose: Purpose) -> Place {
        let ended = Waiters()
        let (number, over) = state.withLock { state in
            var over: [Held?] = []
            switch purpose {
            case .money(let id): if let older = state.money[id] { over.append(state.remove(older)) }
            case .reads:
                if let taken = state.keys[key], taken.count >= Self.readsPerKeyMax, let oldest = taken.first {
                    over.append(state.remove(oldest))
                }
            }
            if state.held.count >= placesMax, let most = state.shops.max(by: { $0.value.count < $1.value.count }),
                let oldest = most.value.first
            {
                over.append(state.remove(oldest))
            }
            state.count += 1
            let number = state.count
            state.held[number] = Held(shop: shop, key: key, purpose: purpose, ended: ended)
            state.shops[shop, default: []].append(number)
            switch purpose {
            case .money(let id): state.money[id] = number
            case .reads: state.keys[key, default: []].append(number)
            }
            return (number, over)
        }
        for held in over { held?.ended.end() }
        return Place(number: number, ended: ended)
    }

    /// Ends the waits of keys.
    func end(of keys: Set<String>) {
        let over = state.withLock { state in
            state.held.filter { keys.contains($0.value.key) }.keys.compactMap { state.remove($0) }
        }
        for held in over { held.ended.end() }
    }

    /// Ends every wait.
    func endAll() {
        let all = state.withLock { state in
            defer { (state.held, state.shops, state.keys, state.money) = ([:], [:], [:], [:]) }
            return Array(state.held.values)
        }
        for held in all { held.ended.end() }
    }

    func leave(_ place: Place) { _ = state.withLock { $0.remove(place.number) } }
}
