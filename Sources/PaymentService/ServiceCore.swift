internal import PaymentBase
internal import PaymentCore
internal import PaymentHTTPServer
internal import PaymentJournalKit
internal import PaymentModel
internal import PaymentTransport

/// What all operations work with: shops, keys, the attempts that are carried, and the lookups that ran lately.
final class ServiceCore: Sendable {
    /// How long a request about money waits by default, in milliseconds.
    static let defaultWaitMilliseconds: Int64 = 25_000
    /// The longest wait that a request may ask for, in seconds.
    static let waitSecondsMax: Int64 = 50
    /// How often one attempt is looked up at its provider because callers ask, in milliseconds.
    static let lookupEveryMilliseconds: Int64 = 5_000
    /// How often the journal is written to because its health is asked for, in milliseconds.
    static let probeEveryMilliseconds: Int64 = 5_000
    /// How long metrics wait for the journal's health, in milliseconds.
    static let probeMillisecondsMax: Int64 = 2_000
    /// How long a count for the metrics waits for the journal, in milliseconds: both together are less than a scrape's ten
    /// seconds.
    static let countMillisecondsMax: Int64 = 5_000
    /// For how long a count is given where the next one takes longer than that, in milliseconds.
    static let countKeptMilliseconds: Int64 = 60_000
    /// For how long a count of the messages for a person is given again, in milliseconds.
    static let marksKeptMilliseconds: Int64 = 300_000
    /// Of how many attempts the last lookup is remembered.
    private static let lookupsMax = 4_096

    let options: ServiceOptions
    let keys: KeyRing
    /// The receivers of webhooks; they can be replaced while the service runs.
    let webhooks: Locked<[WebhookEndpoint]>
    let carrier: AttemptCarrier
    /// The places of requests that wait.
    let room: WaitRoom
    /// What keys have refunded today.
    let budget = KeyBudget()
    /// What was counted for people who watch the service.
    let metrics = ServiceMetrics()
    /// Whether the journal has taken no entry yet, or refused one and took none since.
    let isJournalFailing = Locked(true)
    /// When the journal was last written to because its health was asked for.
    private let probed = Locked<Int64?>(nil)
    /// Looks at providers that callers asked for.
    let looks = TaskRegister()
    /// The shops whose events are followed.
    /// The look at the journal's health that is under way.
    private let checking = Locked<Promise<Bool?>?>(nil)
    /// The count for the metrics that is under way.
    private let counting = Locked<Promise<[ServiceMetrics.Gauge]?>?>(nil)
    /// The last count that ended, and when.
    private let lastCount = Locked<(at: Int64, gauges: [ServiceMetrics.Gauge])?>(nil)
    /// The same of the messages for a person.
    private let marking = Locked<Promise<MarkCount??>?>(nil)
    private let lastMarks = Locked<(at: Int64, count: MarkCount)?>(nil)
    private let followed = Locked(Set<String>())
    /// What reads the events of each shop for its streams.
    private let followers = Locked([String: ShopFollower]())
    private let messages = Locked([String: Int]())
    private let looked = Locked([AttemptID: Int64]())
    private let streams = Locked([String: [String: Int]]())

    init(_ options: ServiceOptions) {
        self.options = options
        webhooks = Locked(options.webhooks)
        keys = KeyRing(options.keys, crypto: options.crypto)
        let carrier = AttemptCarrier(clock: options.clock, executor: options.executor)
        self.carrier = carrier
        room = WaitRoom(placesMax: options.waitsMax)
        carrier.look.withLock { $0 = { [weak self] id, shop in self?.look(at: id, in: shop) } }
        // A till that waits gets the question at once.
        options.desk?.listen { attempt in carrier.running(attempt)?.waiters.wake() }
    }

    var clock: any PaymentClock { options.clock }

    /// Checks whether attempts can begin: the journal is read, and written to every few seconds. A journal that was closed, and one
    /// whose other processes took this one for dead, can be read as before.
    func checkJournal() async throws(PaymentError) {
        for shop in options.shops.values { _ = try await shop.client.payments(limit: 1) }
        let now = clock.uptime
        let isDue = probed.withLock { last in
            last.map { now.subtractingSaturating($0) >= Self.probeEveryMilliseconds } ?? true
        }
        guard isDue || isJournalFailing.withLock({ $0 }), let shop = options.shops.values.first else { return }
        do throws(PaymentError) { try await shop.client.probeJournal() } catch {
            isJournalFailing.withLock { $0 = true }
            throw error
        }
        isJournalFailing.withLock { $0 = false }
        probed.withLock { $0 = now }
    }

