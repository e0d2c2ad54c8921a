internal import PaymentBase
internal import PaymentCore
internal import PaymentHTTPServer
internal import PaymentModel

extension OperationTable {
    /// What comes as it happens: events for tills, messages of providers.
    static let live: [Operation] = [
        Operation(
            id: "events", summary: "Sends what happens from now on, as Server-Sent Events.", method: "GET",
            path: "/v1/events", effect: .reads, role: .viewer,
            parameters: Takes().may(.eventPayment).may(.eventAttempt).parameters,
            result: AnyShape(name: "EventStream", schema: ["type": "string"]), refusals: [.tooManyRequests],
            work: .follows { call in try EventFeed(call).stream() }),
        Operation(
            id: "receiveWebhook", summary: "Takes a message of a provider, whose signature the adapter checks.",
            method: "POST", path: "/v1/webhooks/{account}", effect: .decides, role: nil,
            parameters: Takes().needs(.account).parameters, result: AnyShape(name: "WebhookReply", schema: [:]),
            refusals: [.notFound, .signatureInvalid, .journal],
            work: .receives { call, body in try await receive(call, body) }),
    ]

    /// Hands a message to the client. The provider sends it again unless it is durable.
    private static func receive(_ call: ServiceCall, _ body: [UInt8]) async throws(Problem) -> ServerResponse {
        let account = try call.input.need(.account)
        // An event of one shop's payment must not reach another shop.
        let client = call.service.options.intake ?? call.client
        guard client.all.contains(where: { $0.id.rawValue == account }) else { throw .notFound("account") }
        let headers = Dictionary(call.head.fields.map { ($0.name, $0.value) }) { first, _ in first }
        do throws(PaymentError) {
            let reply = try await client.receiveWebhook(
                body, headers: headers, from: ProviderID(rawValue: account))
            return ServerResponse(reply.status, [HTTPField("Content-Type", "text/plain")], .bytes(reply.body))
        } catch {
            // What a message says back is not repeated: it was signed by no known sender.
            switch Problem.Code(error.code) {
            case .signatureInvalid: throw Problem(.signatureInvalid, "The message was not verified.")
            case .unsupported: throw .notFound("account")
            // What can't be read is signed by no known sender either.
            case .invalidRequest, .unreadableReply: throw Problem(.signatureInvalid, "The message can't be read.")
            default: throw Problem(.journal, "The message was not recorded. Send it again.", retry: .safe)
            }
        }
    }
}

extension Parameter where Value == AttemptID {
    static let eventPayment = Parameter(
        "payment", .id, "Only events of this payment.", example: "0193a7e2-5b1c-7c55-9d0a-3f2e1d0c9b8a")
    static let eventAttempt = Parameter(
        "attempt", .id, "Only events of this attempt.", example: "0193a7e2-5b1c-7c55-9d0a-3f2e1d0c9b8a")
}

/// The events of a shop, live: they have no id, and none is sent again.
struct EventFeed: Sendable {
    /// How many streams a key may have.
    static let streamsMax = 16
    /// How often a line is sent so that a client that is gone is noticed, in milliseconds.
    private static let pulseMilliseconds: Int64 = 15_000

    private let call: ServiceCall
    private let payment: AttemptID?
    private let attempt: AttemptID?

    init(_ call: ServiceCall) throws(Problem) {
        self.call = call
        (payment, attempt) = (call.input[.eventPayment], call.input[.eventAttempt])
        guard call.head.values("last-event-id").isEmpty else {
            throw Problem(.gone, "Events are live only. Read the list of payments, then follow without Last-Event-ID.")
        }
    }

    /// The events as lines, until the client leaves or the service stops.
    func stream() throws(Problem) -> AsyncStream<[UInt8]> {
        let (core, key, role) = (call.service, call.key?.digest ?? "", call.role)
        let shop = call.shop.name
        guard core.takeStream(key, of: shop) else {
            throw Problem(
                .tooManyRequests, "A key may follow \(Self.streamsMax) streams, and there is a limit for all.",
                retry: .safe)
        }
        let (events, payment, attempt) = (call.client.events(), payment, attempt)
        let (parts, source) = AsyncStream<[UInt8]>.makeStream()
        source.yield(Array("retry: 1000\n\n".utf8))
        let following = Task(executorPreference: core.options.executor) {
            for await event in events {
                if let payment, event.payment?.attempt != payment { continue }
                if let attempt, event.attempt != attempt { continue }
                let line = PaymentView.event.json(event, for: role).bytes()
                source.yield(Array("data: ".utf8) + line + Array("\n\n".utf8))
            }
            source.finish()
        }
        let pulse = Task(executorPreference: core.options.executor) {
            while !Task.isCancelled {
                try await core.clock.sleep(until: core.clock.now + Self.pulseMilliseconds)
                // A key that was taken away follows nothing.
                guard core.keys.isKnown(key, at: core.clock.now) else { return source.finish() }
                source.yield(Array(":\n\n".utf8))
            }
        }
        source.onTermination = { _ in
            following.cancel()
            pulse.cancel()
            core.giveStream(key, of: shop)
        }
        return parts
    }
}
