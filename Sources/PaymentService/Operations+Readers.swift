internal import PaymentBase
internal import PaymentCore
internal import PaymentHTTPServer
package import PaymentModel

/// What plays the customer at simulated readers.
package struct ServiceSimulator: Sendable {
    /// The names of the cards that a provider's simulated reader knows; nil if the provider is not simulated.
    package var cards: @Sendable (ProviderID) -> [String]?
    /// Lays one of them in front of the provider's reader.
    package var tap: @Sendable (String, ProviderID) -> Void
    /// The names of faults.
    package var faults: [String]
    /// Lets a simulated provider misbehave on so many of its next requests, after so many that it lets through.
    package var misbehave: @Sendable (_ fault: String, ProviderID?, _ times: Int, _ skip: Int) -> Bool

    /// Takes what plays it.
    package init(
        faults: [String], cards: @escaping @Sendable (ProviderID) -> [String]?,
        tap: @escaping @Sendable (String, ProviderID) -> Void,
        misbehave: @escaping @Sendable (_ fault: String, ProviderID?, _ times: Int, _ skip: Int) -> Bool
    ) {
        (self.faults, self.cards, self.tap, self.misbehave) = (faults, cards, tap, misbehave)
    }
}

/// A reader of a shop, as the API shows it.
struct ReaderView: Sendable {
    let provider: ProviderID
    let reader: ProviderClient.Reader
    let attempts: [AttemptID]

    static let shape = Shape<ReaderView>(
        "Reader",
        [
            .init("reader", Schema.text, "The reader's name: that of its provider.") { .string($0.provider.rawValue) },
            .init("provider", Schema.text, "The provider.") { .string($0.provider.rawValue) },
            .init("isReady", Schema.flag, "Whether it can read a card at once.") { .bool($0.reader.isReady) },
            .init("attempts", Schema.texts, "The shop's attempts that may use it now.") {
                .array($0.attempts.map { .string($0.text) })
            },
        ])

    private init(_ provider: ProviderClient, _ reader: ProviderClient.Reader, _ call: ServiceCall) {
        (self.provider, self.reader) = (provider.id, reader)
        attempts = call.service.carrier.using(provider.id.rawValue, in: call.shop.name).map(\.id)
            .sorted { $0.text < $1.text }
    }

    /// All readers of the caller's shop.
    static func all(_ call: ServiceCall) -> [ReaderView] {
        call.client.all.compactMap { provider in provider.reader.map { ReaderView(provider, $0, call) } }
    }

    /// The reader that the path names.
    static func named(_ call: ServiceCall) throws(Problem) -> ReaderView {
        let name = try call.input.need(.reader)
        try call.check(reader: name)
        guard let found = all(call).first(where: { $0.provider.rawValue == name }) else {
            throw .notFound("reader \(name)")
        }
        return found
    }

    func answer(_ call: ServiceCall) -> Operation.Answer {
        Operation.Answer(body: Self.shape.json(self, for: call.role))
    }
}

