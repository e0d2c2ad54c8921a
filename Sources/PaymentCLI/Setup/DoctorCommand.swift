internal import PaymentCore
internal import PaymentJournalKit
internal import PaymentLinux
internal import PaymentPostgres
internal import PaymentProviderKit
internal import PaymentSQLite
internal import PaymentSimulator
internal import Payments

extension Command {
    /// Looks for whatever would go wrong at the first payment.
    static let doctor = Command(
        name: "doctor",
        summary: "checks configuration, credentials, addresses, TLS, clocks and the journal, and says what to do",
        example: "payctl doctor", takes: .configured()
    ) { call in
        var doctor = Doctor(call)
        try await doctor.examine()
        call.say(
            ["findings": .array(doctor.findings.map(\.json))],
            doctor.findings.flatMap { $0.lines(call.paint) } + doctor.next)
        if doctor.findings.contains(where: { $0.grade == .bad && $0.check == "configuration" }) { return .usage }
        return doctor.findings.contains { $0.grade == .bad } ? .failed : .fine
    }
}

/// One examination.
struct Doctor {
    /// One thing that was looked at.
    struct Finding: Sendable {
        enum Status: String, Sendable { case good, doubtful, bad, untried }

        let check: String
        let grade: Status
        let words: String
        /// What to do; empty where nothing is to be done.
        var advice = ""

        var json: JSON {
            [
                "check": .string(check), "status": .string(grade.rawValue), "detail": .string(words),
                "advice": .string(advice),
            ]
        }

        func line(_ paint: Paint) -> String {
            let word =
                switch grade {
                case .good: paint.good("fine    ")
                case .doubtful: paint.doubt("doubtful")
                case .bad: paint.bad("wrong   ")
                case .untried: "untried "
                }
            return "\(word) \(check): \(words)" + (advice.isEmpty ? "" : ". \(advice)")
        }

        /// The same for a terminal; what has several lines keeps them.
        func lines(_ paint: Paint) -> [String] {
            let parts = line(paint).split(separator: "\n").map(String.init)
            return parts.prefix(1) + parts.dropFirst().map { "         \($0)" }
        }
    }

    /// How far the clock may be from a provider's before it matters, in milliseconds.
    static let skewMillisecondsMax: Int64 = 30_000
    /// How long a provider may take to answer, in milliseconds.
    static let answerMilliseconds: Int64 = 8_000

    private let call: Invocation
    private(set) var findings: [Finding] = []
    /// The commands that correct what was found.
    private var mending: [String] = []

    init(_ call: Invocation) { self.call = call }

    private mutating func note(_ check: String, _ grade: Finding.Status, _ words: String, _ advice: String = "") {
        // What is wrong may be a number or a credential that was typed in the wrong place.
        findings.append(Finding(check: check, grade: grade, words: MaskedMessage.of(words), advice: advice))
    }

    /// The command to type next, where a file is the first thing that is missing.
    var next: [String] {
        if !CommandFile.isThere(call.configurationPath), !call.isBuiltin { return ["next       payctl init"] }
        return mending.map { "next       \($0)" }
    }

    mutating func examine() async throws {
        let configuration: PaymentConfiguration
        do throws(PaymentError) { configuration = try call.configuration() } catch {
            return note("configuration", .bad, error.detail)
        }
        let count = configuration.providers.count
        note(
            "configuration", .good,
            call.isBuiltin
                ? "there is no providers.json here: all \(count) providers are simulated within this program"
                : "\(configuration.file) names \(count) provider\(count == 1 ? "" : "s")")
        let isWhole = await examineCredentials(configuration)
        for provider in configuration.providers {
            if BuiltinSimulator.hold(provider, call.registry) {
                note("\(provider.id)", .good, "simulated within this program: nothing to reach")
                continue
            }
            var isReached = true
            for address in provider.addresses { isReached = await examineAddress(provider, address) && isReached }
            if isWhole, isReached { await examineAccess(provider, configuration) }
            noteUntried(provider)
        }
        if let problem = SimulatedPayments.problem(configuration) { note("configuration", .bad, problem) }
        await examineJournal(configuration)
    }

