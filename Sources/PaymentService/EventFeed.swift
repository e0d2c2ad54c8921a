internal import PaymentBase
internal import PaymentCore
internal import PaymentHTTPServer
internal import PaymentModel

/// A place in the recorded events of one payment: the payment and how many of its events come before, as `PAYMENT.7`.
struct EventPlace: Sendable {
    let payment: PaymentID
    let count: Int

    init(_ payment: PaymentID, _ count: Int) { (self.payment, self.count) = (payment, count) }

    /// Reads a text; nil if it is no place.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = AttemptID(any: String(parts[0])), parts[1].utf8.count <= 9,
            !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (48...57).contains($0) }), let count = Int(parts[1])
        else { return nil }
        (payment, self.count) = (PaymentID(id), count)
    }

    var text: String { "\(payment.attempt).\(count)" }
}

/// The events of a shop. What the journal records of a payment has a place, from which a client can follow it; what happens at
/// a reader is live: it has no id and is never sent again. The events of a whole shop are live, too, until a client follows from
/// a place: the first one is the `Event-Position` of a list.
struct EventFeed: Sendable {
    /// How many streams a key may have.
    static let streamsMax = 16
    /// How often a line is sent so that a client that is gone is noticed, in milliseconds.
    private static let pulseMilliseconds: Int64 = 15_000
    /// How many parts wait for a client. One that is further behind is disconnected, and follows from the last id that it read.
    private static let partsMax = 4_096

    private let call: ServiceCall
    /// The attempt whose payment is followed; nil for the whole shop.
    private let subject: AttemptID?
    private let attempt: AttemptID?
    private let reader: String?
    /// Where the client was in the events of one payment.
    private let place: EventPlace?
    /// Where the client was in all events of the shop.
    private let position: EventPosition?

    init(_ call: ServiceCall) throws(Problem) {
        self.call = call
        let payment = call.input[.eventPayment]
        (attempt, reader) = (call.input[.eventAttempt], call.input[.eventReader])
        subject = payment ?? attempt
        if reader != nil, subject != nil {
            throw Problem(.conflict, "`reader` does not go with `payment` or `attempt`.")
        }
        if let reader { try call.check(reader: reader) }
        let given = call.head.values("last-event-id").filter { !$0.isEmpty }
        guard let last = given.last else {
            (place, position) = (nil, nil)
            return
        }
        if subject == nil, reader == nil, let position = EventPosition(last) {
            (place, self.position) = (nil, position)
            return
        }
        guard let place = EventPlace(last), subject != nil, payment ?? place.payment.attempt == place.payment.attempt
        else {
            throw Problem(
                .gone, "Nothing is kept from that place on. Read what you follow, then follow without Last-Event-ID.")
        }
        (self.place, position) = (place, nil)
    }

    /// The events as lines, until the client leaves, its key is taken away or the service stops.
    func stream() async throws(Problem) -> AsyncStream<[UInt8]> {
        let (core, held, shop) = (call.service, call.key, call.shop.name)
        let key = held?.digest ?? ""
        let live = call.client.events()
        let start = try await start()
        if let position { _ = try await page(after: position, limit: 0) }
        guard core.takeStream(key, of: shop) else {
            throw Problem(
                .tooManyRequests, "A key may follow \(Self.streamsMax) streams, and there is a limit for all.",
                retry: .safe)
        }
        let (parts, source) = AsyncStream<[UInt8]>.makeStream(bufferingPolicy: .bufferingOldest(Self.partsMax))
        let signs = Waiters()
        source.yield(Array("retry: 1000\n\n".utf8))
        // A key that was taken away follows nothing.
        let send: @Sendable ([UInt8]) -> Void = { bytes in
            guard let held, core.keys.isKnown(held, at: core.clock.now) else { return source.finish() }
            // Nothing follows what had no room: no event is passed over.
            if case .dropped = source.yield(bytes) { source.finish() }
        }
        var tasks = [
            Task(executorPreference: core.options.executor) {
                for await event in live {
                    if isAboutRecorded(event) { signs.wake() }
                    if isLive(event) { send(lines(event, nil)) }
                }
                source.finish()
            },
            Task(executorPreference: core.options.executor) {
                while !Task.isCancelled {
                    do { try await core.clock.sleep(until: core.clock.now + Self.pulseMilliseconds) } catch { return }
                    send(Array(":\n\n".utf8))
                    signs.wake()
                }
            },
        ]
        if let position {
            tasks.append(
                Task(executorPreference: core.options.executor) {
                    await all(from: position, send)
                })
        }
        if let subject {
            tasks.append(
                Task(executorPreference: core.options.executor) {
                    await record(of: subject, from: start, signs, send)
                })
        }
        source.onTermination = { [tasks] _ in
            for task in tasks { task.cancel() }
            core.giveStream(key, of: shop)
        }
        return parts
    }

    /// What is recorded of all payments of the shop behind a place.
    private func page(after position: EventPosition, limit: Int) async throws(Problem) -> EventPage {
        do throws(PaymentError) { return try await call.client.events(after: position, limit: limit) } catch {
            if error.code == .notFound { throw Problem(.gone, error.detail) }
            throw Problem(error)
        }
    }

