package import PaymentBase
package import PaymentCore
package import PaymentJournalKit
internal import PaymentModel
package import PaymentTransport

/// A receiver of webhooks: it belongs to one shop.
package struct WebhookEndpoint: Sendable {
    /// The largest number of secrets.
    package static let secretsMax = 2
    /// What a secret begins with.
    private static let prefix = "whsec_"

    /// What people call it.
    package let name: String
    /// The shop whose payments it learns of.
    package let shop: String
    /// Where it is.
    package let origin: Origin
    /// Path and query.
    package let target: String
    /// The keys of the signatures; while they are changed there are two, and each message has two signatures.
    package let keys: [Secret]
    /// Whether it may be at an address that is not public.
    package let mayBePrivate: Bool

    /// What the journal calls it: what waits for a receiver of one shop never goes to one of another.
    package var row: String { "\(shop)/\(name)" }

    /// Makes a receiver; nil if a secret is not `whsec_` and 24 to 64 bytes in Base64, or if there is none or too many.
    package init?(
        _ name: String, shop: String, _ origin: Origin, _ target: String, secrets: [Secret], mayBePrivate: Bool = false
    ) {
        guard (1...Self.secretsMax).contains(secrets.count) else { return nil }
        var keys: [Secret] = []
        for secret in secrets {
            let text = secret.expose()
            guard text.hasPrefix(Self.prefix),
                let key = Base64.standard.decode(String(text.dropFirst(Self.prefix.count))),
                (24...64).contains(key.count)
            else { return nil }
            keys.append(Secret(bytes: key))
        }
        (self.name, self.shop, self.origin, self.target) = (name, shop, origin, target)
        (self.keys, self.mayBePrivate) = (keys, mayBePrivate)
    }
}

/// What people ask about webhooks and do with them.
package struct WebhookDesk: Sendable {
    private let client: PaymentClient

    /// Works with the journal of a client.
    package init(_ client: PaymentClient) { self.client = client }

    /// The status of a receiver.
    package struct State: Sendable {
        /// What is known of it; nil if no service has begun to send to it.
        package let endpoint: DeliveryEndpoint?
        /// How many messages it has.
        package let counts: DeliveryCounts
        /// The first of them.
        package let messages: [OutgoingMessage]
    }

    /// How it is with a receiver, with so many of its messages.
    package func state(of name: String, limit: Int = 0) async throws(PaymentError) -> State {
        let now = try await client.journalTime()
        return try await client.changeDeliveries { rows in
            State(
                endpoint: try rows.endpoint(name), counts: try rows.counts(name, at: now),
                messages: limit > 0 ? try rows.all(name, after: "", limit: limit) : [])
        }
    }

    /// Sends messages again from the first try on, and switches the receiver on: one message, or all that failed for good. Nil if
    /// there is no such receiver.
    package func resend(_ name: String, event: String? = nil) async throws(PaymentError) -> Int? {
        let now = try await client.journalTime()
        return try await client.changeDeliveries { rows in try DeliveryRules.resend(name, event, at: now, &rows) }
    }
}

/// Notes in the journal which receivers are configured, again and again: what waits for one that was removed is not kept for ever.
package struct WebhookKeeper: Sendable {
    /// How often it looks, in milliseconds.
    private static let everyMilliseconds: Int64 = 60_000

    private let names: Set<String>
    private let left: Set<String>
    private let client: PaymentClient
    private let clock: any PaymentClock

    /// Takes all receivers that are configured, those that this process had before, and a client of the journal.
    package init(
        _ endpoints: [WebhookEndpoint], inPlaceOf before: [WebhookEndpoint] = [], _ client: PaymentClient,
        clock: any PaymentClock = SystemClock()
    ) {
        let names = Set(endpoints.map(\.row))
        (self.names, left) = (names, Set(before.map(\.row)).subtracting(names))
        (self.client, self.clock) = (client, clock)
    }

    /// Looks until it is cancelled. A receiver that another process sends to is noted as configured by that one.
    package func run() async {
        var left = left
        while !Task.isCancelled {
            // A journal that can't be changed now is changed at the next look.
            do throws(PaymentError) {
                try await look(leaving: left)
                left = []
            } catch {}
            do { try await clock.sleep(until: clock.now.addingSaturating(Self.everyMilliseconds)) } catch { return }
        }
    }

    func look(leaving left: Set<String> = []) async throws(PaymentError) {
        let (names, now) = (names, try await client.journalTime())
        try await client.changeDeliveries { rows in
            try DeliveryRules.keepOnly(names, leaving: left, at: now, &rows)
        }
    }
}

/// Which webhook an event makes.
enum WebhookType: String, CaseIterable {
    case decided = "attempt.decided"
    case open = "attempt.open"
    case changed = "attempt.changed"
    case attention = "payment.attention"

