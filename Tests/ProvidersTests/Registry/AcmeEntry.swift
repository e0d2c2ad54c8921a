import PaymentAbstraction
import PaymentBase
import PaymentTransport
import Providers

/// An adapter from outside with every kind of setting; its driver is the memory driver.
enum AcmeEntry {
    static let settings = [
        Setting("terminal", .text(charactersMax: 32), .required, "The terminal's id."),
        Setting("region", .choice(["eu", "us"]), .required, "Where the account is."),
        Setting("retries", .integer(0...10), .otherwise(.integer(2)), "How often a look-up is repeated."),
        Setting("signs", .boolean, .otherwise(.boolean(false)), "Whether requests are signed."),
        Setting("takes", .currencies, .optional, "What the terminal shows."),
        Setting("waitMilliseconds", .milliseconds(100...60_000), .optional, "How long the terminal may think."),
        Setting("gateway", .origin, .optional, "Where cards are checked."),
        Setting("callback", .address, .optional, "Where results are sent."),
    ]

    static let credentials = [
        Credential("apiKey", "The key of the back office."),
        Credential("token", use: .whenNeeded, isOptional: true, "The till's token."),
    ]

    /// Hands everything that it is made of to `seen`.
    static func entry(
        _ adapter: String = "acme",
        seen: @escaping @Sendable (ProviderSettings, Toolbox) throws(PaymentError) -> Void = { _, _ in }
    ) -> ProviderEntry {
        ProviderEntry(
            adapter: adapter, company: "Acme Payments",
            environments: [
                ProviderEnvironment(
                    "test", endpoint: Origin(.https, "test.acme.example"),
                    defaults: ["gateway": .origin(Origin(.https, "gate.acme.example"))]),
                ProviderEnvironment("own", endpoint: nil),
            ],
            merchant: "The merchant's number at Acme.", settings: settings, credentials: credentials,
            errors: ErrorTable([])
        ) { settings, tools throws(PaymentError) in
            try seen(settings, tools)
            if try settings.text("terminal") == "T-refuse" {
                throw PaymentError(
                    .configuration, outcome: .nothingMoved, detail: "terminals of this kind are gone; order another")
            }
            let configuration = MemoryConfiguration(
                name: settings.id.rawValue, endpoint: settings.endpoint, merchant: settings.merchant,
                secret: try settings.secret("apiKey"))
            return MemoryDriver(configuration, tools.transport)
        }
    }

    static let registry = ProviderRegistry.builtin + [entry()]
}

/// Credentials out of a dictionary, by what stands in the reference.
struct FixedSecrets: SecretResolver {
    var values: [String: Secret] = [:]

    func environment(_ name: String) async throws(SecretFailure) -> Secret {
        guard let value = values[name] else {
            throw SecretFailure("the variable is not set", "Set it before the program starts.")
        }
        return value
    }

    func file(_ path: String) async throws(SecretFailure) -> Secret {
        guard let value = values[path] else { throw SecretFailure("there is no such file", "Write it.") }
        return value
    }

    func command(_ words: [String]) async throws(SecretFailure) -> Secret {
        guard let value = values[words[0]] else { throw SecretFailure("there is no such program", "Install it.") }
        return value
    }
}

/// Answers every request alike and remembers what came.
final class FixedTransport: HTTPTransport {
    private let answer: @Sendable (HTTPRequest) throws(TransportFailure) -> HTTPResponse
    private let seen = Locked([HTTPRequest]())

    init(_ answer: @escaping @Sendable (HTTPRequest) throws(TransportFailure) -> HTTPResponse) { self.answer = answer }

    var requests: [HTTPRequest] { seen.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        seen.withLock { $0.append(request) }
        return try answer(request)
    }

    /// A transport that nobody may use.
    static let none = FixedTransport { _ throws(TransportFailure) in throw .notSent(.connectionRefused) }
}
