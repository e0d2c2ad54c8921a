internal import PaymentBase
internal import PaymentCore
internal import PaymentDriverKit
internal import PaymentService

extension Command {
    /// The state of the reader.
    static let readerStatus = reader(
        "status", "says whether the device will do and how far it is on its way to taking cards"
    ) { reader, _, call in
        let (checks, activation) = (try await reader.compatibility(), try await reader.activation())
        call.say(
            [
                "isCompatible": .bool(checks.isCompatible), "isReady": .bool(reader.isReady),
                "activation": .string(activation.step.rawValue),
                "checks": .array(
                    checks.checks.map { check in
                        [
                            "kind": .string(check.kind.rawValue), "passed": .bool(check.passed),
                            "found": .string(check.found), "required": .string(check.required),
                        ]
                    }),
            ],
            checks.checks.map { check in
                let word = check.passed ? call.paint.good("fine") : call.paint.bad("fails")
                return "\(word)  \(check.kind.rawValue): found \(check.found), required \(check.required)"
            } + ["activation  \(activation.step.rawValue)"])
        return checks.isCompatible ? .fine : .failed
    }

    /// Registers the device.
    static let readerActivate = reader("activate", "registers the device, has the terms accepted and links it") {
        reader, _, call in
        try await reader.activate()
        let activation = try await reader.activation()
        call.say(
            ["activation": .string(activation.step.rawValue)], ["activation  \(activation.step.rawValue)"])
        return activation.step == .active ? .fine : .failed
    }

    /// Gets the reader ready.
    static let readerPrepare = reader("prepare", "gets the reader ready and shows how far it is") { reader, _, call in
        try await reader.prepare { percent in call.note("preparing: \(percent) %") }
        call.say(["isReady": .bool(reader.isReady)], [reader.isReady ? "ready" : "not ready"])
        return reader.isReady ? .fine : .failed
    }

    /// Everything that the reader reports.
    static let readerEvents = reader("events", "prepares the reader and prints every event on the way") {
        reader, till, call in
        let events = till.client.events()
        let printing = Task {
            for await event in events {
                call.say(PaymentView.event, .init(live: event), ["\(event.at.time)  \(event.kind.rawValue)"])
                if event.kind == .readerReady || event.kind == .readerFailed { return }
            }
        }
        defer { printing.cancel() }
        try await reader.prepare()
        await printing.value
        return .fine
    }

    private typealias Does = @Sendable (ProviderClient.Reader, CommandSession, Invocation) async throws -> ExitStatus

    /// A command about the reader of a provider.
    private static func reader(_ word: String, _ summary: String, _ does: @escaping Does) -> Command {
        Command(
            name: "reader \(word)", summary: summary, example: "payctl reader \(word) --provider ni", takes: ofProvider
        ) { call in
            try await CommandSession.use(call) { till in
                guard let reader = try till.client.provider(till.active).reader else {
                    throw till.hasNo("card reader")
                }
                return try await does(reader, till, call)
            }
        }
    }
}

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
            (request.customer, request.contact) = (call.given["customer"], try call.contact())
            request.savesInstrument = call.given.has("save")
            if kind == .reader { options.tellTerminal(id) }
            let result = try await does(till.client, request, attempt)
            return try await till.tell(result, attempt)
        }
    }
}
