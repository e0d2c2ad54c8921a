public import PaymentAbstraction
public import PaymentBase

/// The driver of a vendor's kit: the kit takes cards, and what it has no call for goes through another driver of the same
/// account.
///
/// Whatever protocol both conform to is done by the office, unless the kit's driver does it itself.
public protocol MobileSDKDriver: PaymentDriver {
    /// What reaches the provider without the kit.
    associatedtype Office: PaymentDriver
    /// The same account, reached without the kit.
    var apiDriver: Office { get }
}

// What every driver answers.
extension MobileSDKDriver {
    public var identity: ProviderIdentity { apiDriver.identity }
    public var secrets: [Secret] { apiDriver.secrets }

    public func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { apiDriver.lookupPlan(for: operation) }

    public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        try await apiDriver.lookup(inquiry, context)
    }

    public func classify(_ error: any Error) -> RequestFailure { apiDriver.classify(error) }
}
