internal import EcommpayProvider
internal import PaymentAbstraction
internal import PaymentBase
public import PaymentConformance
internal import PaymentLinux
internal import PaymentProviderKit
public import PaymentSandbox
public import PaymentTesting
internal import PaymentTransport

/// The harness of ecommpay: scripts by card or amount, every fault of the sandbox.
public struct EcommpayHarness: Harness {
    public let name = "ecommpay"
    public let declaration: Declaration

    private let injector: Carrier
    private let tokenizesAtGate: Bool
    /// The reading of the documents that its provider plays; nil for the usual one.
    private var reading: String?

    /// Makes the harness.
    ///
    /// - Parameter tokenizesAtGate: Whether tokens are made through the Gate and not in sessions.
    public init(_ injector: Carrier = .inProcess, tokenizesAtGate: Bool = false) {
        (self.injector, self.tokenizesAtGate) = (injector, tokenizesAtGate)
        var declaration = Declaration(faults: NeutralFault.sandbox)
        declaration.currencies = [.eur, .usd, .jpy, .krw, .kwd, .bhd, .clf]
        declaration.secrets = ["ecommpay-simulated-secret"]
        // A question that nobody answers is declined after half an hour.
        declaration.decidedAfterMilliseconds = 35 * 60_000
        for fault in NeutralFault.traceless {
            declaration.staysOpen[.init(.adjust, fault)] = .init(
                1, "nothing of ours names an increment, and what was never executed leaves no trace")
        }
        declaration.staysOpen[.init(.adjust, "request.duplicated")] = .init(
            1, "the payment shows two new increments, and a person has to look at that")
        declaration.approvesPartsUnasked =
            "no request says whether parts are wanted; with some cards the provider approves one and says so"
        for script in [PaymentScript.pin, .wrongPIN, .noPIN, .noCard, .unreadableCard] {
            declaration.missingScripts[script] = "there is no card reader, and nobody types a PIN"
        }
        self.declaration = declaration
    }

    public func open(_ scheduler: TestScheduler) throws -> any Fixture {
        var fixture = try EcommpayFixture(scheduler, injector, tokenizesAtGate)
        try fixture.connection.play(reading, fixture.backend)
        return fixture
    }
}

extension EcommpayHarness: ReadingHarness {
    public var readings: [SandboxReading] { EcommpayBackend.readings }

    public func playing(_ reading: String) -> EcommpayHarness {
        var copy = self
        copy.reading = reading
        return copy
    }
}

/// One fresh provider with one shop in front of it.
struct EcommpayFixture: ConnectionFixture {
    let backend: EcommpayBackend
    var connection: ProviderConnection
    private let tokenizesAtGate: Bool

    init(_ scheduler: TestScheduler, _ injector: Carrier, _ tokenizesAtGate: Bool) throws {
        let backend = EcommpayBackend(clock: scheduler, crypto: OpenSSLCrypto())
        (self.backend, self.tokenizesAtGate) = (backend, tokenizesAtGate)
        connection = try ProviderConnection([backend], scheduler, injector)
    }

    func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
        var configuration = EcommpayConfiguration(
            gate: connection.origin(of: backend.name), project: backend.rules.project)
        configuration.isSoleUser = true
        configuration.secret = backend.rules.secret
        configuration.customerIPAddress = "198.51.100.47"
        configuration.tokenizesAtGate = tokenizesAtGate
        var tools = ProviderDependencies(transport: connection.transport(interceptor))
        tools.crypto = OpenSSLCrypto()
        return try EcommpayDriver(configuration, tools)
    }

    func settle() -> Bool {
        backend.clear()
        return true
    }

    var notifying: (any NotifyingProvider)? { backend }

    var ledger: LedgerView { LedgerView(backend.ledger) }

    // The proof stands in the message itself.
    func unproven(_ news: ProviderNews) -> ProviderNews { changed(news) { _ in nil } }

    func forged(_ news: ProviderNews) -> ProviderNews {
        changed(news) { proof in .string(String((proof.string ?? "").reversed())) }
    }

    private func changed(_ news: ProviderNews, _ change: (JSON) -> JSON?) -> ProviderNews {
        guard var body = (try? JSONReader().read(news.body))?.object else { return news }
        body["signature"] = body["signature"].flatMap(change)
        return ProviderNews(headers: news.headers, body: JSON.object(body).bytes())
    }
}
