internal import PaymentBase
internal import PaymentCore
internal import PaymentJournalKit
internal import PaymentModel

/// Follows the recorded events of one shop for all its streams: what is new is read once, however many streams there are.
///
/// A stream asks with the place up to which it has sent. What comes before the newest events that are kept here, it reads on
/// its own, so that no stream holds up another one.
final class ShopFollower: Sendable {
    /// What follows a place.
    enum Next: Sendable {
        /// These events.
        case events([EventPage.Item])
        /// Nothing yet.
        case nothing
        /// The place comes before what is kept here.
        case older
    }

    /// How long after another process wrote something it is found at the latest, in milliseconds.
    static let lookMilliseconds: Int64 = 2_000
    /// How many events are read at a time.
    static let eventsMax = 100
    /// How many events are kept for streams that are a little behind.
    private static let keptMax = 1_024

    private struct State: Sendable {
        var streams = 0
        /// How often the reading was started, and its tasks.
        var starts = 0
        var tasks: [Task<Void, Never>] = []
        /// What is kept follows the first place and ends at the second; nil while no stream follows.
        var places: (start: EventPosition, end: EventPosition)?
        var items: [EventPage.Item] = []
    }

    /// Streams that wait for news.
    let news = Waiters()
    private let client: PaymentClient
    private let clock: any PaymentClock
    private let executor: (any TaskExecutor)?
    private let signs = Waiters()
    private let state = Locked(State())

    init(_ client: PaymentClient, clock: any PaymentClock, executor: (any TaskExecutor)?) {
        (self.client, self.clock, self.executor) = (client, clock, executor)
    }

    /// One more stream follows, which has sent everything before a place. The first one starts the reading from there.
    func join(at place: EventPosition) {
        let start: Int? = state.withLock { state in
            state.streams += 1
            guard state.streams == 1 else { return nil }
            state.starts += 1
            (state.places, state.items) = ((start: place, end: place), [])
            return state.starts
        }
        guard let start else { return }
        let live = client.events()
        let tasks = [
            Task(executorPreference: executor) { [signs] in
                for await _ in live { signs.wake() }
            },
            Task(executorPreference: executor) { await self.run() },
        ]
        let isOver = state.withLock { state in
            // All streams have left since, and perhaps others have come.
            guard state.starts == start, state.streams > 0 else { return true }
            state.tasks = tasks
            return false
        }
        if isOver { for task in tasks { task.cancel() } }
    }

    /// A stream is over; after the last one nothing is read.
    func leave() {
        let tasks = state.withLock { state in
            state.streams -= 1
            guard state.streams == 0 else { return [Task<Void, Never>]() }
            defer { (state.places, state.items, state.tasks) = (nil, [], []) }
            return state.tasks
        }
        for task in tasks { task.cancel() }
    }

    /// What follows a place, as far as it was read.
    func next(after place: EventPosition) -> Next {
        state.withLock { state in
            guard let places = state.places, place.place.feed == places.end.place.feed,
                !place.isBefore(places.start)
            else { return .older }
            // Nearly every stream is at the end.
            let known = state.items.lastIndex { !place.isBefore($0.position) }
            let rest = state.items.dropFirst(known.map { $0 + 1 } ?? 0)
            return rest.isEmpty ? .nothing : .events(Array(rest))
        }
    }

    private func run() async {
        while !Task.isCancelled {
            let sign = Promise<Bool>()
            let seat = signs.add(sign)
            defer { if let seat { signs.remove(seat) } }
            guard let end = state.withLock({ $0.places?.end }) else { return }
            if let page = try? await client.events(after: end, limit: Self.eventsMax) {
                add(page, behind: end)
                if page.events.count == Self.eventsMax { continue }
            }
            let timer = Task(executorPreference: executor) { [clock] in
                try await clock.sleep(until: clock.now + Self.lookMilliseconds)
                sign.fulfill(true)
            }
            _ = await sign.value(orWhenCancelled: false)
            timer.cancel()
        }
    }

    private func add(_ page: EventPage, behind end: EventPosition) {
        let isNews = state.withLock { state in
            // Another reading that began at the same place has added it already.
            guard var places = state.places, places.end == end else { return false }
            places.end = page.next ?? end
            state.items += page.events
            let surplus = state.items.count - Self.keptMax
            if surplus > 0 {
                places.start = state.items[surplus - 1].position
                state.items.removeFirst(surplus)
            }
            state.places = places
            return !page.events.isEmpty
        }
        if isNews { news.wake() }
    }
}

extension EventPosition {
    /// Whether it comes before another place of the same journal.
    fileprivate func isBefore(_ other: EventPosition) -> Bool {
        (place.row, place.index) < (other.place.row, other.place.index)
    }
}
