internal import PaymentBase
internal import PaymentTransport

extension SimulatedProviders {
    /// The providers that have messages to send.
    var notifying: [any WebhookSendingProvider] { injectors.compactMap { $0.provider as? any WebhookSendingProvider } }

    /// All messages of a provider, with where they go and what became of them.
    func outbox(_ provider: any WebhookSendingProvider) -> JSON {
        [
            "provider": .string(provider.name),
            "receiver": delivery.receiver(of: provider.name).map { .string("\($0)") } ?? .null,
            "messages": provider.withOutbox { $0.json },
        ]
    }
}

extension ControlService {
    /// Answers for a provider that sends messages.
    static func speaking(
        _ call: SimulatorRequest, _ sandbox: SimulatedProviders,
        _ answer: (any WebhookSendingProvider) -> SimulatorResponse
    ) -> SimulatorResponse {
        found(call, sandbox) { injector in
            guard let provider = injector.provider as? any WebhookSendingProvider else {
                return refused(404, "noMessages", "this provider sends no messages")
            }
            return answer(provider)
        }
    }

    /// Sends the messages of a provider somewhere, or, with null, nowhere.
    static func setReceiver(_ call: SimulatorRequest, _ sandbox: inout SimulatedProviders) -> SimulatorResponse {
        let given = call.json?["url"]
        let receiver = given?.string.flatMap { WebhookReceiver($0) }
        guard given?.isNull == true || receiver != nil else {
            return refused(400, "malformed", "url is an address that begins with http:// or https://, or null")
        }
        return speaking(call, sandbox) { [sandbox] provider in
            _ = sandbox.setReceiver(receiver, of: provider.name)
            return .json(sandbox.outbox(provider))
        }
    }

    /// Sends a message once more, whatever became of it.
    static func sendAgain(_ call: SimulatorRequest, _ sandbox: inout SimulatedProviders) -> SimulatorResponse {
        speaking(call, sandbox) { [sandbox] provider in
            let isThere = Int(call["number"]).map { number in
                provider.withOutbox { $0.sendAgain(number, at: sandbox.clock.now) }
            }
            guard isThere == true else { return refused(404, "unknownMessage", "there is no message of this number") }
            return told(provider, sandbox)
        }
    }

    /// The outbox after a change, which is saved and then told.
    private static func told(_ provider: any WebhookSendingProvider, _ sandbox: SimulatedProviders) -> SimulatorResponse
    {
        defer { sandbox.delivery.ring() }
        return saved(sandbox, .json(sandbox.outbox(provider)))
    }

    private static let nothing =
        "there is nothing to decide under it: by then it was decided, or it is a payment and no attempt of it"

    /// Decides what is pending under an attempt, or lets fail what was done.
    static func decide(_ call: SimulatorRequest, _ sandbox: inout SimulatedProviders) -> SimulatorResponse {
        guard let attempt = call.json?["attempt"]?.string, let outcome = call.json?["outcome"]?.string,
            ["succeeds", "fails", "failsLater"].contains(outcome)
        else { return refused(400, "malformed", "an attempt, and an outcome: succeeds, fails or failsLater") }
        return speaking(call, sandbox) { [sandbox] provider in
            let message =
                outcome == "failsLater"
                ? provider.failLater(attempt) : provider.decide(attempt, succeeds: outcome == "succeeds")
            guard let message else { return refused(404, "nothingPending", nothing) }
            provider.withOutbox { $0.release(message) }
            return told(provider, sandbox)
        }
    }

    /// A customer pays on a page that the shop has led to.
    static func visit(_ call: SimulatorRequest, _ sandbox: inout SimulatedProviders) -> SimulatorResponse {
        guard let page = call.json?["page"]?.string, let card = call.json?["card"]?.string else {
            return refused(400, "malformed", "a page, and the number of a card")
        }
        return found(call, sandbox) { [sandbox] injector in
            guard let provider = injector.provider as? any HostedPageProvider else {
                return refused(404, "noPages", "this provider has no pages where customers pay")
            }
            guard provider.visit(page: page, card: card) else { return refused(404, "noPage", noPage) }
            sandbox.delivery.ring()
            return saved(sandbox, .empty())
        }
    }

    private static let noPage =
        "the page takes no money: it was paid or refused already, is over, or isn't one of this provider's"
}
