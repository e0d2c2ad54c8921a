public import PaymentBase
public import PaymentDriverKit
public import PaymentTesting

/// What the author of an adapter supplies so that the suite can judge it: a provider, what brings what about, and
/// honesty.
///
/// ```swift
/// struct AcmeHarness: ConformanceHarness {
///     let name = "acme"
///     let declaration = ConformanceProfile(faults: InjectedFault.sandbox)
///     func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture { try AcmeFixture(scheduler) }
/// }
/// ```
public protocol ConformanceHarness: Sendable {
    /// The provider's name, as reports and the command line have it.
    var name: String { get }
    /// What the author admits beforehand; whatever differs from it fails.
    var declaration: ConformanceProfile { get }
    /// Opens a fresh provider with empty books, which lives by the stage's clock.
    func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture
}

/// One fresh provider with everything around it: what a harness opens for each check.
public protocol ConformanceFixture: Sendable {
    /// A driver as a new process would make it; whatever it sends passes the tap on its way to the provider.
    func driver(_ interceptor: Interceptor) throws -> any PaymentDriver
    /// The hardware in front of the till; nil where there is none.
    var reader: (any CardReader)? { get }
    /// Sets up what brings a script about, a card in front of the reader included; nil where the provider can't play
    /// it.
    func scripted(_ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind)
        -> TestPayment?
    /// The provider's own books as they are now.
    var ledger: LedgerView { get }
    /// Plays a fault once, after so many further requests were let through.
    func arm(_ fault: InjectedFault, after skipped: Int)
    /// Takes back every fault that was not played yet.
    func disarm()
    /// The attempts a request of which a fault has delivered more than once.
    var duplicatedRequests: Set<String> { get }
    /// Lets something happen at the provider; gives the messages that it sends out, or nil where it can't happen there.
    func trigger(_ event: ProviderEvent) -> [ProviderWebhook]?
    /// The messages that the provider has sent out on its own since this was asked last.
    func deliveredWebhooks() -> [ProviderWebhook]
    /// Every message so far, from the driver or to it, that is not as a published description has it; in words.
    var violations: [String] { get }
    /// What was ``deliveredWebhooks()``, with the messages that say only what an answer has said already.
    func pendingWebhooks() -> [ProviderWebhook]
    /// What a customer does who goes to a page: he pays there with what the last script wants. Clients keep it, so that it
    /// must not keep the line to the provider.
    var visitor: @Sendable (_ page: PaymentLink) async -> Void { get }
    /// An answer that was changed, signed again where the provider signs its answers.
    func signed(_ answer: JSON) -> JSON
    /// The same message without what proves that it is the provider's.
    func withoutSignature(_ news: ProviderWebhook) -> ProviderWebhook
    /// The same message with a wrong proof.
    func withForgedSignature(_ news: ProviderWebhook) -> ProviderWebhook
    /// Lets go of sockets and threads: the check is over, and what it left under way ends with it.
    func close()
}

extension ConformanceFixture {
    /// A provider within this process.
    public func close() {}

    /// A provider that has no faults to play.
    public func disarm() {}

    /// A provider that sends nothing on its own.
    public func deliveredWebhooks() -> [ProviderWebhook] { [] }

    /// A line that reports no attempt of which a request was delivered twice.
    public var duplicatedRequests: Set<String> { [] }

    /// A provider without pages.
    public var visitor: @Sendable (_ page: PaymentLink) async -> Void { { _ in } }

    /// A provider that signs no answers.
    public func signed(_ answer: JSON) -> JSON { answer }

    /// A provider of whose messages nothing is published.
    public var violations: [String] { [] }

    /// A provider that says nothing twice.
    public func pendingWebhooks() -> [ProviderWebhook] { deliveredWebhooks() }

    /// A provider whose proof is in the header fields.
    public func withoutSignature(_ news: ProviderWebhook) -> ProviderWebhook {
        ProviderWebhook(headers: [:], body: news.body)
    }

    /// A provider whose proof is in the header fields.
    public func withForgedSignature(_ news: ProviderWebhook) -> ProviderWebhook {
        ProviderWebhook(headers: news.headers.mapValues { "forged-\($0.count)" }, body: news.body)
    }
}

/// Something that happens at the provider without a request.
public enum ProviderEvent: Hashable, Sendable {
    /// Every access that was given out stops working.
    case accessRevoked
    /// Everything that was charged so far is settled; nil where refunds don't wait for that.
    case settled
    /// What was pending under an attempt is decided.
    case decided(AttemptID, succeeds: Bool)
    /// What was done under an attempt fails afterwards.
    case failedLater(AttemptID)
}

/// A message that the provider sends out on its own.
public struct ProviderWebhook: Sendable {
    /// Its header fields.
    public var headers: [String: String]
    /// Its body.
    public var body: [UInt8]

    /// Makes a message.
    public init(headers: [String: String], body: [UInt8]) { (self.headers, self.body) = (headers, body) }
}
