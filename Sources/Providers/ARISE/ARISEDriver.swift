public import PaymentAbstraction
public import PaymentBase
public import PaymentTransport

/// The driver of ARISE: keyed, stored, tapped and externally read cards, bank accounts, settlement-bound refunds.
public struct ARISEDriver: PaymentDriver {
    public let identity: ProviderIdentity
    public let capabilities: Capabilities
    let wire: JSONClient
    let transport: any HTTPTransport
    let crypto: any Crypto
    var configuration: ARISEConfiguration
    let profiles: ARISEProfiles

    /// The version of the document that the driver follows.
    public static let version = "1.0.0"

    /// Makes a driver that speaks through a transport.
    public init(_ configuration: ARISEConfiguration, _ transport: any HTTPTransport, crypto: any Crypto) {
        (self.configuration, self.transport, self.crypto) = (configuration, transport, crypto)
        identity = ProviderIdentity(
            ProviderID(rawValue: configuration.name), adapter: "arise", environment: configuration.environment,
            merchant: configuration.merchant)
        wire = JSONClient(transport, configuration.endpoint)
        profiles = ARISEProfiles()
        var takes = Capabilities(
            sources: [.reader, .card, .external, .saved, .bank], sendLimit: transport.sendLimitMilliseconds)
        takes.authorizationSources = [.card, .saved]
        takes.unlinkedRefundSources = [.card, .bank]
        takes.features = [.quote, .tip, .customer, .contact, .billing, .shipping, .partialApproval]
        takes.currencies = configuration.currencies
        takes.captureRule = .single
        takes.listFilters = [.batch, .unsettled, .creator, .channel]
        (takes.isExclusive, takes.manualName) = (configuration.isSoleUser, ARISEMapping.transactionKey)
        capabilities = takes
    }

    /// Absence proves nothing at ARISE: no documented call finds a request by its reference alone.
    public func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        var plan = LookupPlan(every: 2_000, giveUpAfter: 16_000)
        plan.comparesTotals = operation == .refund
        return plan
    }

    public var secrets: [Secret] { [configuration.clientSecret, configuration.webhookSecret].compactMap { $0 } }

    public func classify(_ error: any Error) -> RequestFailure {
        switch error {
        case let refusal as HTTPErrorResponse: ARISERefusal(refusal.body, status: refusal.status).fault(refusal)
        case let failure as ARISETapFailure: ErrorTable.arise.failure(code: failure.code, message: failure.message)
        default: RequestFailure(error)
        }
    }
}