    /// Whether attempts can begin. A journal that does not answer in time, as a database without its standby, holds up no metrics.
    func canBegin() async -> Bool {
        if carrier.isStopping { return false }
        let isFine = await inTime(Self.probeMillisecondsMax, checking) { [self] () async -> Bool in
            do throws(PaymentError) { try await checkJournal() } catch { return false }
            return true
        }
        return isFine ?? false
    }

    /// What metrics count in the journal; nil if the journal does not answer in time, as a database without its primary. One that
    /// was found ready is given more time: there may be much to count.
    func counted(
        isReady: Bool, _ count: @escaping @Sendable () async -> [ServiceMetrics.Gauge]
    ) async -> [ServiceMetrics.Gauge]? {
        let now = await inTime(isReady ? Self.countMillisecondsMax : Self.probeMillisecondsMax, counting) { [self] in
            let gauges = await count()
            lastCount.withLock { $0 = (clock.uptime, gauges) }
            return gauges
        }
        if let now { return now }
        // A count that takes longer than that is given by the next look.
        guard isReady, let last = lastCount.withLock({ $0 }),
            clock.uptime.subtractingSaturating(last.at) <= Self.countKeptMilliseconds
        else { return nil }
        return last.gauges
    }

    /// How many messages wait for a person, proven ones and others; nil if that can't be read now. It is counted apart and holds up
    /// nothing else that is watched, and is given again for a while: to find them, all messages that wait are read.
    func marks() async -> MarkCount? {
        guard let read = options.marks else { return MarkCount() }
        if let last = lastMarks.withLock({ $0 }),
            clock.uptime.subtractingSaturating(last.at) < Self.marksKeptMilliseconds
        {
            return last.count
        }
        let found = await inTime(Self.probeMillisecondsMax, marking) { [self] () async -> MarkCount? in
            guard let marks = try? await read() else { return nil }
            let proven = marks.count { $0.isProven }
            let count = MarkCount(proven: proven, others: marks.count - proven)
            lastMarks.withLock { $0 = (clock.uptime, count) }
            return count
        }
        if let found = found ?? nil { return found }
        // A count that takes longer than that is given by the next look.
        guard let last = lastMarks.withLock({ $0 }),
            clock.uptime.subtractingSaturating(last.at) <= Self.marksKeptMilliseconds + Self.countKeptMilliseconds
        else { return nil }
        return last.count
    }

    /// Looks at the journal, and waits for so long. One look is under way at a time: all that ask since wait for it, and after one
    /// of them waited in vain, none waits before the look has ended.
    private func inTime<Value: Sendable>(
        _ milliseconds: Int64, _ looking: Locked<Promise<Value?>?>, _ look: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let answer = Promise<Value?>()
        let (underWay, isNew): (Promise<Value?>, Bool) = looking.withLock { held in
            if let held { return (held, false) }
            let fresh = Promise<Value?>()
            held = fresh
            return (fresh, true)
        }
        if isNew {
            Task(executorPreference: options.executor) {
                let value = await look()
                looking.withLock { $0 = nil }
                underWay.fulfill(value)
            }
        }
        let wait = Task(executorPreference: options.executor) {
            let value = await underWay.value(orWhenCancelled: nil)
            answer.fulfill(value)
        }
        let timer = Task(executorPreference: options.executor) { [clock] in
            try await clock.sleep(until: clock.now.addingSaturating(milliseconds))
            answer.fulfill(nil)
        }
        defer {
            timer.cancel()
            wait.cancel()
        }
        return await answer.value()
    }

    // MARK: - What a shop has

