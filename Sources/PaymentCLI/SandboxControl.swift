internal import PaymentLinux
internal import PaymentProviderKit
internal import PaymentSimulator
internal import Payments

extension Command {
    /// The time that simulated providers live by.
    static let sandboxClock = Command(
        name: "sandbox clock", summary: "shows the time of the simulated providers, or puts it forward",
        example: "payctl sandbox clock --advance 1d",
        takes: AcceptedArguments(
            options: SandboxControl.options + [
                .value("advance", "TIME", "how far: a number with ms, s, m, h or d behind it")
            ])
    ) { call in
        let milliseconds = try call.given["advance"].map { text throws(UsageError) in try duration(text) }
        return try await SandboxControl.use(call) { control in
            if let milliseconds {
                _ = try await control.ask(
                    "POST", "/clock/advance", ["milliseconds": .number(JSONNumber(milliseconds))])
            }
            let clock = try await control.ask("GET", "/clock")
            let (now, offset) = (clock["now"]?.int64 ?? 0, clock["offset"]?.int64 ?? 0)
            call.say(
                ["now": .string(now.time), "offsetMilliseconds": .number(JSONNumber(offset))],
                [
                    "the simulated providers have \(now.time)",
                    offset == 0 ? "as this machine has" : "\(Self.words(offset)) ahead of this machine",
                ])
            return .fine
        }
    }

    /// Ways to misbehave.
    static let sandboxFault = Command(
        name: "sandbox fault",
        summary: "lets simulated providers misbehave on the next requests; without a name lists how, and what waits",
        example: "payctl sandbox fault reply.lost --provider adyen --path '*/sync' --times 1",
        takes: AcceptedArguments(
            operands: ["[FAULT]"],
            options: SandboxControl.options + [
                .value("provider", "NAME", "only on requests to this one"),
                .value(
                    "path", "PATTERN",
                    "only on requests to this path, as /payments/:id/refund, where :id is any piece; or *END"),
                .value("times", "N", "on how many requests; 1 by default"),
                .value("skip", "N", "lets so many through before"),
                .flag("clear", "takes back everything that waits"),
            ])
    ) { call in
        let name = call.operand(0)
        if let name { _ = try WireFault.all.picked(name, "fault", by: \.rawValue) }
        var rule = JSONObject()
        rule["fault"] = name.map { .string($0) }
        rule["provider"] = call.given["provider"].map { .string($0) }
        rule["path"] = call.given["path"].map { .string($0) }
        rule["times"] = .number(JSONNumber(try call.integer("times", in: 1...Int64(FaultRule.timesMax), 1)))
        rule["skip"] = .number(JSONNumber(try call.integer("skip", in: 0...Int64(FaultRule.timesMax), 0)))
        return try await SandboxControl.use(call) { [rule] control in
            if let provider = call.given["provider"] { try await control.check(provider) }
            if call.given.has("clear") { _ = try await control.ask("DELETE", "/faults") }
            if name != nil { _ = try await control.ask("POST", "/faults", .object(rule)) }
            let faults = try await control.ask("GET", "/faults")
            let armed = faults["armed"]?.array ?? []
            let all = faults["all"]?.array?.compactMap { $0["id"]?.string } ?? []
            let isList = name == nil && !call.given.has("clear")
            call.say(
                ["armed": .array(armed), "all": .texts(all)],
                (isList ? WireFault.listed : [])
                    + (armed.isEmpty ? ["no fault waits"] : ["waiting:"] + armed.map { "  " + Self.words($0) }))
            return .fine
        }
    }

