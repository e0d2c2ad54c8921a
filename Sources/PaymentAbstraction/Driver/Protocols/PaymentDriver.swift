public import PaymentBase

/// What every adapter implements. Applications use ``PaymentClient``.
///
/// Beside it, an adapter conforms to one small protocol for each thing that its provider has; the client finds them
/// once, when it opens. The smallest useful adapter:
///
/// ```swift
/// struct Acme: SaleDriver {
///     let identity = ProviderIdentity("acme", adapter: "acme", environment: "sandbox", merchant: "m-1")
///     let capabilities = Capabilities(sources: [.card])
///     func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict { … }
///     func lookup(_ inquiry: Inquiry, _ context: LookupContext) async throws -> LookupResult { … }
///     func lookupPlan(for operation: PaymentOperation) -> LookupPlan { LookupPlan(everyMilliseconds: 2_000) }
///     func classify(_ error: any Error) -> Fault { Fault(error) }
/// }
/// ```
public protocol PaymentDriver: Sendable {
    /// Which account of which provider it speaks with.
    var identity: ProviderIdentity { get }
    /// What the provider takes; what can't be read from the conformances.
    var capabilities: Capabilities { get }
    /// How long and how often a lookup makes sense, and when absence proves something.
    func lookupPlan(for operation: PaymentOperation) -> LookupPlan
    /// Says what the provider knows about an attempt; the client decides what that proves.
    func lookup(_ inquiry: Inquiry, _ context: LookupContext) async throws -> LookupResult
    /// Sorts an error of this adapter: its category, and what is proven about the exchange.
    func classify(_ error: any Error) -> Fault
    /// Credentials that it was given, so that they can be taken out of whatever a provider echoes.
    var secrets: [Secret] { get }
    /// For how long bytes of a money exchange can leave after it was opened, in milliseconds: what the transport declares
    /// and enforces, or the longest that a vendor's kit takes; nil for as long as they like, and then no silence proves
    /// anything.
    var bytesLeaveWithinMilliseconds: Int64? { get }
    /// Whether the configuration says that nobody else works on the account: no other system, and nobody at a dashboard.
    /// Only then is what looks like ours, or what has changed since, taken for ours.
    var isSoleUser: Bool { get }
    /// How long the provider keeps a key under which it does something once, in milliseconds; nil for ever.
    var keyLivesMilliseconds: Int64? { get }
    /// Under which name of a reference a person's decision is kept, so that what follows finds the payment.
    var decisionReference: String { get }
    /// Which of the references in its verdicts name one operation alone; nil for all of them.
    var namingReferences: Set<String>? { get }
}

extension PaymentDriver {
    public var secrets: [Secret] { [] }
    public var bytesLeaveWithinMilliseconds: Int64? { nil }
    public var isSoleUser: Bool { false }
    public var decisionReference: String { "payment" }
    public var keyLivesMilliseconds: Int64? { nil }
    public var namingReferences: Set<String>? { nil }
    public func classify(_ error: any Error) -> Fault { Fault(error) }
}