    /// An attempt of a shop, as the journal or this process has it.
    func attempt(_ id: AttemptID, in shop: ServiceShop) async throws(Problem) -> AttemptView {
        let running = carrier.running(id)
        let record: Attempt?
        do throws(PaymentError) { record = try await shop.client.attempt(id) } catch {
            throw Problem.pruned(error) ?? Problem(error)
        }
        if let record {
            guard record.intent.scope == shop.scope, !record.isSpentUnasked else { throw .notFound("attempt \(id)") }
            // What it asks is known where it runs.
            if running == nil, carrier.isStopping, record.state == .running, record.newest?.end == nil {
                throw Problem(
                    .stopping, "The service stops, and another instance works on the attempt. Ask again.", retry: .safe)
            }
            var view = view(of: record, askedFor: id)
            do throws(PaymentError) {
                view.paymentStatus = try await Self.paymentStatus(of: record, by: shop.client)
            } catch { throw Problem(error) }
            return view
        }
        guard let running, running.shop == shop.name else { throw .notFound("attempt \(id)") }
        var view = AttemptView(running.work.intent)
        view.isRunning = true
        view.prompt = running.prompt
        view.question = question(of: id)
        return view
    }

    /// What a customer has to do, by the name of the event that says so.
    private static let prompts: Set<PaymentEvent.Kind> = [
        .readerReady, .readyForCard, .cardRead, .pinRequested, .pinEntered, .waiting,
    ]

    /// Whether an event says what happens at a reader: it is live, and a client that missed it reads the attempt.
    static func isPrompt(_ kind: PaymentEvent.Kind) -> Bool {
        prompts.contains(kind) || kind.rawValue.hasPrefix("reader.")
    }

    /// Follows a shop's events from its first attempt on, so that an attempt has its prompt.
    func follow(_ shop: ServiceShop) {
        guard followed.withLock({ $0.insert(shop.name).inserted }) else { return }
        let (events, client, carrier) = (shop.client.events(), shop.client, carrier)
        Task(executorPreference: options.executor) {
            for await event in events {
                guard Self.isPrompt(event.kind), let id = event.attempt else { continue }
                carrier.running(id)?.show(event.kind.rawValue, at: event.provider, client)
            }
        }
    }

    /// A recorded attempt with what this process knows beside it.
    func view(of record: Attempt, askedFor id: AttemptID? = nil) -> AttemptView {
        let own = id ?? record.intent.attempt
        let running = carrier.running(own)
        var view = AttemptView(record, askedFor: id)
        view.isRunning = running != nil && record.isOpen
        view.prompt = running?.prompt
        view.question = question(of: own)
        view.doubt = record.isOpen ? carrier.doubt(of: own) : nil
        return view
    }

    /// Where the payment of an attempt stands as a whole.
    ///
    /// - Parameter isNew: Whether the attempt was just executed: then one that began a payment is alone in it.
    static func paymentStatus(
        of record: Attempt, by client: PaymentClient, isNew: Bool = false
    ) async throws(PaymentError) -> String {
        if record.intent.isOrigin, isNew || record.state != .approved { return PaymentRecord([record]).statusForGoods }
        return try await client.payment(record.intent.paymentID).statusForGoods
    }

    /// What an attempt asks, as long as its caller waits.
    func question(of id: AttemptID) -> QuestionDesk.Asked? {
        guard let carried = carrier.running(id), var asked = options.desk?.question(of: id) else { return nil }
        asked.until = min(asked.until, carried.work.until)
        return asked
    }

    /// A payment of a shop.
    func payment(_ id: AttemptID, in shop: ServiceShop) async throws(Problem) -> PaymentRecord {
        let record: PaymentRecord
        do throws(PaymentError) { record = try await shop.client.payment(PaymentID(id)) } catch {
            if error.code == .notFound { throw .notFound("payment \(id)") }
            throw Problem.pruned(error) ?? Problem(error)
        }
        guard let first = record.origin ?? record.attempts.first, first.intent.scope == shop.scope,
            !first.isSpentUnasked
        else {
            throw .notFound("payment \(id)")
        }
        return record
    }

    // MARK: - Waiting

    /// Does something that may take long in a task of its own, and waits for it at most for so long and as long as the wait has
    /// its place; nil if it takes longer, and then it continues.
    func bounded<Value: Sendable>(
        milliseconds: Int64, at place: WaitRoom.Place, _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let (result, over) = (Locked<Value?>(nil), Promise<Bool>())
        guard let seat = place.ended.add(over) else { return nil }
        Task(executorPreference: options.executor) {
            let value = await body()
            result.withLock { $0 = value }
            over.fulfill(true)
        }
        let timer = Task(executorPreference: options.executor) { [clock] in
            try await clock.sleep(until: clock.now.addingSaturating(milliseconds))
            over.fulfill(false)
        }
        defer {
            timer.cancel()
            place.ended.remove(seat)
        }
        _ = await over.value()
        return result.withLock { $0 }
    }

