public import PaymentAbstraction
public import PaymentBase
public import PaymentProviderKit
internal import PaymentTransport

/// Network International: cards by tap on a phone, through the provider's Digital Platform.
///
/// Nothing of ours travels with a payment, so what a lost answer was about is told by likeness (time, amount, terminal)
/// or by difference (what was captured or given back before).
public struct NIDriver: PaymentDriver {
    public let identity: ProviderIdentity
    public private(set) var capabilities: Capabilities
    let configuration: NIConfiguration
    let identityWire: JSONClient
    let wire: JSONClient
    let location: ProviderDependencies.Location?
    /// How long after the mark a payment may arrive, in milliseconds.
    var arrivalMilliseconds: Int64 = 180_000

    /// How long a reader token is good, in milliseconds.
    static let readerTokenMilliseconds: Int64 = 48 * 3_600_000

    /// Makes a driver that speaks with the given tools.
    public init(_ configuration: NIConfiguration, _ tools: ProviderDependencies) {
        self.configuration = configuration
        identity = ProviderIdentity(
            ProviderID(rawValue: configuration.name), adapter: "ni", environment: configuration.environment,
            merchant: configuration.outlet)
        var identityWire = JSONClient(tools.transport, configuration.endpoint)
        var wire = identityWire
        (identityWire.mediaType, wire.mediaType) = (NIPath.identityType, NIPath.softposType)
        (self.identityWire, self.wire, location) = (identityWire, wire, tools.location)
        var takes = Capabilities(sources: [.reader], sendLimit: tools.transport.sendLimitMilliseconds)
        takes.authorizationSources = [.reader]
        takes.features = [.dryRun]
        // The provider gives every currency two decimals that has neither none nor three.
        takes.currencies = Set(Currency.allCases.filter { $0.exponent != 4 })
        (takes.isExclusive, takes.manualName) = (configuration.isSoleUser, "order")
        capabilities = takes
    }

    /// Takes only some of the currencies; nil leaves all that the provider takes.
    mutating func take(only currencies: Set<Currency>?) {
        if let currencies { capabilities.currencies = capabilities.currencies?.intersection(currencies) }
    }

    public var secrets: [Secret] { [configuration.apiKey, configuration.webhookSecret].compactMap { $0 } }

    /// Absence proves nothing: a lost request leaves no trace that could be missing.
    public func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        var plan = LookupPlan(every: 2_000, giveUpAfter: 10_000)
        plan.comparesTotals = operation == .refund || operation == .capture
        return plan
    }

    public func classify(_ error: any Error) -> RequestFailure {
        ErrorTable.ni.failure(error) { body in
            let said = NIRefusal(body)
            return (said.code, said.message)
        }
    }

    /// Sends something to the card-present interface.
    func send<Message>(
        _ method: String, _ path: String, _ attempt: Transmission, body: JSON? = nil,
        query: [(name: String, value: String)] = [], unreadable: String, as message: (JSON?) -> Message?
    ) async throws -> Message {
        try await wire.read(
            method, configuration.basePath + path, query: query, body: body, bearer: attempt.access.value,
            unreadable: unreadable, as: message)
    }

    /// An order; one that names another than was asked for is not believed.
    func order(_ name: String, _ attempt: Transmission) async throws -> NIOrder {
        let order = try await send("GET", NIPath.order(name), attempt, unreadable: "310", as: NIOrder.init)
        guard order.reference == name, order.outlet ?? configuration.outlet == configuration.outlet else {
            throw PaymentError.unknown(.mismatch, "the answer is about another order")
        }
        return order
    }
}

extension NIDriver: SessionDriver {
    public var renewalMarginMilliseconds: Int64 { 60_000 }

    public func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        if let source = configuration.deviceToken {
            let given = try NIMapping.deviceToken(try await source.secret())
            return AccessToken(given.token, expiresAt: NIMapping.end(of: given, from: context.now))
        }
        let key = "\(configuration.scheme.rawValue) \(configuration.apiKey?.expose() ?? "")"
        let service = try NIMapping.token(
            try await identityWire.send("POST", NIPath.accessToken, body: [:], more: ["Authorization": key]).body)
        var device = configuration.deviceIdentifier
        if device == nil { device = try await context.installation().device }
        let body: JSON = [
            "deviceCode": .string(configuration.deviceCode), "userCode": .string(configuration.userCode),
            "tid": .string(configuration.terminal), "deviceIdentifier": .string(device ?? ""),
        ]
        let now = context.now
        let grant = try NIMapping.token(
            try await identityWire.send(
                "POST", NIPath.deviceToken(configuration.outlet), body: body, bearer: service.token
            ).body)
        return AccessToken(grant.token, expiresAt: NIMapping.end(of: grant, from: now))
    }
}

