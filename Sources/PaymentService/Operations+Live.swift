internal import PaymentBase
internal import PaymentCore
internal import PaymentHTTPServer
internal import PaymentModel

extension OperationTable {
    /// What comes as it happens: events for tills, messages of providers.
    static let live: [Operation] = [
        Operation(
            id: "events",
            summary:
                "Sends what happens as Server-Sent Events. Those of one payment or attempt can be followed from a place on.",
            method: "GET",
            path: "/v1/events", effect: .reads, role: .viewer,
            parameters: Takes().may(.eventPayment).may(.eventAttempt).may(.eventReader).parameters,
            result: AnyShape(name: "EventStream", schema: ["type": "string"]),
            refusals: [.tooManyRequests, .gone, .journal],
            work: .follows { call in try await EventFeed(call).stream() }),
        Operation(
            id: "receiveWebhook", summary: "Takes a message of a provider, whose signature the adapter checks.",
            method: "POST", path: "/v1/webhooks/{account}", effect: .decides, role: nil,
            parameters: Takes().needs(.account).parameters, result: AnyShape(name: "WebhookReply", schema: [:]),
            refusals: [.notFound, .signatureInvalid, .journal],
            work: .receives { call, body in try await receive(call, body) }),
    ]

    /// Hands a message to the client that records it, for those of the shops and of scopes without one. The provider
    /// sends it again unless it is durable.
    private static func receive(_ call: ServiceCall, _ body: [UInt8]) async throws(Problem) -> ServerResponse {
        let account = try call.input.need(.account)
        // An event of one shop's payment must not reach another shop.
        let client = call.service.options.intake ?? call.client
        guard client.all.contains(where: { $0.id.rawValue == account }) else { throw .notFound("account") }
        guard call.service.takeMessage(account) else {
            var problem = Problem(
                .journal, "\(ServiceCore.messagesMax) messages of this account are taken in. Send it again.",
                retry: .safe)
            problem.headers = [HTTPField("Retry-After", "1")]
            throw problem
        }
        defer { call.service.giveMessage(account) }
        let headers = Dictionary(call.head.fields.map { ($0.name, $0.value) }) { first, _ in first }
        do throws(PaymentError) {
            let reply = try await client.receiveWebhook(
                body, headers: headers, from: ProviderID(rawValue: account),
                for: call.service.options.shops.values.map(\.client) + call.service.options.keyless)
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

extension Parameter where Value == String {
    static let eventReader = Parameter(
        "reader", .token, "Only what happens at this reader, live; not beside the others.", example: "adyen")
}
