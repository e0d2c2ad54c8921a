internal import PaymentAbstraction
internal import PaymentConformance
internal import PaymentSandbox

/// A simulated provider that a check can steer from outside, as most of ours can.
protocol ControllableProvider: SimulatedProvider {
    /// What it sends out by itself: header fields and a body, or a body that holds its own proof.
    associatedtype Message

    /// Decides what is pending under an attempt; nil where nothing is.
    func decide(_ attempt: String, succeeds: Bool) -> Message?
    /// Lets fail what was done under an attempt; nil where nothing was.
    func failLater(_ attempt: String) -> Message?
    /// Its message as the suite has it.
    static func news(_ message: Message) -> ProviderNews
    /// Ends every access.
    func revokeTokens()
}

extension ControllableProvider where Message == (headers: [String: String], body: [UInt8]) {
    static func news(_ message: Message) -> ProviderNews { ProviderNews(message) }
}

extension ControllableProvider where Message == [UInt8] {
    static func news(_ message: Message) -> ProviderNews { ProviderNews(message) }
}

/// A fixture of a provider that can be steered: what differs is how it is opened, and whether refunds wait.
protocol ControllableFixture: ConnectionFixture {
    associatedtype Provider: ControllableProvider
    /// The provider.
    var backend: Provider { get }
}

extension ControllableFixture {
    func revoke() -> Bool {
        backend.revokeTokens()
        return true
    }

    func settle() -> Bool { false }

    func decide(_ attempt: String, succeeds: Bool) -> ProviderNews? {
        backend.decide(attempt, succeeds: succeeds).map(Provider.news)
    }

    func failLater(_ attempt: String) -> ProviderNews? { backend.failLater(attempt).map(Provider.news) }

    var ledger: LedgerView { LedgerView(backend.ledger) }
}

extension HaloBackend: ControllableProvider {}
extension MemoryBackend: ControllableProvider {}
extension NIBackend: ControllableProvider {}

extension ARISEBackend: ControllableProvider {
    func revokeTokens() { revokeTokens(refreshToo: false) }
}
