import PaymentProviderKit

/// The adapter: a sale by typed card, and a lookup that proves what became of it.
public struct AcmeDriver: PaymentDriver {
    public let identity: ProviderIdentity
    public let capabilities: Capabilities
    /// How long a request may still arrive after it was sent, in milliseconds.
    public var quiet = ProviderSettingKey.quiet.default
    private let wire: JSONClient
    private let key: Secret

    /// Makes the driver of one merchant's account.
    public init(_ identity: ProviderIdentity, _ endpoint: Origin, key: Secret, _ transport: any HTTPTransport) {
        self.identity = identity
        self.key = key
        wire = JSONClient(transport, endpoint)
        var takes = Capabilities(sources: [.card], sendLimit: wire.sendLimitMilliseconds)
        takes.currencies = [.eur, .usd, .jpy]
        capabilities = takes
    }

    public var secrets: [Secret] { [key] }

    /// Made when it is needed, so that nothing that is kept can print the key.
    private var signed: HTTPHeaders { ["X-Api-Key": key.expose()] }

    /// ``lookup(_:_:)`` asks about sales alone: of another operation, absence would prove nothing.
    public func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        guard operation == .sale else { return nil }
        return LookupPlan(every: 1_000, giveUpAfter: quiet + 5_000, quiet: quiet)
    }

    public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        let reply: JSONReply
        do {
            reply = try await context.exchange { _ in
                try await wire.send("GET", "/v1/sales/\(inquiry.attempt)", more: signed)
            }
        } catch {
            if error.provider?.code == "unknownOrder" { return .notFound(seesBack: nil) }
            throw error
        }
        return .found(try AcmeMapping.verdict(reply.body, about: inquiry.attempt))
    }

    public func classify(_ error: any Error) -> RequestFailure {
        ErrorTable.acme.failure(error) { ($0?["error"]?.string ?? "", "") }
    }
}

extension AcmeDriver: SaleDriver {
    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        guard case .card(let card) = request.source else {
            throw PaymentError.notExecuted(.unsupported, "Acme takes typed cards only")
        }
        let body = AcmeMapping.body(request, card, context.attempt)
        let reply = try await context.exchange(.money) { _ in
            try await wire.send("POST", "/v1/sales", body: body, more: signed)
        }
        return try AcmeMapping.verdict(reply.body, about: context.attempt)
    }
}