    /// What can't be tried without money or without a person.
    private mutating func noteUntried(_ provider: ConfiguredProvider) {
        if let link = provider.link {
            let name = "\(provider.id)"
            if !link.environments.contains(provider.environment) {
                note(name, .bad, "link \(link.name) does not exist at \(provider.environment)")
            } else if link.kind == .sdk {
                note(
                    name, .untried,
                    "link \(link.name) is for \(link.purpose): your application hands the SDK over, and payctl has none"
                )
            } else {
                note(name, .good, "link \(link.name) is for \(link.purpose)")
            }
            if let limit = link.limits[provider.environment] { note(name, .doubtful, limit) }
        }
        for caution in provider.entry.cautions(provider) { note("\(provider.id)", .doubtful, caution) }
        var left = ["a payment"]
        if let key = provider.entry.webhookCredential {
            left.append(
                provider.hasWebhookKey
                    ? "webhooks, until the first one comes" : "webhooks, which are all refused without \(key)")
        }
        if provider.settings["terminal"] != nil { left.append("the terminal itself") }
        note("\(provider.id)", .untried, left.joined(separator: "; "))
    }

    private mutating func examineCredentials(_ configuration: PaymentConfiguration) async -> Bool {
        // Reaches nothing: credentials are found without asking a provider.
        var tools = ProviderDependencies(transport: InProcessTransport([:]))
        tools.crypto = OpenSSLCrypto()
        tools.delegates = AbsentSDK.delegates(of: configuration)
        do throws(PaymentError) {
            _ = try await configuration.drivers(tools, secrets: SystemSecretResolver(folder: call.configurationFolder))
            note("credentials", .good, "every credential is there and every adapter takes its settings")
            return true
        } catch {
            note("credentials", .bad, error.detail)
            return false
        }
    }

    /// Asks the provider something that moves nothing, to see whether it takes the credentials.
    private mutating func examineAccess(_ provider: ConfiguredProvider, _ configuration: PaymentConfiguration) async {
        let name = "\(provider.id)"
        let transport = CurlTransport()
        let probe = AccessProbe(provider.id, configuration, call.configurationFolder, call.watch.over(transport))
        let answer = await Self.inTime { await probe.ask() }
        await transport.close()
        switch answer {
        case .taken(let what): note(name, .good, "its credentials are taken (asked for \(what))")
        case .nothingToAsk: note(name, .untried, "its credentials: it answers nothing without a payment")
        case .refused(let error):
            note(
                name, .bad, "its credentials are refused: \(error.detail)",
                "Are they those of the environment \(provider.environment) and of \(provider.merchant)?")
        case .failed(let error):
            let why = error.diagnosis?.words ?? error.detail
            note(name, .doubtful, "whether its credentials are taken could not be seen: \(error.code.rawValue), \(why)")
        case nil: note(name, .doubtful, "it did not say in time whether it takes the credentials")
        }
    }

    /// Asks for nothing, to see whether a server answers, with a certificate that is trusted, at our time.
    private mutating func examineAddress(_ provider: ConfiguredProvider, _ origin: Origin) async -> Bool {
        let name = "\(provider.id)"
        let transport = CurlTransport()
        let answer = await Self.inTime { await Self.ask(transport, origin) }
        await transport.close()
        switch answer {
        case nil:
            note(name, .bad, "\(origin) does not answer", "Check the network and the firewall.")
            return false
        case .failure(let failure):
            note(name, .bad, "\(origin): \(failure.diagnosis?.words ?? "\(failure.reason)")", Self.advice(failure))
            return false
        case .success(let response):
            note(name, .good, "\(origin) answers\(origin.scheme == .https ? ", and its certificate is trusted" : "")")
            guard let text = response.headers["Date"], let there = HTTPDate.milliseconds(text) else { return true }
            let skew = abs(there - SystemClock().now)
            if skew > Self.skewMillisecondsMax, provider.isSimulated {
                note(
                    "clock", .doubtful, "\(origin)'s clock is \(skew / 1_000) s away from this machine's",
                    "It was put forward: what lapses there has lapsed, and what is dated here looks old.")
            } else if skew > Self.skewMillisecondsMax {
                note(
                    "clock", .bad, "this machine's clock is \(skew / 1_000) s away from \(origin)'s",
                    "Set it, for instance with NTP: tokens and signatures depend on it.")
            }
            return true
        }
    }

