internal import PaymentBase
internal import PaymentCore
internal import PaymentHTTPServer
internal import PaymentModel
internal import PaymentTransport

/// What all operations work with: shops, keys, the attempts that are carried, and the lookups that ran lately.
final class ServiceCore: Sendable {
    /// How long a request about money waits by default, in milliseconds.
    static let waitMilliseconds: Int64 = 25_000
    /// The longest wait that a request may ask for, in seconds.
    static let waitSecondsMax: Int64 = 50
    /// How often one attempt is looked up at its provider because callers ask, in milliseconds.
    static let lookupEveryMilliseconds: Int64 = 5_000
    /// Of how many attempts the last lookup is remembered.
    private static let lookupsMax = 4_096

    let options: ServiceOptions
    let carrier: AttemptCarrier
    private let looked = Locked([AttemptID: Int64]())
    private let streams = Locked([String: Int]())

    init(_ options: ServiceOptions) {
        self.options = options
        let carrier = AttemptCarrier(clock: options.clock, executor: options.executor)
        self.carrier = carrier
        // A till that waits gets the question at once.
        options.desk?.listen { attempt in carrier.running(attempt)?.wake() }
    }

    var clock: any PaymentClock { options.clock }

    // MARK: - What a shop has

    /// An attempt of a shop, as the journal or this process has it.
    func attempt(_ id: AttemptID, in shop: ServiceShop) async throws(Problem) -> AttemptView {
        let running = carrier.running(id)
        let record: Attempt?
        do throws(PaymentError) { record = try await shop.client.attempt(id) } catch { throw Problem(error) }
        if let record {
            guard record.intent.scope == shop.scope else { throw .notFound("attempt \(id)") }
            var view = AttemptView(record, askedFor: id)
            view.isRunning = running != nil && record.isOpen
            view.question = running.flatMap { _ in options.desk?.question(of: id) }
            return view
        }
        guard let running, running.shop == shop.name else { throw .notFound("attempt \(id)") }
        var view = AttemptView(running.work.intent)
        view.isRunning = true
        view.question = options.desk?.question(of: id)
        return view
    }

    /// A payment of a shop.
    func payment(_ id: AttemptID, in shop: ServiceShop) async throws(Problem) -> PaymentRecord {
        let record: PaymentRecord
        do throws(PaymentError) { record = try await shop.client.payment(PaymentID(id)) } catch {
            if error.code == .notFound { throw .notFound("payment \(id)") }
            throw Problem(error)
        }
        guard let first = record.origin ?? record.attempts.first, first.intent.scope == shop.scope else {
            throw .notFound("payment \(id)")
        }
        return record
    }

    // MARK: - Waiting

    /// Waits until something happens to an attempt that is open: that it ends here, or that a message or a lookup decides it.
    func waitForChange(of id: AttemptID, in shop: ServiceShop, milliseconds: Int64) async {
        if let carried = carrier.running(id) { return await carried.wait(milliseconds: milliseconds) }
        guard milliseconds > 0, !carrier.isStopping else { return }
        let changed = Promise<Bool>()
        let events = shop.client.events()
        // It may have been decided before the events were followed.
        guard let record = try? await shop.client.attempt(id), record.isOpen else { return }
        let following = Task(executorPreference: options.executor) {
            for await event in events where event.attempt == record.intent.attempt { changed.fulfill(true) }
        }
        let end = clock.now + milliseconds
        let timer = Task(executorPreference: options.executor) { [clock] in
            try await clock.sleep(until: end)
            changed.fulfill(false)
        }
        defer {
            following.cancel()
            timer.cancel()
        }
        _ = await changed.value(orWhenCancelled: false)
    }

    // MARK: - Lookups

    /// Whether an attempt may be looked up now: at most once in a while because callers ask.
    func takeLookup(_ id: AttemptID) -> Bool {
        let now = clock.now
        return looked.withLock { looked in
            if let last = looked[id], last > now - Self.lookupEveryMilliseconds, last <= now { return false }
            if looked.count >= Self.lookupsMax {
                looked = looked.filter { $0.value > now - Self.lookupEveryMilliseconds }
            }
            guard looked.count < Self.lookupsMax else { return false }
            looked[id] = now
            return true
        }
    }

    // MARK: - Streams

    /// Counts one more stream of a key; false if it has as many as it may.
    func takeStream(_ key: String) -> Bool {
        streams.withLock { streams in
            let count = streams[key] ?? 0
            guard count < EventFeed.streamsMax else { return false }
            streams[key] = count + 1
            return true
        }
    }

    /// A stream of a key is over.
    func giveStream(_ key: String) {
        streams.withLock { streams in
            let count = (streams[key] ?? 1) - 1
            streams[key] = count > 0 ? count : nil
        }
    }
}
