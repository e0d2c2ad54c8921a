internal import PaymentConformance
internal import PaymentCore
internal import PaymentJournalKit
internal import PaymentLinux
internal import PaymentPostgres
internal import PaymentProviderKit
internal import PaymentSimulator
internal import PaymentTesting
internal import Payments

/// `payctl conformance PROVIDER --live`: the safe checks at a configured test environment, or off a recording of it.
struct LiveCommand {
    static let options: [AcceptedArguments.Option] = [
        .flag(
            "live",
            "tries the safe checks at the configured test environment of one provider, with a person at the reader"),
        .value("amount", "AMOUNT", "of each payment of a live run; 10.00, or as it was recorded"),
        .value("currency", "CODE", "of a live run; EUR, or as it was recorded"),
        .value("payments", "N", "how many payments it may take, 1 to 20; 4, or as it was recorded"),
        .value("confirm", "TOTAL", "confirms the total of a live run beforehand, as in 30.00"),
        .value("by", "NAME", "who stands at the reader, for the report"),
        .value("cassette", "FILE", "plays a live run off its recording instead"),
        .config, .state,
        .value("within", "SECONDS", "how long a card is waited for in a live run; 60 by default"),
    ]

    private let call: Invocation
    private let configuration: PaymentConfiguration
    private let provider: ConfiguredProvider
    private let amount: Money
    private let paymentsMax: Int
    private let within: Duration
    private let files: ReportFiles
    private let cassette: Cassette?

    /// Whether a command line means a live run, or one off its recording.
    ///
    /// - Throws: `UsageError` where it has an option that says nothing without one.
    static func isMeant(_ given: GivenArguments) throws(UsageError) -> Bool {
        if given.has("live") || given.has("cassette") { return true }
        for name in ["amount", "currency", "payments", "confirm", "by", "within"] where given.has(name) {
            throw UsageError(message: "--\(name) goes with --live")
        }
        return false
    }

    init(_ call: Invocation) throws {
        self.call = call
        files = try ReportFiles(call.given)
        cassette = try call.given["cassette"].map { path throws(UsageError) in try CassetteFile.read(path) }
        let name = try call.operand(0, "PROVIDER")
        if call.given.operands.count > 1 { throw UsageError(message: "--live takes one provider") }
        configuration = try call.configuration()
        provider = try configuration.providers.picked(name, "configured provider", by: \.id.rawValue)
        if let reason = Self.refusal(provider, call.registry) { throw UsageError(message: reason) }
        let notes = cassette?.header.notes ?? [:]
        let currency = call.given["currency"] ?? notes["currency"]?.string ?? "EUR"
        amount = try call.money(call.given["amount"] ?? notes["amount"]?.string ?? "10.00", call.currency(currency))
        paymentsMax = Int(try call.integer("payments", in: 1...20, notes["payments"]?.int64 ?? 4))
        within = .seconds(try call.integer("within", in: 1...3_600, 60))
    }

    /// Names of environments in which no money is real.
    private static let tests = ["test", "sandbox", "uat", "staging", "simulated"]

    /// Whether no money is real where a provider is configured.
    static func isTest(_ provider: ConfiguredProvider) -> Bool {
        provider.isSimulated || tests.contains(provider.environment)
    }

    /// Why nothing is tried there; nil where it may be.
    static func refusal(_ provider: ConfiguredProvider, _ registry: CommandRegistry) -> String? {
        if BuiltinSimulator.hold(provider, registry) {
            return "\(provider.id) is simulated within this program; run it without --live, or open one with "
                + "`payctl sandbox --write-config FILE` and name that file with --config"
        }
        if provider.isSimulated { return nil }
        let hosts = provider.addresses.map { $0.host.lowercased() }
        // The shop's own addresses are among them, such as delivery.example.
        let real = hosts.first { host in
            host.split { ".-".contains($0) }.contains { $0.hasPrefix("live") || $0.hasPrefix("prod") }
        }
        guard tests.contains(provider.environment), real == nil else {
            let host = real ?? provider.endpoint.host
            return "\(provider.id) is configured for \(provider.environment) at \(host), where money may be real; "
                + "a live run takes one of the environments \(tests.joined(separator: ", "))"
        }
        return nil
    }