    /// What something comes to while one waits; nil where it takes too long.
    private static func inTime<Answer: Sendable>(_ ask: @escaping @Sendable () async -> Answer?) async -> Answer? {
        await withTaskGroup(of: Answer?.self) { group in
            group.addTask { await ask() }
            group.addTask {
                let clock = SystemClock()
                try? await clock.sleep(until: clock.now + answerMilliseconds)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private static func ask(
        _ transport: any HTTPTransport, _ origin: Origin
    ) async -> Result<HTTPResponse, TransportFailure>? {
        do throws(TransportFailure) { return .success(try await transport.send(HTTPRequest("GET", origin, "/"))) } catch
        {
            return .failure(error)
        }
    }

    private static func advice(_ failure: TransportFailure) -> String {
        switch failure.reason {
        case .nameNotResolved: "Is the host's name right, and does this machine have a name server?"
        case .connectionRefused: "No program listens there: check the port, or start the program."
        case .tlsFailed: "Its certificate is not trusted, or speaks another TLS: check the host and the roots."
        default: "Check the address, the network and the firewall."
        }
    }

    private mutating func examineJournal(_ configuration: PaymentConfiguration) async {
        do {
            if let options = try await ConfiguredJournal.database(call) {
                let journal = try await PostgresJournal.open(options)
                let open = try await Self.open(journal)
                let doubts = journal.warnings
                let refusal = try await journal.refusal()
                let hasGap = try await journal.hasGap()
                try await examineWebhooks(journal, configuration)
                try await examineWorld(journal, configuration)
                try await examineGaps(journal)
                try await examineAccounts(journal, open, configuration)
                await journal.close()
                if refusal == nil {
                    note("journal", .good, "the database can be used, in the schema \(options.schema)")
                }
                for doubt in doubts where doubt != refusal { note("journal", .doubtful, doubt) }
                noteBeginnings("the schema \(options.schema)", refusal, hasGap: hasGap)
                noteOpen(open)
                return
            }
            guard let path = try ConfiguredJournal.place(call, configuration) else {
                return note(
                    "journal", .doubtful, "it is in memory and forgets everything with the process",
                    "Choose \"kind\": \"sqlite\" before real money moves.")
            }
            let (journal, readOnly) = try await ConfiguredJournal.read(path)
            if let readOnly {
                note(
                    "journal", .bad, "\(path) can only be read: \(readOnly)",
                    "No payment can be taken until it can be written.")
            }
            let report = try await journal.check(at: ConfiguredJournal.now)
            let refusal = try await journal.refusal()
            let hasGap = try await journal.hasGap()
            let open = try await Self.open(journal)
            try await examineWebhooks(journal, configuration)
            try await examineWorld(journal, configuration)
            try await examineGaps(journal)
            try await examineAccounts(journal, open, configuration)
            await journal.close()
            if let problem = report.problems.first {
                note("journal", .bad, "\(path): \(report.problems.count) problems; the first: \(problem.words)")
            } else {
                note("journal", .good, "\(path): \(report.attempts.counted("attempt")), all readable")
            }
            noteBeginnings(path, refusal, hasGap: hasGap)
            noteOpen(open)
        } catch {
            note("journal", .bad, (error as? PaymentError)?.detail ?? "\(error)")
        }
    }

    /// Whether the journal begins attempts: all, those of its new generation alone, or none.
    private mutating func noteBeginnings(_ place: String, _ refusal: String?, hasGap: Bool) {
        if let refusal {
            note("journal", .bad, "\(place) begins nothing: \(refusal)")
            if !refusal.contains("--move") { mending.append(call.command("journal accept-restored")) }
        } else if hasGap {
            note(
                "journal", .doubtful, "\(place) was restored: ids of the application's own begin nothing",
                "Import what the backup lost, then run "
                    + "\(call.command("journal accept-restored --gap-closed --by NAME")).")
        }
    }

    /// Who said that what a restore lost is imported.
    private mutating func examineGaps(_ journal: any JournalMaintenance) async throws {
        for (person, moment) in try await journal.closedGaps() {
            note("journal", .good, "\(person) closed the gap of a restore at \(moment.time)")
        }
    }

    /// Whether the journal has payments of the other world, real or simulated.
    private mutating func examineWorld(
        _ journal: any JournalMaintenance, _ configuration: PaymentConfiguration
    ) async throws {
        if let problem = try await SimulatedPayments.problem(journal, configuration) { note("journal", .bad, problem) }
    }

    /// Which accounts the open and the newest payments have that no entry means under their name: they can't be asked
    /// about or refunded.
    private mutating func examineAccounts(
        _ journal: any Journal, _ open: [Attempt], _ configuration: PaymentConfiguration
    ) async throws {
        let newest = try await journal.attempts(.origins(scope: nil), after: nil, limit: 1_000).attempts
        let known = configuration.providers.map(\.identity)
        var payments: [String: Set<PaymentID>] = [:]
        for attempt in open + newest where attempt.account.adapter != ProviderIdentity.none.adapter {
            let account = attempt.account
            if known.contains(where: { $0.isExactly(account) }) { continue }
            payments[account.description, default: []].insert(attempt.intent.paymentID)
        }
        for (account, ids) in payments.sorted(by: { $0.key < $1.key }) {
            note(
                "journal", .doubtful,
                "no entry of the configuration means the account \(account), which has \(ids.count.counted("payment")) "
                    + "among the open and the newest ones: they can't be refunded or looked up",
                "Configure that account under that name, under \"draining\" if it takes nothing new.")
        }
    }

    /// Which proven messages came that are about another account than the configured one, and which wait for a person.
    private mutating func examineWebhooks(
        _ journal: any JournalMaintenance, _ configuration: PaymentConfiguration
    ) async throws {
        for provider in configuration.providers {
            for other in try await journal.otherAccounts(of: provider.identity) {
                note(
                    "\(provider.id)", .doubtful,
                    "proven webhooks came for the account \(other.account), the first at \(other.since.time), and "
                        + "\(provider.merchant) is configured: nothing of them was recorded",
                    "If that account is yours, change merchant; else let the provider send only those of "
                        + "\(provider.merchant) here.")
            }
        }
        let marks = try await journal.marks()
        guard let first = marks.first(where: \.mark.isProven) ?? marks.first else { return }
        note(
            "journal", first.mark.isProven ? .bad : .doubtful,
            "\(marks.count.counted("message")) wait for a person; the first: \(first.words)",
            "\(call.command("journal check")) shows them all.")
    }

    /// The open attempts of every scope; of very many the first.
    private static func open(_ journal: any Journal) async throws -> [Attempt] {
        try await journal.attempts(.open(scope: nil), after: nil, limit: 1_000).attempts
    }

    private mutating func noteOpen(_ open: [Attempt]) {
        if open.isEmpty { return }
        let commands = open.scopes.map { call.command("recover", scope: $0) }.joined(separator: ", then ")
        note(
            "journal", .doubtful, open.count == 1 ? "1 attempt is open" : "\(open.count) attempts are open",
            "Run \(commands).")
    }
}

/// One question to one provider that moves nothing, to see whether it takes our credentials.
struct AccessProbe: Sendable {
    /// What came of it.
    enum Answer: Sendable {
        /// It answered, also where it has no such thing.
        case taken(String)
        /// It said that we may not.
        case refused(PaymentError)
        /// Neither came of it.
        case failed(PaymentError)
        /// Nothing can be asked without a payment.
        case nothingToAsk
    }

    private let id: ProviderID
    private let configuration: PaymentConfiguration
    private let folder: String
    private let transport: any HTTPTransport

    init(_ id: ProviderID, _ configuration: PaymentConfiguration, _ folder: String, _ transport: any HTTPTransport) {
        (self.id, self.configuration, self.folder, self.transport) = (id, configuration, folder, transport)
    }

    func ask() async -> Answer {
        do throws(PaymentError) {
            // A journal in memory: what is looked at here is no business of the real one.
            let client = try await PaymentClient.open(configuration: configuration, folder: folder) {
                ($0.journal, $0.transport) = (.memory, transport)
                $0.delegates = AbsentSDK.delegates(of: configuration)
            }
            return try await ask(try client.provider(id))
        } catch {
            switch error.code {
            case .authentication, .permission: return .refused(error)
            // A search that finds nothing was let in.
            case .notFound: return .taken("a payment that isn't there")
            default: return .failed(error)
            }
        }
    }

    private func ask(_ view: ProviderClient) async throws(PaymentError) -> Answer {
        if let settings = view.settings {
            _ = try await settings.read()
            return .taken("the merchant's settings")
        }
        if let devices = view.devices {
            _ = try await devices.list()
            return .taken("the list of devices")
        }
        guard let transactions = view.transactions else { return .nothingToAsk }
        if view.capabilityTable["list"] {
            _ = try await transactions.list(ListQuery(limit: 1))
            return .taken("the list of transactions")
        }
        _ = try await transactions.details(["payment": "payctl-doctor"])
        return .taken("a payment that isn't there")
    }
}

extension ConfiguredProvider {
    /// Every address at which something of the provider's is, each once.
    var addresses: [Origin] {
        var addresses = [endpoint]
        for key in settings.keys.sorted() {
            let origin: Origin? =
                switch settings[key] {
                case .origin(let origin): origin
                case .address(let address): address.origin
                case .text, .integer, .boolean, .currencies, .milliseconds, nil: nil
                }
            if let origin, !addresses.contains(origin) { addresses.append(origin) }
        }
        return addresses
    }
}

/// The date of an HTTP head.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads `Sat, 21 Nov 2026 20:08:58 GMT`; nil when it is anything else.
    static func milliseconds(_ text: String) -> Int64? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else {
            return nil
        }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return Timestamp("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")?.milliseconds
    }
}

extension ConfiguredProvider {
    /// Whether there is something to prove webhooks with: configured, or of a simulated provider and known to everyone.
    var hasWebhookKey: Bool {
        guard let key = entry.webhookCredential else { return false }
        return credentials[key] != nil || entry.environment(environment)?.publicCredentials[key] != nil
    }
}
