internal import PaymentAbstraction
internal import PaymentBase

extension Command {
    /// Checks a card.
    static let verify = Command(
        name: "verify", summary: "checks a card without charging it",
        example: "payctl verify EUR --provider ecommpay --customer customer-7",
        takes: CardCheck.accepted
    ) { call in
        try await CardCheck(call).run { try await $0.verify($1, attempt: $2) }
    }

    /// Turns a card into a token.
    static let tokenize = Command(
        name: "tokenize", summary: "has the provider keep a card without charging it; the result names what it keeps",
        example: "payctl tokenize EUR --provider ecommpay --customer customer-7", takes: CardCheck.accepted
    ) { call in
        try await CardCheck(call).run { try await $0.tokenize($1, attempt: $2) }
    }
}

/// A check of a card from the command line.
struct CardCheck {
    static let accepted = AcceptedArguments.configured(
        "CURRENCY",
        with: [.provider] + SourceOptions.accepted + [
            .value("reference", "TEXT", "your own name for it"), .attempt,
            .value("customer", "ID", "the customer's name at the merchant"),
            .flag("save", "asks the provider to keep the card for the customer"),
            .value("email", "ADDRESS", "the customer's e-mail address"),
            .value("phone", "NUMBER", "the customer's telephone number"),
        ])

    private let call: Invocation

    init(_ call: Invocation) { self.call = call }

    func run(
        _ does: (PaymentClient, VerificationRequest, AttemptID) async throws -> PaymentResult
    ) async throws -> ExitStatus {
        let currency = try call.currency(try call.operand(0, "CURRENCY"))
        let (named, reference) = (try call.attempt(), try call.reference())
        return try await CommandSession.use(call) { till in
            let attempt = try await till.client.orNew(named)
            let id = till.active
            let possible = try till.client.provider(id).capabilities.verificationSources
            let options = SourceOptions(call, till)
            // Where nothing can be checked, the client says so.
            let kind = possible.isEmpty ? .card : try options.kind(possible, id)
            var request = VerificationRequest(
                try await options.source(kind, id), in: currency, reference: reference ?? attempt.text)
            (request.customer, request.contact) = (call.given["customer"], call.contact)
            request.savesInstrument = call.given.has("save")
            if kind == .reader { options.tellTerminal(id) }
            let result = try await does(till.client, request, attempt)
            return try await till.tell(result, attempt)
        }
    }
}
