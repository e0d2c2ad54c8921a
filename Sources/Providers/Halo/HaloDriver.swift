public import PaymentAbstraction
public import PaymentBase
public import PaymentProviderKit
internal import PaymentTransport

/// Halo: cards by tap on a phone; a PIN is a second submission of the same tap.
///
/// The attempt's id travels as the merchant's reference, so that a payment can be found again and never comes twice.
public struct HaloDriver: PaymentDriver {
    public let identity: ProviderIdentity
    public private(set) var capabilities: Capabilities
    let configuration: HaloConfiguration
    let wire: JSONClient
    let tools: ProviderDependencies
    /// How long a payment may wait for its tap after it was written down that it is sent, in milliseconds.
    var untilTapMilliseconds: Int64 = 0

    /// How long after the tap card data is of use, in milliseconds.
    static let tapMilliseconds: Int64 = 60_000
    /// How long the provider's clock and ours may be apart, in milliseconds.
    static let clockSkewMilliseconds: Int64 = 15_000
    /// How long after a tap its PIN can be captured, in milliseconds.
    static let pinMilliseconds: Int64 = 55_000
    /// Under which name it is remembered that a PIN goes out.
    static let pinNote = "pin"

    /// Makes a driver that speaks with the given tools.
    public init(_ configuration: HaloConfiguration, _ tools: ProviderDependencies) {
        (self.configuration, self.tools) = (configuration, tools)
        identity = ProviderIdentity(
            ProviderID(rawValue: configuration.name), adapter: "halo", environment: configuration.environment,
            merchant: configuration.merchant)
        wire = JSONClient(tools.transport, configuration.endpoint)
        var takes = Capabilities(sources: [.reader], sendLimit: tools.transport.sendLimitMilliseconds)
        takes.unlinkedRefundSources = [.reader]
        takes.listFilters = [.dates, .amounts, .outcome]
        takes.manualName = "transaction"
        capabilities = takes
    }

    /// Takes only some currencies; nil for all.
    mutating func take(only currencies: Set<Currency>?) { capabilities.currencies = currencies }

    public var secrets: [Secret] { configuration.backOfficeKey.map { [$0] } ?? [] }

    /// Card data that is too old is refused, so what was not seen by then never arrives, where somebody has seen that
    /// searches show everything; a refund has no such limit.
    public func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        let quiet =
            operation == .refund || configuration.search == .unproven
            ? nil : Self.tapMilliseconds + Self.clockSkewMilliseconds
        return LookupPlan(every: 5_000, giveUpAfter: 30_000, quiet: quiet)
    }

    public func classify(_ error: any Error) -> RequestFailure {
        ErrorTable.halo.failure(error) { body in
            let said = HaloRefusal(body)
            return (said.code, said.message)
        }
    }
}

extension HaloDriver: SessionDriver {
    /// How long before it lapses a token is replaced.
    public var renewalMarginMilliseconds: Int64 { 30_000 }

    public func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        let token = try await configuration.token.secret()
        guard let read = HaloToken(token), read.expires > context.now else {
            throw ProviderCodeError(
                "authTokenUnauthorized", "the token provider's token has lapsed or says not when it does")
        }
        guard read.algorithm == configuration.algorithm.rawValue else {
            throw ProviderCodeError("126", "the token is not signed as the merchant's set-up says")
        }
        let audience = configuration.audience ?? configuration.endpoint.host
        guard
            read.audiences.isEmpty
                || read.audiences.contains(where: { $0 == audience || $0.hasSuffix("//" + audience) })
        else {
            throw ProviderCodeError("authTokenUnauthorized", "the token is for another host; see the setting audience")
        }
        return AccessToken(token, expiresAt: read.expires)
    }
}

extension HaloDriver: ReaderDriver {
    public func activation(_ context: ReaderContext) async throws -> ActivationStatus {
        let isLinked = try await context.isLinked(token: try await readerToken(context).token)
        return ActivationStatus(isLinked == false ? .inactive : .active, isLinked: isLinked)
    }

    public func activate(_ context: ReaderContext) async throws {
        try await context.link(token: try await readerToken(context).token)
    }

    /// Gets the reader ready; a device that is not linked yet is linked on the way.
    public func prepare(_ context: ReaderContext) async throws {
        let (token, expires) = try await readerToken(context)
        if try await context.isLinked(token: token) == false { try await context.link(token: token) }
        try await context.prepareReader(token: token, lasting: expires.map { $0 - context.now })
    }

    private func readerToken(_ context: ReaderContext) async throws -> (token: Secret, expires: Int64?) {
        try await context.exchange { attempt in
            try await wire.read("POST", HaloPath.readerToken, bearer: attempt.access.value, unreadable: "tokenError") {
                json in
                guard let token = json?["token"]?.string, !token.isEmpty else { return nil }
                return (Secret(token), json?["expiresAt"]?.string.flatMap { Timestamp($0)?.milliseconds })
            }
        }
    }

    /// The header of a submission that says where the device is; by policy a payment goes on without it.
    func locationHeader() async throws(ProviderCodeError) -> String? {
        guard let locate = tools.location, let place = try? await locate() else {
            if configuration.locationPolicy == .optional { return nil }
            throw ProviderCodeError("locationError")
        }
        return "\(place.accuracyMetres);\(place.longitude.value);\(place.latitude.value)"
    }
}

extension HaloDriver: DeviceDriver {
    public func devices(_ context: LookupContext) async throws -> [DeviceSummary] {
        try await context.exchange { attempt in
            try await wire.read("GET", HaloPath.devices, bearer: attempt.access.value, unreadable: "309") { json in
                json?.array?.compactMap { item in
                    guard let id = item["id"]?.string else { return nil }
                    var device = DeviceSummary(id, name: item["name"]?.string)
                    (device.isEnabled, device.state) = (item["enabled"]?.bool, item["status"]?.string)
                    return device
                }
            }
        }
    }
}

extension HaloDriver: WebhookDriver {
    /// Nobody signs them: each is a hint to look again and nothing else.
    public func notices(in message: WebhookMessage) throws -> [ProviderNotice] {
        guard let body = try? JSONReader().read(message.body), let disposition = body["disposition"]?.string,
            let name = body["haloReference"]?.string ?? body["id"]?.string
        else { throw PaymentError.notExecuted(.unreadableReply, "the webhook could not be read") }
        let subject = body["merchantReference"]?.string.flatMap { try? AttemptID($0) }
            .map { ProviderNotice.Subject.attempt($0) }
        let named = ProviderNotice.Subject.reference(name, [.sale, .unlinkedRefund, .refund])
        return [ProviderNotice(subject ?? named, nil, at: nil, kind: disposition)]
    }
}
