public import PaymentAbstraction
public import PaymentBase
public import PaymentTransport

/// The reference driver: every protocol, in the fewest lines, against a provider that keeps its books in memory.
public struct MemoryDriver: PaymentDriver {
    public let identity: ProviderIdentity
    public let capabilities: Capabilities
    let wire: JSONClient
    let configuration: MemoryConfiguration

    /// How long after the mark what was not seen never arrived, in milliseconds.
    static let quietTimeMilliseconds: Int64 = 5_000

    /// How far this machine's clock and the provider's may be apart, in milliseconds.
    static let clockMarginMilliseconds: Int64 = 5 * 60_000

    /// Makes a driver that speaks through a transport.
    public init(_ configuration: MemoryConfiguration, _ transport: any HTTPTransport) {
        self.configuration = configuration
        identity = ProviderIdentity(
            ProviderID(rawValue: configuration.name), adapter: "memory", environment: "sandbox",
            merchant: configuration.merchant)
        wire = JSONClient(transport, configuration.endpoint)
        var takes = Capabilities(
            sources: Set(PaymentSource.Kind.allCases), sendLimit: transport.sendLimitMilliseconds)
        takes.authorizationSources = takes.sources
        takes.verificationSources = [.card, .reader]
        takes.unlinkedRefundSources = [.reader, .card, .bank]
        takes.features = Set(RequestFeature.allCases)
        takes.listFilters = [.reference]
        capabilities = takes
    }

    public func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        LookupPlan(
            every: 1_000, giveUpAfter: 10_000, quiet: Self.quietTimeMilliseconds)
    }

    public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        let reply: JSONReply
        do {
            reply = try await context.exchange { attempt in
                try await wire.send("GET", "/attempts/\(inquiry.attempt)", bearer: attempt.access.value)
            }
        } catch {
            if error.code == .notFound { return .notFound(seesBack: nil) }
            throw error
        }
        let known = try self.reply(reply, about: inquiry.attempt)
        if let doubt = MemoryMapping.doubt(known, inquiry) { throw PaymentError.unknown(.mismatch, doubt) }
        switch known.state {
        case "needsPIN", "needsChallenge", "needsFields", "needsPage", "pending", "processing":
            return .cannotTell("The provider does not say.")
        default: return .found(try MemoryMapping.verdict(known))
        }
    }

    public var secrets: [Secret] { [configuration.secret] + (configuration.webhookSecret.map { [$0] } ?? []) }

    public func classify(_ error: any Error) -> RequestFailure {
        switch error {
        case let refusal as HTTPErrorResponse:
            let said = refusal.body?["error"]
            var fault = ErrorTable.memory.failure(
                code: said?["code"]?.string ?? "", message: said?["message"]?.string ?? "")
            fault.retryAfterMilliseconds = refusal.retryAfterMilliseconds
            return fault
        default: return RequestFailure(error)
        }
    }

    /// Reads an answer about an attempt; one that names another proves nothing about ours.
    func reply(_ reply: JSONReply, about attempt: AttemptID) throws(PaymentError) -> MemoryReply {
        guard let read = MemoryReply(reply.body) else {
            throw PaymentError.unknown(.unreadableReply, "the answer says nothing about the payment")
        }
        guard read.attempt == attempt.text else {
            throw PaymentError.unknown(.mismatch, "the answer is about another attempt")
        }
        return read
    }
}

extension MemoryDriver: SessionDriver {
    public func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        let installation = try await context.installation()
        let body: JSON = [
            "secret": .string(configuration.secret.expose()), "installation": .string(installation.id),
        ]
        let reply = try await wire.send("POST", "/token", body: body)
        guard let token = reply["token"]?.string, let expires = reply["expires"]?.int64 else {
            throw PaymentError.notExecuted(.unreadableReply, "the answer holds no token")
        }
        return AccessToken(Secret(token), expiresAt: expires)
    }
}

extension MemoryDriver: WebhookDriver {
    public func notices(in message: WebhookMessage) throws -> [ProviderNotice] {
        let given = message.headers["x-memory-secret"].map { Secret($0) }
        guard let expected = configuration.webhookSecret, given == expected else {
            throw PaymentError.notExecuted(.signatureInvalid, "the webhook does not carry our secret")
        }
        guard let body = try? JSONReader().read(message.body), let reply = MemoryReply(body), let at = reply.at else {
            throw PaymentError.notExecuted(.unreadableReply, "the webhook could not be read")
        }
        let verdict = try? MemoryMapping.verdict(reply)
        return [ProviderNotice(.attempt(try AttemptID(reply.attempt)), verdict, at: at, kind: reply.event ?? "")]
    }
}