    /// Nil for an event that makes none.
    init?(_ kind: PaymentEvent.Kind) {
        switch kind {
        case .approved, .declined, .cancelled, .failed, .resolved: self = .decided
        case .inDoubt, .pending: self = .open
        case .failedLater: self = .changed
        case .contradiction, .nameTaken, .otherAmount, .disputed, .activeTwice, .messagesDropped, .chargedBack:
            self = .attention
        default: return nil
        }
    }
}

/// Sends what happens to one receiver, by Standard Webhooks 1.0.0. Several processes may do so at once: the journal's rows say which
/// of them sends what.
package final class WebhookSender: Sendable {
    /// How long a try may take, in milliseconds.
    package static let tryMilliseconds: Int64 = 15_000
    /// How much of an answer is read, in bytes.
    static let answerBytesMax = 4_096
    /// How often the feed and what is due are looked at, in milliseconds.
    static let everyMilliseconds: Int64 = 1_000
    /// How many events are read at a time.
    private static let eventsMax = 200

    private let endpoint: WebhookEndpoint
    private let client: PaymentClient
    private let transport: any HTTPTransport
    private let crypto: any Crypto
    private let clock: any PaymentClock
    private let random: any RandomSource
    private let note: @Sendable (String) -> Void

    /// Takes a receiver, and the client of its shop.
    package init(
        _ endpoint: WebhookEndpoint, _ client: PaymentClient, _ transport: any HTTPTransport, crypto: any Crypto,
        clock: any PaymentClock = SystemClock(), random: any RandomSource = SystemRandom(),
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.endpoint, self.client, self.transport, self.crypto) = (endpoint, client, transport, crypto)
        (self.clock, self.random, self.note) = (clock, random, note)
    }

    /// Follows the feed and sends what is due, until it is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                // What is written already is sent, whatever the feed has.
                do throws(PaymentError) { try await follow() } catch {}
                do throws(PaymentError) {
                    for message in try await take(DeliveryRules.atOnceMax) {
                        group.addTask { await self.send(from: message) }
                    }
                } catch {
                    // The journal can't be read now: the next look tries again.
                }
                do { try await clock.sleep(until: clock.now.addingSaturating(Self.everyMilliseconds)) } catch { break }
            }
            group.cancelAll()
        }
    }

    // MARK: - From the feed to rows

    /// Writes what happened since as rows, each piece with the place behind it.
    func follow() async throws(PaymentError) {
        while !Task.isCancelled {
            guard let held = try await position() else { return }
            let page: EventPage
            do throws(PaymentError) {
                page = try await client.events(after: EventPosition(place: held), limit: Self.eventsMax)
            } catch {
                guard error.code == .notFound else { throw error }
                try await startOver(from: held)
                continue
            }
            guard let next = page.next?.place, next != held else { return }
            let messages = try await messages(for: page)
            let (name, now) = (endpoint.row, try await client.journalTime())
            let isWritten = try await client.changeDeliveries { rows in
                try DeliveryRules.write(messages, to: name, from: held, upTo: next, at: now, &rows)
            }
            if !isWritten || page.events.count < Self.eventsMax { return }
        }
    }

    /// Up to where the feed was read: its end for a receiver that is new. Nil if the receiver is switched off.
    private func position() async throws(PaymentError) -> FeedPosition? {
        let name = endpoint.row
        var held = try await client.changeDeliveries { rows in try rows.endpoint(name) }
        if held?.removedAt != nil {
            let now = try await client.journalTime()
            held = try await client.changeDeliveries { rows in try DeliveryRules.configured(name, at: now, &rows) }
        }
        if let held { return held.offAt == nil ? held.position : nil }
        guard let end = try await client.events(after: nil, limit: 0).next?.place else { return nil }
        let now = try await client.journalTime()
        return try await client.changeDeliveries { rows in
            if let held = try rows.endpoint(name) { return held.offAt == nil ? held.position : nil }
            var fresh = DeliveryEndpoint(name, from: end)
            fresh.probeAt = now
            try rows.keep(fresh)
            return end
        }
    }

    /// Continues at the end: what followed the place is not kept, or the journal was restored or copied.
    private func startOver(from held: FeedPosition) async throws(PaymentError) {
        guard let end = try await client.events(after: nil, limit: 0).next?.place else { return }
        let name = endpoint.row
        try await client.changeDeliveries { rows in
            guard var endpoint = try rows.endpoint(name), endpoint.position == held else { return }
            endpoint.position = end
            try rows.keep(endpoint)
        }
        note("webhooks: \(name) may have missed events; its place is not kept any more, and it continues at the end")
    }

    private func messages(for page: EventPage) async throws(PaymentError) -> [OutgoingMessage] {
        var (messages, texts) = ([OutgoingMessage](), Set<String>())
        let now = try await client.journalTime()
        for item in page.events {
            guard let type = WebhookType(item.event.kind) else { continue }
            let id = item.event.attempt
            var attempt: Attempt?
            if let id {
                do throws(PaymentError) { attempt = try await client.attempt(id) } catch {
                    // One that can't be read holds up no other: its message has no version.
                    guard error.outcome == .unknown else { throw error }
                }
            }
            // Nothing about a person, and no amounts: the receiver reads the attempt.
            let body: JSON = [
                "apiVersion": 1, "type": .string(type.rawValue), "attempt": .text(id?.text),
                "payment": .text((item.event.payment ?? attempt?.intent.paymentID)?.attempt.text),
                "version": attempt.map { .number(JSONNumber(Int64($0.version))) } ?? .null,
            ]
            let text = String(decoding: body.bytes(), as: UTF8.self)
            let message = OutgoingMessage(
                endpoint.row, "evt_\(item.position.description.replacing(".", with: "-"))", text, at: now,
                due: now)
            // One message says what several events of one moment would.
            if texts.insert(text).inserted { messages.append(message) }
        }
        return messages
    }

    // MARK: - From rows to the receiver

    private func take(_ limit: Int) async throws(PaymentError) -> [OutgoingMessage] {
        let (name, now) = (endpoint.row, try await client.journalTime())
        return try await client.changeDeliveries { rows in
            try DeliveryRules.take(name, upTo: limit, at: now, &rows)
        }
    }

    /// Sends a message, and then what else is due.
    private func send(from first: OutgoingMessage) async {
        var next: OutgoingMessage? = first
        while let message = next, !Task.isCancelled {
            let outcome = await attempt(message)
            if Task.isCancelled { return }
            await settle(message, outcome)
            next = (try? await take(1))?.first
        }
    }

    private func settle(_ message: OutgoingMessage, _ outcome: DeliveryOutcome) async {
        let word = UInt64(random.bytes(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        guard let now = try? await client.journalTime() else { return }
        // Up to a tenth more, so that what failed together does not come together.
        let lost: OutgoingMessage? = try? await client.changeDeliveries { rows in
            try DeliveryRules.settle(
                message, outcome, at: now, jitter: { pause in Int64(word % UInt64(max(1, pause / 10))) }, &rows)
        }
        if outcome == .gone {
            note("webhooks: \(endpoint.row) answered 410 and is switched off; `payctl webhooks resend` switches it on")
        }
        if let lost {
            note("webhooks: \(lost.event) of \(endpoint.row) failed for good: \(lost.failure)")
        }
    }

    /// One try.
    private func attempt(_ message: OutgoingMessage) async -> DeliveryOutcome {
        let request: HTTPRequest
        do throws(CryptoFailure) { request = try signed(message) } catch {
            return .failed("The message can't be signed.")
        }
        let (clock, transport) = (clock, transport)
        let end = clock.now.addingSaturating(Self.tryMilliseconds)
        return await withTaskGroup(of: DeliveryOutcome.self) { group in
            group.addTask {
                do throws(TransportFailure) {
                    let status = try await transport.send(request).status
                    if (200..<300).contains(status) { return .taken }
                    if status == 410 { return .gone }
                    return .failed("The receiver answered \(status).")
                } catch {
                    return .failed("No answer came: \(error.reason.detail ?? error.reason.rawValue)")
                }
            }
            group.addTask {
                do { try await clock.sleep(until: end) } catch {}
                return .failed("No answer came within \(Self.tryMilliseconds / 1_000) s.")
            }
            let first = await group.next() ?? .failed("No answer came.")
            group.cancelAll()
            return first
        }
    }

    /// The request with a signature for each secret.
    func signed(_ message: OutgoingMessage) throws(CryptoFailure) -> HTTPRequest {
        let seconds = clock.now / 1_000
        let content = Array("\(message.event).\(seconds).\(message.body)".utf8)
        var signatures: [String] = []
        for key in endpoint.keys {
            let mac = try crypto.authenticate(.sha256, key: key, content)
            signatures.append("v1,\(Base64.standard.encode(mac))")
        }
        var request = HTTPRequest(
            "POST", endpoint.origin, endpoint.target,
            headers: [
                "Content-Type": "application/json", "webhook-id": message.event, "webhook-timestamp": "\(seconds)",
                "webhook-signature": signatures.joined(separator: " "),
            ], body: Array(message.body.utf8))
        (request.responseBodyBytesMax, request.leavesRestUnread) = (Self.answerBytesMax, true)
        return request
    }
}
