internal import PaymentBase
internal import PaymentCore
internal import PaymentModel

/// One request's wait for an attempt.
struct AttemptWait: Sendable {
    /// How long a task of the service is waited for before the journal is watched beside it, in milliseconds: most attempts
    /// end before.
    private static let unwatchedMilliseconds: Int64 = 1_000
    /// How long a request waits at most while the service stops, in milliseconds.
    private static let stoppingMilliseconds: Int64 = 2_000
    /// How long a task of the service has to end after the journal has its outcome, in milliseconds: it knows the reason.
    private static let graceMilliseconds: Int64 = 250

    private let core: ServiceCore
    private let client: PaymentClient
    private let id: AttemptID
    /// The task of the service that works on it.
    private let work: Waiters?
    /// The question that the caller may know.
    private let known: String?
    private let place: WaitRoom.Place
    /// When the wait is over, as an uptime: a clock that is set makes no wait longer.
    private let end: Int64

    /// Waits until it is known what became of an attempt, it asks something, its state changes, or a task of the service that
    /// works on it has ended; at most for so long. A message that any client or process takes in ends it as well.
    static func wait(
        for id: AttemptID, _ work: Waiters?, _ purpose: WaitRoom.Purpose, in call: ServiceCall
    ) async {
        guard call.waitMilliseconds > 0, work?.isOver != true else { return }
        let core = call.service
        let place = core.room.enter(call.shop.name, key: call.key?.digest ?? "", for: purpose)
        defer { core.room.leave(place) }
        // What a client that reads has been shown ends no further wait; one that repeats a request about money may have missed it.
        let known = purpose == .reads ? core.options.desk?.question(of: id, shownTo: call.key?.digest ?? "") : nil
        let limit = core.carrier.isStopping ? min(call.waitMilliseconds, stoppingMilliseconds) : call.waitMilliseconds
        await AttemptWait(
            core: core, client: call.client, id: id, work: work, known: known, place: place,
            end: core.clock.uptime.addingSaturating(limit)
        ).run()
    }

    private func run() async {
        if work != nil {
            let first = soon(Self.unwatchedMilliseconds)
            guard await change(after: nil, until: first) || first < end else { return }
        }
        var before: Attempt.State?
        while !place.ended.isOver, core.clock.uptime < end, work?.isOver != true, !asks {
            let held = try? await client.entry(of: id)
            if let attempt = held?.attempt {
                guard attempt.outcome == .unknown || attempt.mayReturnPart else { break }
                if work == nil, let before, before != attempt.state { return }
                before = attempt.state
            } else if work == nil {
                return
            }
            guard await change(after: held, until: end) else { return }
        }
        // What the journal knows is known; the task that brought it is about to end.
        if work != nil, !asks { _ = await change(after: nil, until: soon(Self.graceMilliseconds)) }
    }

    private func soon(_ milliseconds: Int64) -> Int64 { min(end, core.clock.uptime.addingSaturating(milliseconds)) }

    /// Whether it asks something that the caller does not know.
    private var asks: Bool {
        guard let question = core.options.desk?.question(of: id) else { return false }
        return question.id != known
    }

    /// Waits for the next sign of a change until an uptime; false if none came.
    private func change(after held: (attempt: Attempt, entry: Int)?, until moment: Int64) async -> Bool {
        let sign = Promise<Bool>()
        guard let seat = place.ended.add(sign) else { return false }
        defer { place.ended.remove(seat) }
        var number: Int?
        if let work {
            number = work.add(sign)
            if number == nil { return true }
        }
        // A question that was asked before this waiter was known did not wake it.
        if asks { sign.fulfill(true) }
        let timer = Task(executorPreference: core.options.executor) { [clock = core.clock] in
            try await clock.sleep(until: clock.now.addingSaturating(moment.subtractingSaturating(clock.uptime)))
            sign.fulfill(false)
        }
        var watch: Task<Void, Never>?
        if let (attempt, entry) = held {
            // An absorbed id has no payment of its own.
            watch = Task(executorPreference: core.options.executor) { [client] in
                if await client.changed(attempt.intent.attempt, after: entry) { sign.fulfill(true) }
            }
        }
        defer {
            timer.cancel()
            watch?.cancel()
            if let number { work?.remove(number) }
        }
        return await sign.value(orWhenCancelled: false)
    }
}