    /// Decisions of simulated providers.
    static let sandboxDecide = Command(
        name: "sandbox decide",
        summary: "has a simulated provider decide what is pending, or fail what was done; it reports by a webhook",
        example: "payctl sandbox decide adyen ATTEMPT succeeds",
        takes: AcceptedArguments(
            operands: ["PROVIDER", "ATTEMPT", "OUTCOME"], options: SandboxControl.options + [SandboxControl.config])
    ) { call in
        let (provider, attempt) = (try call.operand(0, "PROVIDER"), try call.operand(1, "ATTEMPT"))
        let outcome = try call.operand(2, "OUTCOME")
        let known = ["succeeds", "fails", "failsLater"]
        guard known.contains(outcome) else {
            throw UsageError.unknown("outcome", outcome, of: known)
        }
        return try await SandboxControl.use(call) { control in
            try await control.check(provider)
            let before = try await control.movements(of: provider)
            _ = try await control.ask(
                "POST", "/decisions/\(provider.pathPiece)",
                ["attempt": .string(attempt), "outcome": .string(outcome)])
            // What is left may not allow it any more: then the provider says no, whatever it was to decide.
            let after = try await control.movements(of: provider)
            let isRefused = outcome == "succeeds" && after == before
            let words = isRefused ? "it fails, since what is left does not allow it" : decided[outcome] ?? outcome
            let next = call.given["at"] == nil ? call.command("status --attempt \(attempt)") : nil
            call.say(
                [
                    "provider": .string(provider), "attempt": .string(attempt),
                    "outcome": .string(isRefused ? "fails" : outcome), "next": .text(next),
                ],
                ["\(provider) has decided: \(words)"]
                    + (next.map { ["its message comes in with the next command about money", "next       \($0)"] }
                        ?? ["its message goes to the receiver that --notify names"]))
            return .fine
        }
    }

    private static let decided = [
        "succeeds": "it succeeds", "fails": "it fails", "failsLater": "it fails after all",
    ]

    /// A customer at a page of a simulated provider.
    static let sandboxVisit = Command(
        name: "sandbox visit",
        summary: "opens a page of a simulated provider as its customer, and pays there",
        example: "payctl sandbox visit ecommpay ADDRESS --card mastercard",
        takes: AcceptedArguments(
            operands: ["PROVIDER", "ADDRESS"],
            options: SandboxControl.options + [
                .value("card", "NAME", "a test card of the provider; its first by default"),
                SandboxControl.config,
            ])
    ) { call in
        let (provider, address) = (try call.operand(0, "PROVIDER"), try call.operand(1, "ADDRESS"))
        let cards = (call.registry.sandboxes.first { $0.name == provider }?.cards ?? TestCard.usual)
            .filter { !$0.number.isEmpty }
        let card = try cards.picked(call.given["card"] ?? cards.first?.name ?? "", "card", by: \.name)
        return try await SandboxControl.use(call) { control in
            try await control.check(provider)
            _ = try await control.ask(
                "POST", "/visits/\(provider.pathPiece)", ["page": .string(address), "card": .string(card.number)])
            let next = call.given["at"] == nil ? call.command("recover") : nil
            call.say(
                ["provider": .string(provider), "card": .string(card.name), "next": .text(next)],
                ["the customer has given the card \(card.name): \(card.summary)"]
                    + (next.map { ["its message comes in with the next command about money", "next       \($0)"] }
                        ?? ["its message goes to the receiver that --notify names"]))
            return .fine
        }
    }

    /// A time as it is typed, in milliseconds.
    private static func duration(_ text: String) throws(UsageError) -> Int64 {
        let units: [(String, Int64)] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)]
        for (unit, milliseconds) in units {
            guard text.hasSuffix(unit), let number = Int64(text.dropLast(unit.count)), number >= 0 else { continue }
            let (product, overflow) = number.multipliedReportingOverflow(by: milliseconds)
            if !overflow, product <= SimulatorClock.advanceMillisecondsMax { return product }
        }
        throw UsageError(message: "--advance takes a time up to ten years, such as 90s, 15m, 36h or 1d, not \(text)")
    }

    private static func words(_ milliseconds: Int64) -> String {
        for (unit, size) in [("d", Int64(86_400_000)), ("h", 3_600_000), ("m", 60_000), ("s", 1_000)]
        where milliseconds >= size { return "\(milliseconds / size) \(unit)" }
        return "\(milliseconds) ms"
    }

    /// A fault that waits, for people.
    private static func words(_ armed: JSON) -> String {
        var words = "\(armed["fault"]?.string ?? "") on \(armed["times"]?.int64 ?? 0) request(s)"
        if let provider = armed["provider"]?.string { words += " to \(provider)" }
        if let path = armed["path"]?.string { words += " at \(path)" }
        if let skip = armed["skip"]?.int64, skip > 0 { words += ", after \(skip)" }
        return words
    }
}