extension OperationTable {
    /// Card readers.
    static let readers: [Operation] = [
        .get(
            "readers", "/v1/readers", "Lists the card readers and whether they are ready.",
            gives: ReaderView.shape.any.page(), refuses: []
        ) { call in .list(ReaderView.all(call).map { ReaderView.shape.json($0, for: call.role) }) },
        .get(
            "reader", "/v1/readers/{reader}", "Shows a card reader with the attempts that may use it.",
            Takes().needs(.reader), gives: ReaderView.shape.any, refuses: [.notFound]
        ) { call in try ReaderView.named(call).answer(call) },
        .post(
            "prepareReader", "/v1/readers/{reader}/prepare", "Gets a card reader ready; waits with `Prefer: wait=N`.",
            by: .till, Takes().needs(.reader), gives: ReaderView.shape.any,
            refuses: [
                .notFound, .readerBusy, .readerUnavailable, .network, .authentication, .permission, .configuration,
                .providerUnavailable, .rateLimited,
            ]
        ) { call in
            let view = try ReaderView.named(call)
            let place = call.enterRoom()
            defer { call.service.room.leave(place) }
            let failure = await call.service.bounded(milliseconds: call.waitMilliseconds, at: place) {
                () -> PaymentError? in
                do throws(PaymentError) {
                    try await view.reader.prepare()
                    return nil
                } catch { return error }
            }
            if let failure = failure ?? nil { throw failure }
            return view.answer(call)
        }.waiting(),
        .post(
            "cancelReader", "/v1/readers/{reader}/cancel", "Ends what a card reader waits for, if it is not too late.",
            by: .till, Takes().needs(.reader), gives: AttemptReading.cancellation, refuses: [.notFound, .journal]
        ) { call in
            let view = try ReaderView.named(call)
            // Only the key that began an attempt ends it, and an office key.
            // What asks for a card is ended before what is sent already.
            let using = call.service.carrier.using(view.provider.rawValue, in: call.shop.name)
            let done: Set<String> = [PaymentEvent.Kind.cardRead.rawValue, PaymentEvent.Kind.waiting.rawValue]
            let waiting = using.first { $0.carried.prompt.map { !done.contains($0) } ?? false }?.id
            guard let id = waiting ?? view.attempts.first else { return AttemptReading(call).nothingToCancel }
            return try await AttemptReading(call).cancel(id)
        },
    ]

    /// Simulated readers and providers; there are none beside real ones.
    static let simulator: [Operation] = [
        .post(
            "tapCard", "/v1/simulator/readers/{reader}/tap", "Lays a test card in front of a simulated reader.",
            by: .till, Takes().needs(.reader).needs(.card), gives: ReaderView.shape.any,
            refuses: [.notFound, .conflict]
        ) { call in
            let view = try ReaderView.named(call)
            guard let simulator = call.service.options.simulator, let cards = simulator.cards(view.provider) else {
                throw Problem.notFound("simulated reader")
            }
            let card = try call.input.need(.card)
            guard cards.contains(card) else {
                throw Problem(.conflict, "The reader has no such card. It has \(cards.joined(separator: ", ")).")
            }
            simulator.tap(card, view.provider)
            return view.answer(call)
        },
        .post(
            "injectFault", "/v1/simulator/faults", "Lets a simulated provider misbehave on its next requests.",
            by: .till, Takes().needs(.fault).may(.provider).may(.times).may(.skip), gives: Self.armed,
            refuses: [.notFound, .conflict]
        ) { call in
            guard let simulator = call.service.options.simulator else { throw Problem.notFound("simulator") }
            let provider = call.input[.provider].map { ProviderID(rawValue: $0) }
            if let provider, simulator.cards(provider) == nil { throw Problem.notFound("simulated provider") }
            let fault = try call.input.need(.fault)
            guard simulator.faults.contains(fault) else {
                throw Problem(
                    .conflict, "There is no such fault. There are \(simulator.faults.joined(separator: ", ")).")
            }
            let (times, skip) = (Int(call.input[.times] ?? 1), Int(call.input[.skip] ?? 0))
            guard simulator.misbehave(fault, provider, times, skip) else {
                throw Problem(.conflict, "Too many faults wait already.")
            }
            return Operation.Answer(body: ["fault": .string(fault), "times": .count(times)])
        },
    ]

    private static let armed = AnyShape(
        name: "ArmedFault", schema: Schema.object([("fault", Schema.text), ("times", Schema.count)]))
}

extension Parameter where Value == String {
    static let reader = Parameter("reader", .token, "The reader's name.", example: "adyen")
    static let card = Parameter("card", .text(1...64), "The test card's name.", example: "visa")
    static let fault = Parameter("fault", .token, "The fault's name.", example: "reply.lost")
}

extension Parameter where Value == Int64 {
    static let times = Parameter("times", .integer(1...1_000), "On how many requests; 1 by default.", example: 1)
    static let skip = Parameter("skip", .integer(0...1_000), "How many requests are let through before.", example: 0)
}
