internal import PaymentAbstraction
public import PaymentConformance
public import PaymentSandbox

/// A simulated provider that a check can steer from outside: what is pending, what fails afterwards, its accesses.
///
/// ```swift
/// extension SimulatedAcme: ControllableProvider {}
/// struct AcmeFixture: ControllableFixture { let backend: SimulatedAcme; let connection: ProviderConnection; … }
/// ```
public protocol ControllableProvider: SimulatedProvider {
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
    public static func news(_ message: Message) -> ProviderNews { ProviderNews(message) }
}

extension ControllableProvider where Message == [UInt8] {
    public static func news(_ message: Message) -> ProviderNews { ProviderNews(message) }
}

extension HaloBackend: ControllableProvider {}
extension MemoryBackend: ControllableProvider {}
extension NIBackend: ControllableProvider {}

extension ARISEBackend: ControllableProvider {
    public func revokeTokens() { revokeTokens(refreshToo: false) }
}
