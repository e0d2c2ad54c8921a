internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentJournal
internal import PaymentLinux
internal import PaymentProviderKit
internal import PaymentSandbox
internal import PaymentTransport
internal import Payments

extension Command {
    /// Looks for whatever would go wrong at the first payment.
    static let doctor = Command(
        name: "doctor",
        summary: "checks configuration, credentials, addresses, TLS, clock and journal, and says what to do",
        example: "payctl doctor", takes: AcceptedArguments(options: AcceptedArguments.Option.configured)
    ) { call in
        var doctor = Doctor(call)
        try await doctor.examine()
        call.say(
            ["findings": .array(doctor.findings.map(\.json))], doctor.findings.map { $0.line(call.paint) })
        if doctor.findings.contains(where: { $0.grade == .bad && $0.check == "configuration" }) { return .usage }
        return doctor.findings.contains { $0.grade == .bad } ? .failed : .fine
    }
}

/// One examination.
struct Doctor {
    /// One thing that was looked at.
    struct Finding: Sendable {
        enum Grade: String, Sendable { case good, doubtful, bad }

        let check: String
        let grade: Grade
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
                }
            return "\(word) \(check): \(words)" + (advice.isEmpty ? "" : ". \(advice)")
        }
    }

    /// How far the clock may be from a provider's before it matters, in milliseconds.
    static let skewMillisecondsMax: Int64 = 30_000
    /// How long a provider may take to answer, in milliseconds.
    static let answerMilliseconds: Int64 = 8_000

    private let call: Invocation
    private(set) var findings: [Finding] = []

    init(_ call: Invocation) { self.call = call }

    private mutating func note(_ check: String, _ grade: Finding.Grade, _ words: String, _ advice: String = "") {
        findings.append(Finding(check: check, grade: grade, words: words, advice: advice))
    }

    mutating func examine() async throws {
        let configuration: PaymentConfiguration
        do throws(PaymentError) { configuration = try call.configuration() } catch {
            return note("configuration", .bad, error.detail)
        }
        let count = configuration.providers.count
        note("configuration", .good, "\(configuration.file) names \(count) provider\(count == 1 ? "" : "s")")
        await examineCredentials(configuration)
        for provider in configuration.providers {
            if provider.settings.values.contains(.text("REPLACE-ME")) || provider.merchant == "REPLACE-ME" {
                note("\(provider.id)", .bad, "something in it is still to be filled in", "Look for REPLACE-ME.")
            }
            if EmbeddedProviders.hold(provider, call.registry) {
                note("\(provider.id)", .good, "simulated within this program: nothing to reach")
            } else {
                await examineAddress(provider)
            }
        }
        await examineJournal(configuration)
    }

    private mutating func examineCredentials(_ configuration: PaymentConfiguration) async {
        // Reaches nothing: credentials are checked without asking anybody.
        var tools = ProviderDependencies(transport: InProcessTransport([:]))
        tools.crypto = OpenSSLCrypto()
        do throws(PaymentError) {
            _ = try await configuration.drivers(tools, secrets: SystemSecrets(folder: call.configurationFolder))
            note("credentials", .good, "every credential is there and every adapter takes its settings")
        } catch {
            note("credentials", .bad, error.detail)
        }
    }

    /// Asks for nothing, to see whether somebody answers, with a certificate that is trusted, at our time.
    private mutating func examineAddress(_ provider: ConfiguredProvider) async {
        let (name, origin) = ("\(provider.id)", provider.endpoint)
        let clock = SystemClock()
        let transport = CurlTransport()
        let answer = await withTaskGroup(of: Result<HTTPResponse, TransportFailure>?.self) { group in
            group.addTask { await Self.ask(transport, origin) }
            group.addTask {
                try? await clock.sleep(until: clock.now + Self.answerMilliseconds)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        await transport.close()
        switch answer {
        case nil: note(name, .bad, "\(origin) does not answer", "Check the network and the firewall.")
        case .failure(let failure): note(name, .bad, "\(origin): \(failure.reason.rawValue)", Self.advice(failure))
        case .success(let response):
            note(name, .good, "\(origin) answers\(origin.scheme == .https ? ", and its certificate is trusted" : "")")
            guard let text = response.headers["Date"], let there = HTTPDate.milliseconds(text) else { return }
            let skew = abs(there - clock.now)
            if skew > Self.skewMillisecondsMax {
                note(
                    "clock", .bad, "this machine's clock is \(skew / 1_000) s away from \(origin)'s",
                    "Set it, for instance with NTP: tokens and signatures depend on it.")
            }
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
        case .connectionRefused: "Nobody listens there: check the port, or start what should."
        case .tlsFailed: "Its certificate is not trusted, or speaks another TLS: check the host and the roots."
        default: "Check the address, the network and the firewall."
        }
    }

    private mutating func examineJournal(_ configuration: PaymentConfiguration) async {
        do {
            guard let path = try JournalFileOption.place(call, configuration) else {
                return note(
                    "journal", .doubtful, "it is in memory and forgets everything with the process",
                    "Choose \"kind\": \"sqlite\" before real money moves.")
            }
            let journal = try await SQLiteJournal.open(path: path)
            let report = try await journal.check()
            let open = try await journal.page(.open, scope: "", after: nil, limit: 1_000).rows.count
            await journal.close()
            if let problem = report.problems.first {
                note("journal", .bad, "\(path): \(report.problems.count) problems; the first: \(problem.words)")
            } else {
                note("journal", .good, "\(path): \(report.attempts) attempts, all readable")
            }
            if open > 0 { note("journal", .doubtful, "\(open) attempts are open", "Run payctl recover.") }
        } catch {
            note("journal", .bad, (error as? PaymentError)?.detail ?? "\(error)")
        }
    }
}