extension NIDriver: ReaderDriver {
    public func compatibility(_ context: ReaderContext) async throws -> ReaderCompatibility {
        let device = try await context.compatibility()
        guard configuration.tracksLocation else { return device }
        var checks = device.checks
        do {
            let country = try await located()?.country ?? ""
            let isRight = country == NIMapping.country
            checks.append(.init(.country, passed: isRight, found: country, required: NIMapping.country))
        } catch { checks.append(.init(.location, passed: false, found: error.code, required: "known")) }
        return ReaderCompatibility(checks)
    }

    public func activation(_ context: ReaderContext) async throws -> ActivationStatus {
        let isLinked = try await context.isLinked(token: try await readerToken(context))
        return ActivationStatus(isLinked == false ? .inactive : .active, isLinked: isLinked)
    }

    public func activate(_ context: ReaderContext) async throws {
        try await context.link(token: try await readerToken(context))
    }

    public func prepare(_ context: ReaderContext) async throws {
        try await context.prepareReader(
            token: try await readerToken(context), lasting: Self.readerTokenMilliseconds)
    }

    func readerToken(_ context: ReaderContext) async throws -> Secret {
        let body: JSON = ["currency": .string(configuration.currency.code)]
        return try await context.exchange { attempt in
            try await send("POST", NIPath.readerToken, attempt, body: body, unreadable: "501") { json in
                json?["token"]?.string.flatMap { $0.isEmpty ? nil : Secret($0) }
            }
        }
    }

    /// Where the device is, if that is to be known; throws the provider's own number for what is in the way.
    func located() async throws(ProviderCodeError) -> DeviceLocation? {
        guard configuration.tracksLocation else { return nil }
        guard let location else { throw ProviderCodeError("801") }
        let place: DeviceLocation
        do { place = try await location() } catch {
            switch error {
            case .notReady: throw ProviderCodeError("801")
            case .denied: throw ProviderCodeError("802")
            case .unavailable: throw ProviderCodeError("803")
            case .countryUnknown: throw ProviderCodeError("810")
            }
        }
        if place.country == nil { throw ProviderCodeError("810") }
        return place
    }
}

extension NIDriver: DeviceDriver {
    /// Only the device itself is known: the provider lists none.
    public func devices(_ context: LookupContext) async throws -> [DeviceSummary] {
        var own = DeviceSummary(configuration.deviceCode)
        own.terminalID = configuration.terminal
        return [own]
    }

    public func unbind(terminal: String, _ context: LookupContext) async throws {
        _ = try await context.exchange { attempt in
            let path = configuration.basePath + NIPath.unbind(configuration.outlet, terminal)
            return try await wire.send("DELETE", path, bearer: attempt.access.value)
        }
    }
}

extension NIDriver: WebhookDriver {
    /// Webhooks come once and in any order, and a fixed header proves little: each is a hint to look again.
    public func notices(in message: WebhookMessage) throws -> [ProviderNotice] {
        let given = message.headers[configuration.webhookHeader.lowercased()].map { Secret($0) }
        guard let expected = configuration.webhookSecret, given == expected else {
            throw PaymentError.notExecuted(.signatureInvalid, "the webhook does not carry our header")
        }
        guard let hook = NIWebhook(try? JSONReader().read(message.body)) else {
            throw PaymentError.notExecuted(.unreadableReply, "the webhook could not be read")
        }
        let subjects =
            [ProviderNotice.Subject.reference(hook.order, [.sale, .authorize])]
            + hook.captures.map { .reference($0, [.capture]) } + hook.refunds.map { .reference($0, [.refund]) }
        return subjects.map { ProviderNotice($0, nil, at: nil, kind: hook.event) }
    }
}
