internal import PaymentAbstraction
internal import PaymentConformance
internal import PaymentSandbox

/// A simulated company that a check can steer from outside, as most of ours can.
protocol SteeredCompany: SandboxCompany {
    /// What it sends out by itself: header fields and a body, or a body that holds its own proof.
    associatedtype Message

    /// Decides what is pending under an attempt; nil where nothing is.
    func settle(_ attempt: String, succeeds: Bool) -> Message?
    /// Lets fail what was done under an attempt; nil where nothing was.
    func failLater(_ attempt: String) -> Message?
    /// Its message as the kit has it.
    static func news(_ message: Message) -> CompanyNews
    /// Ends every access.
    func revokeTokens()
}

extension SteeredCompany where Message == (headers: [String: String], body: [UInt8]) {
    static func news(_ message: Message) -> CompanyNews { CompanyNews(message) }
}

extension SteeredCompany where Message == [UInt8] {
    static func news(_ message: Message) -> CompanyNews { CompanyNews(message) }
}

/// A fixture of a company that can be steered: what differs is how it is opened, and whether refunds wait.
protocol SteeredFixture: LineFixture {
    associatedtype Company: SteeredCompany
    /// The company.
    var backend: Company { get }
}

extension SteeredFixture {
    func revoke() -> Bool {
        backend.revokeTokens()
        return true
    }

    func settle() -> Bool { false }

    func decide(_ attempt: String, succeeds: Bool) -> CompanyNews? {
        backend.settle(attempt, succeeds: succeeds).map(Company.news)
    }

    func failLater(_ attempt: String) -> CompanyNews? { backend.failLater(attempt).map(Company.news) }

    var ledger: LedgerView { LedgerView(backend.ledger) }
}

extension HaloBackend: SteeredCompany {}
extension MemoryBackend: SteeredCompany {}
extension NIBackend: SteeredCompany {}

extension ARISEBackend: SteeredCompany {
    func settle(_ attempt: String, succeeds: Bool) -> (headers: [String: String], body: [UInt8])? {
        decide(attempt, succeeds: succeeds)
    }

    func revokeTokens() { revokeTokens(refreshToo: false) }
}