    // MARK: - Messages

    /// How many messages of one account are taken in at a time.
    static let messagesMax = 8

    /// Counts one more message of an account; false if it has as many as it may.
    func takeMessage(_ account: String) -> Bool {
        messages.withLock { messages in
            guard messages[account, default: 0] < Self.messagesMax else { return false }
            messages[account, default: 0] += 1
            return true
        }
    }

    /// A message of an account was taken in.
    func giveMessage(_ account: String) {
        messages.withLock { messages in
            let count = (messages[account] ?? 1) - 1
            messages[account] = count > 0 ? count : nil
        }
    }

    // MARK: - Lookups

    /// Asks the provider about an attempt in a task that no caller ends; joins one that runs. Nil if none may run now.
    func look(at id: AttemptID, in shop: ServiceShop) -> Waiters? {
        looks.join(id, of: shop.name, mayStart: { [self] in takeLookup(id) }, on: options.executor) { [carrier] in
            do throws(PaymentError) {
                _ = try await shop.client.status(id)
                carrier.note(nil, of: id)
            } catch { carrier.note(error.outcome == .unknown ? error : nil, of: id) }
        }
    }

    /// Whether an attempt may be looked up now: at most once in a while because callers ask.
    private func takeLookup(_ id: AttemptID) -> Bool {
        let now = clock.uptime
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

    /// What reads a shop's events for its streams.
    func follower(of shop: ServiceShop) -> ShopFollower {
        let (clock, executor) = (clock, options.executor)
        return followers.withLock { followers in
            if let known = followers[shop.name] { return known }
            let fresh = ShopFollower(shop.client, clock: clock, executor: executor)
            followers[shop.name] = fresh
            return fresh
        }
    }

    /// How many streams there are.
    var streamCount: Int { streams.withLock { $0.values.reduce(0) { $0 + $1.values.reduce(0, +) } } }

    /// Counts one more stream of a key; false if it, its shop or all have as many as they may.
    func takeStream(_ key: String, of shop: String) -> Bool {
        streams.withLock { streams in
            let all = streams.values.reduce(0) { $0 + $1.values.reduce(0, +) }
            let ofShop = streams[shop]?.values.reduce(0, +) ?? 0
            let shopMax = options.shops.count > 1 ? options.streamsMax / 2 : options.streamsMax
            let count = streams[shop]?[key] ?? 0
            guard count < EventFeed.streamsMax, ofShop < shopMax, all < options.streamsMax else { return false }
            streams[shop, default: [:]][key] = count + 1
            return true
        }
    }

    /// A stream of a key is over.
    func giveStream(_ key: String, of shop: String) {
        streams.withLock { streams in
            let count = (streams[shop]?[key] ?? 1) - 1
            streams[shop]?[key] = count > 0 ? count : nil
            if streams[shop]?.isEmpty == true { streams[shop] = nil }
        }
    }
}

/// Tasks of the service by what they are about: one at a time, which any number of requests join.
final class TaskRegister: Sendable {
    /// How many run for one shop at a time.
    static let perShopMax = 64

    private let running = Locked([AttemptID: (shop: String, waiters: Waiters)]())

    /// Joins the task of an id, or starts it; nil if it may not start.
    func join(
        _ id: AttemptID, of shop: String, mayStart: () -> Bool, on executor: (any TaskExecutor)?,
        _ body: @escaping @Sendable () async -> Void
    ) -> Waiters? {
        let fresh = Waiters()
        let (waiters, isNew): (Waiters?, Bool) = running.withLock { running in
            if let held = running[id] { return (held.waiters, false) }
            guard running.values.count(where: { $0.shop == shop }) < Self.perShopMax, mayStart() else {
                return (nil, false)
            }
            running[id] = (shop, fresh)
            return (fresh, true)
        }
        guard isNew else { return waiters }
        Task(executorPreference: executor) { [self] in
            await body()
            running.withLock { $0[id] = nil }
            fresh.end()
        }
        return fresh
    }
}

/// How many messages wait for a person.
struct MarkCount: Sendable {
    /// What a provider said.
    var proven = 0
    /// What any stranger may have sent.
    var others = 0
}