    /// Sends what is recorded of all payments of the shop, in one order and each once, and waits for more.
    private func all(from start: EventPosition, _ send: @Sendable ([UInt8]) -> Void) async {
        let follower = call.service.follower(of: call.shop)
        var (place, isFollowing) = (start, false)
        defer { if isFollowing { follower.leave() } }
        while !Task.isCancelled {
            let sign = Promise<Bool>()
            let seat = follower.news.add(sign)
            defer { if let seat { follower.news.remove(seat) } }
            switch isFollowing ? follower.next(after: place) : .older {
            case .events(let items):
                self.send(items, send)
                place = items.last?.position ?? place
            case .nothing: _ = await sign.value(orWhenCancelled: false)
            case .older:
                // It reads on its own until it has caught up.
                let before = place
                let read = try? await page(after: place, limit: ShopFollower.eventsMax)
                if let read {
                    self.send(read.events, send)
                    place = read.next ?? place
                    if !isFollowing, read.events.count < ShopFollower.eventsMax {
                        follower.join(at: place)
                        isFollowing = true
                        continue
                    }
                }
                if place == before { await pause(sign) }
            }
        }
    }

    private func send(_ items: [EventPage.Item], _ send: @Sendable ([UInt8]) -> Void) {
        for item in items where !ServiceCore.isPrompt(item.event.kind) {
            send(lines(item.event, item.position.description))
        }
    }

    /// Waits for a sign, and not for long.
    private func pause(_ sign: Promise<Bool>) async {
        let clock = call.service.clock
        let timer = Task(executorPreference: call.service.options.executor) {
            try await clock.sleep(until: clock.now + ShopFollower.lookMilliseconds)
            sign.fulfill(true)
        }
        _ = await sign.value(orWhenCancelled: false)
        timer.cancel()
    }

    /// How many recorded events the client has already: those before its place, or all that there are.
    private func start() async throws(Problem) -> Int {
        guard let subject else { return 0 }
        do throws(PaymentError) {
            guard let held = try await call.client.attempt(subject) else {
                guard place == nil || place?.count == 0 else { throw Self.gone }
                return 0
            }
            let payment = held.intent.paymentID
            let count = try await call.client.timeline(of: payment).count
            guard let place else { return count }
            // A place of another journal, or of one that was restored, is none of this one.
            guard place.payment == payment, place.count <= count else { throw Self.gone }
            return place.count
        } catch {
            if error.code == Self.gone.code { throw Problem(.gone, error.detail) }
            throw Problem(error)
        }
    }

    private static let gone = PaymentError(
        .notFound, outcome: .unknown,
        detail: "The place is not one of these events. Read what you follow, then follow it.")

    /// Sends what is recorded of a payment, in its order and each once, and waits for more.
    private func record(
        of subject: AttemptID, from start: Int, _ signs: Waiters, _ send: @Sendable ([UInt8]) -> Void
    ) async {
        var sent = start
        while !Task.isCancelled {
            let sign = Promise<Bool>()
            let seat = signs.add(sign)
            defer { if let seat { signs.remove(seat) } }
            let held = try? await call.client.entry(of: subject)
            if let payment = held?.attempt.intent.paymentID, let events = try? await call.client.timeline(of: payment),
                events.count > sent
            {
                for event in events[sent...] where isRecorded(event) {
                    send(lines(event, EventPlace(payment, event.sequence).text))
                }
                sent = events.count
            }
            var watch: Task<Void, Never>?
            if let held {
                watch = Task(executorPreference: call.service.options.executor) { [client = call.client] in
                    if await client.changed(held.attempt.intent.attempt, after: held.entry) { sign.fulfill(true) }
                }
            }
            _ = await sign.value(orWhenCancelled: false)
            watch?.cancel()
        }
    }

    /// Whether an event is sent as it happens.
    private func isLive(_ event: PaymentEvent) -> Bool {
        if let reader {
            return event.provider?.rawValue == reader && ServiceCore.isPrompt(event.kind)
        }
        if position != nil { return ServiceCore.isPrompt(event.kind) }
        guard let subject else { return true }
        guard ServiceCore.isPrompt(event.kind) else { return false }
        return attempt.map { event.attempt == $0 } ?? (event.payment?.attempt == subject)
    }

    /// Whether an event may stand among those that are followed, so that they are read again: other payments' do not.
    private func isAboutRecorded(_ event: PaymentEvent) -> Bool {
        guard let subject else { return false }
        return event.attempt == subject || event.payment?.attempt == subject
    }

    /// Whether a recorded event is sent.
    private func isRecorded(_ event: PaymentEvent) -> Bool {
        !ServiceCore.isPrompt(event.kind) && (attempt.map { event.attempt == $0 } ?? true)
    }

    private func lines(_ event: PaymentEvent, _ place: String?) -> [UInt8] {
        let body = PaymentView.event.json(PaymentView.PlacedEvent(event: event, place: place), for: call.role)
        let id = place.map { "id: \($0)\n" } ?? ""
        return Array("\(id)data: ".utf8) + body.bytes() + Array("\n\n".utf8)
    }
}