extension WireFault {
    /// Every fault, in as few lines as a terminal has room for.
    fileprivate static var listed: [String] {
        all.map(\.rawValue).joined(separator: " ").wrapped(to: 78, indent: "  ")
    }
}

/// The control address of simulated providers: of those within this program, or of a `payctl sandbox` that runs.
struct SandboxControl {
    /// What the commands about simulated providers take.
    static let options: [AcceptedArguments.Option] = [
        .value("at", "URL", "the control address of a running sandbox; by default the built-in one"),
        .state,
    ]

    /// What the next command is to name.
    static let config = AcceptedArguments.Option.value(
        "config", "FILE", "the configuration of the command to type next, which is then printed")

    private let call: Invocation
    private let transport: any HTTPTransport
    private let origin: Origin

    /// Opens the control address for the time of a closure.
    static func use(
        _ call: Invocation, _ body: (SandboxControl) async throws -> ExitStatus
    ) async throws -> ExitStatus {
        if let text = call.given["at"] {
            guard let origin = Origin(text) else {
                throw UsageError(message: "--at needs an address as the sandbox prints it, not \(text)")
            }
            let transport = CurlTransport()
            let control = SandboxControl(call: call, transport: call.watch.over(transport), origin: origin)
            let status: ExitStatus
            do { status = try await body(control) } catch {
                await transport.close()
                throw error
            }
            await transport.close()
            return status
        }
        let state = try call.given["state"].map { StateDirectory($0) } ?? .user()
        let providers = try await BuiltinSimulator.open(call, state)
        defer { providers.close() }
        return try await body(
            SandboxControl(call: call, transport: providers.sandbox.transport, origin: SimulatedProviders.controlOrigin)
        )
    }

    /// Refuses a provider that isn't among the simulated ones.
    func check(_ name: String) async throws {
        let names = try await providers().compactMap { $0["name"]?.string }.sorted()
        if !names.contains(name) { throw UsageError.unknown("provider", name, of: names) }
    }

    /// How many movements a provider's books have.
    func movements(of name: String) async throws -> Int64? {
        try await providers().first { $0["name"]?.string == name }?["movementCount"]?.int64
    }

    private func providers() async throws -> [JSON] { try await ask("GET", "/providers")["providers"]?.array ?? [] }

    /// Asks, and gives the answer's body.
    ///
    /// - Throws: `notFound` or `invalidRequest`, nothing moved, with what the control address says; `network`.
    func ask(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        var request = HTTPRequest(method, origin, path)
        if let body {
            request.headers["Content-Type"] = "application/json"
            request.body = body.bytes()
        }
        let response: HTTPResponse
        do throws(TransportFailure) { response = try await transport.exchange(request) } catch {
            throw PaymentError(
                .network, outcome: .notExecuted, detail: "no sandbox answers", diagnosis: error.diagnosis)
        }
        let answer = try? JSONReader().read(response.body)
        guard (200...299).contains(response.status) else {
            let words = answer?["error"]?["message"]?.string ?? "the status is \(response.status)"
            throw PaymentError.notExecuted(response.status == 404 ? .notFound : .invalidRequest, words)
        }
        return answer ?? [:]
    }
}
