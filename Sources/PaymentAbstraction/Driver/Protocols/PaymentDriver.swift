public import PaymentBase

/// What every adapter implements. Applications use ``PaymentClient``.
///
/// Beside it, an adapter conforms to one small protocol for each thing that its provider has; the client finds them
/// once, when it opens. The smallest useful adapter:
///
/// ```swift
/// struct Acme: SaleDriver {
///     let identity = ProviderIdentity("acme", adapter: "acme", environment: "sandbox", merchant: "m-1")
///     let capabilities = Capabilities(sources: [.card], sendLimit: 10_000)
///     func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict { … }
///     func lookup(_ inquiry: Inquiry, _ context: LookupContext) async throws -> LookupResult { … }
///     func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { LookupPlan(everyMilliseconds: 2_000) }
///     func classify(_ error: any Error) -> Fault { Fault(error) }
/// }
/// ```
public protocol PaymentDriver: Sendable {
    /// Which account of which provider it speaks with.
    var identity: ProviderIdentity { get }
    /// What the provider takes, and what it promises about requests and names.
    var capabilities: Capabilities { get }
    /// Credentials that it was given, so that they can be taken out of whatever a provider echoes.
    var secrets: [Secret] { get }
    /// How often and how long to look an operation up, and when absence proves something; nil if the provider can't be asked,
    /// so that its messages decide.
    func lookupPlan(for operation: PaymentOperation) -> LookupPlan?
    /// Says what the provider shows of an attempt; the client decides what that proves.
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult
    /// Sorts an error of this adapter: its category, and what is proven about the request.
    func classify(_ error: any Error) -> RequestFailure
}

extension PaymentDriver {
    public var secrets: [Secret] { [] }
    public func classify(_ error: any Error) -> RequestFailure { RequestFailure(error) }
}