    func play() async throws -> ExitStatus {
        let clock = SystemClock()
        let start = clock.now
        var header = Cassette.Header(
            provider: provider.entry.adapter, environment: provider.isSimulated ? "simulated" : provider.environment,
            clock: start, seed: UInt64(start))
        header.notes = CassetteFile.notes
        header.notes["by"] = .string(by)
        header.notes["amount"] = .string(amount.decimalText)
        header.notes["currency"] = .string(amount.currency.code)
        header.notes["payments"] = .number(JSONNumber(Int64(paymentsMax)))
        let seed = cassette?.header.seed ?? header.seed
        let recorder = SectionRecorder(call.watch.over(CurlTransport()), header, clock: clock)
        let player = cassette.map { SectionReplayTransport($0, clock: clock) }
        let known = provider.entry.environment(provider.environment)?.publicCredentials.values.map { Secret($0) } ?? []
        let secrets = RememberingSecrets(SystemSecretResolver(folder: call.configurationFolder), known)
        let client = try await open(player ?? recorder, secrets, seed: seed, inMemory: cassette != nil)
        let view = try client.provider(provider.id)
        guard view.capabilities.sources.contains(.reader) else {
            throw UsageError(message: "\(provider.id) takes no card at a reader, and a live run types no card's number")
        }
        if cassette == nil, try !isConfirmed(LiveRun.count(view)) {
            call.note("It was not confirmed; nothing was sent.")
            return .refused
        }
        var run = LiveRun(
            client: client, provider: provider.id, amount: amount, paymentsMax: paymentsMax, within: within,
            run: Self.name(seed),
            begin: { take in
                recorder.begin(take, hiding: secrets.all)
                player?.begin(take, hiding: secrets.all)
            }, ask: cassette == nil ? asker : nil)
        run.leftOut = { check in
            let recorded = player?.outcome(check)
            return recorded?["status"]?.string == "skipped" ? recorded?["detail"]?.string : nil
        }
        var changes: [(check: String, recorded: String, now: String)] = []
        let (results, closings) = try await run.play { result in
            recorder.note("outcome", result.outcome)
            call.note("\(result.status.rawValue.padded(to: 13)) \(result.check.id) \(result.detail)")
            if let recorded = player?.outcome(result.check.id), recorded != result.outcome {
                changes.append((result.check.id, recorded.line, result.outcome.line))
            }
        }
        try await client.flush()
        // What a real account answered is for this user's eyes, although secrets are struck out.
        if let path = call.given["record"], cassette == nil {
            try CommandFile.write(recorder.cassette.text, path, isPrivate: true)
        }
        let report = LiveReport(
            provider: provider, by: cassette?.header.notes["by"]?.string ?? by, at: cassette?.header.clock ?? start,
            isReplay: cassette != nil, results: results, closings: closings, changes: changes,
            differences: player?.differences ?? [])
        try files.tell(call, report.document, report.json, report.lines(call.paint))
        return report.isFine ? .fine : .failed
    }

    /// What the attempts of a run are called: short enough never to look like a card's number.
    static func name(_ seed: UInt64) -> String { "live-" + String(seed, radix: 36) }

    private var by: String { call.given["by"] ?? "not named" }

    /// Asks the person at the reader; what comes too late is left to the provider's own deadline.
    private var asker: (@Sendable (String) -> String?)? { call.console.ask }

    private func isConfirmed(_ count: Int) throws -> Bool {
        let payments = min(count, paymentsMax)
        let total = try amount.multiplied(by: Int64(payments))
        let words =
            "At most \(payments) payments of \(amount), \(total) together, at \(provider.identity). Everything is "
            + "voided or refunded at the end."
        call.note(words)
        let typed = call.given["confirm"] ?? call.console.ask?("Type \(total.decimalText) to continue: ")
        return typed == total.decimalText
    }

    private func open(
        _ transport: any HTTPTransport, _ secrets: RememberingSecrets, seed: UInt64, inMemory: Bool
    ) async throws -> PaymentClient {
        let state = try call.given["state"].map { StateDirectory($0) } ?? .user()
        try state.make()
        let folder = call.configurationFolder
        let journal =
            inMemory
            ? JournalStore.memory
            : try await Journals.open(configuration.journal, folder: folder, state: state, others: [.postgres])
        return try await PaymentClient.open(configuration: configuration, folder: folder) { options in
            options.journal = JournalStore(RunNumbers(journal.journal, first: Int64(seed / 1_000 % 4_000_000_000)))
            (options.transport, options.secrets) = (transport, secrets)
            options.random = SeededRandom(seed: seed)
            // Every run signs in again, so that a recording of it is whole.
            options.tokens = InMemoryTokenStore()
            if provider.isSimulated {
                let reader = SimulatedReader(clock: SystemClock())
                options.reader = reader
            }
            TerminalPrompts.agree(&options.answers)
        }
    }

    /// Numbers for the names of messages, from the moment of the run on: never used before, and the same off a recording.
    private final class RunNumbers: JournalWrapper {
        let inner: any Journal
        private let next: Locked<Int64>
        init(_ inner: any Journal, first: Int64) { (self.inner, next) = (inner, Locked(first)) }
        func draw(_ count: Int64) async throws(JournalFailure) -> Int64 {
            next.withLock { next in
                defer { next += count }
                return next
            }
        }
    }
}

/// Follows references to secrets and remembers what they led to, so that nothing of it is recorded.
final class RememberingSecrets: SecretResolver {
    private let inner: any SecretResolver
    private let seen: Locked<[Secret]>

    init(_ inner: any SecretResolver, _ known: [Secret]) { (self.inner, seen) = (inner, Locked(known)) }

    /// Every secret so far.
    var all: [Secret] { seen.withLock { $0 } }

    private func remember(_ secret: Secret) -> Secret {
        seen.withLock { $0.append(secret) }
        return secret
    }

    func environment(_ name: String) async throws(SecretResolutionError) -> Secret {
        remember(try await inner.environment(name))
    }
    func file(_ path: String) async throws(SecretResolutionError) -> Secret { remember(try await inner.file(path)) }
    func command(_ words: [String]) async throws(SecretResolutionError) -> Secret {
        remember(try await inner.command(words))
    }
}
