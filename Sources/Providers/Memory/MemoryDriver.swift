public import PaymentProviderKit

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
        takes.listed = MemoryMapping.listed
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
            return .cannotTell("The provider has not decided it yet.")
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
    public var accessAddresses: [String] { ["\(configuration.endpoint)"] }

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

extension MemoryDriver: SaleDriver, AuthorizationDriver, CardOnFileDriver, UnlinkedRefundDriver {
    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await charge(.sale, request, context)
    }

    public func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await charge(.authorize, request, context)
    }

    public func chargeCardOnFile(_ request: CardOnFileRequest, _ context: PaymentContext) async throws -> Verdict {
        let source: JSON = ["kind": "saved", "instrument": .string(request.instrument.rawValue)]
        let body = MemoryMapping.payment(
            .debit, context.attempt, request.amount, reference: request.reference, source: source)
        return try await pay(body, nil, context)
    }

    public func refundUnlinked(_ request: UnlinkedRefundRequest, _ context: PaymentContext) async throws -> Verdict {
        let (source, read) = try await self.source(request.source, CardReadRequest(.refund, request.amount), context)
        let body = MemoryMapping.payment(
            .unlinkedRefund, context.attempt, request.amount, reference: request.reference, source: source)
        return try await pay(body, read, context)
    }

    private func charge(
        _ operation: PaymentOperation, _ request: SaleRequest, _ context: PaymentContext
    ) async throws -> Verdict {
        if request.isDryRun {
            var approval = Approval(request.amount)
            approval.isDryRun = true
            return .approved(approval)
        }
        var cardRequest = CardReadRequest(.purchase, request.amount)
        (cardRequest.presentation, cardRequest.language) = (request.presentation, request.language)
        let (source, read) = try await self.source(request.source, cardRequest, context)
        let body = MemoryMapping.payment(
            operation, context.attempt, request.amount, reference: request.reference, source: source,
            more: MemoryMapping.extras(request))
        if case .hostedPage = request.source { try context.needs(PaymentLink.self) }
        let verdict = try await pay(body, read, context)
        guard case .approved(let approval) = verdict, approval.isPartial else { return verdict }
        return try await offer(approval, of: request.amount, context)
    }

    /// The source as the wire has it, read off a card if need be.
    private func source(
        _ source: PaymentSource, _ request: CardReadRequest, _ context: PaymentContext
    ) async throws -> (JSON, CardReadResult?) {
        guard case .reader = source else { return (MemoryMapping.source(source), nil) }
        let read = try await context.read(request)
        return (MemoryMapping.source(read), read)
    }

    /// Sends a new payment and answers what the provider asks on the way.
    private func pay(_ body: JSON, _ read: CardReadResult?, _ context: PaymentContext) async throws -> Verdict {
        var reply = try await context.exchange(.money) { attempt in
            try self.reply(
                try await wire.send("POST", "/payments", body: body, bearer: attempt.access.value),
                about: context.attempt)
        }
        for _ in 0..<Self.roundsMax {
            let answer: JSON
            switch reply.state {
            case "needsPIN":
                guard let read, let token = reply.pinToken else { return try MemoryMapping.verdict(reply) }
                guard let pin = try? await context.readPIN(token: Secret(token), after: read) else {
                    return .declined(Decline(.pinRequired, provider: ProviderMessage(code: "65")))
                }
                answer = ["read": ["payment": .string(pin.paymentCardData.expose())]]
            case "needsChallenge":
                let challenge = ThreeDSecureChallenge(.challenge, address: reply.address ?? "")
                let given = await context.ask(challenge)
                answer = ["result": .string(given?.result?.expose() ?? "no answer")]
            case "needsFields":
                let asked = RequestedFields(reply.fields.map { RequestedFields.Field($0) })
                guard let given = await context.ask(asked) else {
                    return .cancelled(Cancellation(cause: .timeout, references: ["payment": reply.id]))
                }
                answer = ["fields": .object(JSONObject(given.mapValues { .string($0.value) }))]
            case "needsPage": return try await visited(reply, context)
            default: return try MemoryMapping.verdict(reply)
            }
            let path = "/payments/\(reply.id)/answers"
            reply = try await context.exchange(.money) { attempt in
                try self.reply(
                    try await wire.send("POST", path, body: answer, bearer: attempt.access.value),
                    about: context.attempt)
            }
        }
        return try MemoryMapping.verdict(reply)
    }

    /// Leads the customer to the page, and asks what came of it where the customer is known to be back.
    private func visited(_ reply: MemoryReply, _ context: PaymentContext) async throws -> Verdict {
        let waits = Verdict.pending(Pending(references: ["payment": reply.id], shouldPoll: false))
        guard await context.ask(PaymentLink(context.attempt, address: reply.address ?? "")) == true else {
            return waits
        }
        let now = try await context.exchange(.readOnly) { attempt in
            try self.reply(
                try await wire.send("GET", "/attempts/\(context.attempt)", bearer: attempt.access.value),
                about: context.attempt)
        }
        return now.state == "needsPage" ? waits : try MemoryMapping.verdict(now)
    }

    /// How many questions one payment may ask.
    private static var roundsMax: Int { 8 }

    /// Less than asked was approved: the application takes it or gives it back.
    private func offer(_ approval: Approval, of asked: Money, _ context: PaymentContext) async throws -> Verdict {
        let offer = PartialApprovalOffer(approved: approval.amount, of: asked)
        if await context.ask(offer) == true { return .approved(approval) }
        context.givesBack()
        let path = "/payments/\(approval.references["payment"] ?? "")/void"
        let body: JSON = [
            "attempt": .string(context.attempt.text), "amount": MemoryMapping.json(approval.amount),
        ]
        let reply = try await context.exchange(.money) { attempt in
            try self.reply(
                try await wire.send("POST", path, body: body, bearer: attempt.access.value), about: context.attempt)
        }
        guard case .approved(let back) = try MemoryMapping.verdict(reply) else { return .approved(approval) }
        guard back.amount == approval.amount else {
            throw PaymentError.unknown(.mismatch, "the part was to go back, and \(back.amount) went")
        }
        return .cancelled(Cancellation(cause: .customer, references: approval.references, wasReversed: true))
    }
}

extension JSONObject {
    /// Makes an object of a dictionary, its members sorted by name.
    fileprivate init(_ members: [String: JSON]) {
        self.init()
        for (name, value) in members.sorted(by: { $0.key < $1.key }) { self[name] = value }
    }
}

extension MemoryDriver: AdjustmentDriver, VoidDriver, RefundDriver, TipAdjustmentDriver {
    public func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow("capture", request, context)
    }

    public func adjust(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow("adjust", request, context)
    }

    public func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow("void", request, context)
    }

    public func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow("refund", request, context)
    }

    public func adjustTip(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow("tip", request, context)
    }

    private func follow(
        _ verb: String, _ request: FollowUpRequest, _ context: PaymentContext
    ) async throws -> Verdict {
        guard let payment = request.payment.references["payment"] else {
            throw PaymentError.notExecuted(.conflict, "the payment has no name at \(identity.id) to refer to")
        }
        let body: JSON = [
            "attempt": .string(context.attempt.text), "amount": MemoryMapping.json(request.amount),
        ]
        let reply = try await context.exchange(.money) { attempt in
            let path = "/payments/\(payment)/\(verb)"
            return try self.reply(
                try await wire.send("POST", path, body: body, bearer: attempt.access.value), about: context.attempt)
        }
        return try MemoryMapping.verdict(reply)
    }
}

extension MemoryDriver: DetailsDriver, ListDriver, PricingDriver, SettingsDriver, DeviceDriver {
    public func details(_ references: PaymentReferences, _ context: LookupContext) async throws -> PaymentDetails? {
        guard let payment = references["payment"] else { return nil }
        return try await found("/payments/\(payment)", context).flatMap { MemoryMapping.details($0) }
    }

    /// A body, or nil where the provider says that there is no such thing.
    private func found(_ path: String, _ context: LookupContext) async throws(PaymentError) -> JSON? {
        do { return try await get(path, context).body } catch {
            if error.code == .notFound { return nil }
            throw error
        }
    }

    public func list(_ query: ListQuery, _ context: LookupContext) async throws -> PaymentDetailsPage {
        var fields = [(name: "limit", value: String(query.limit))]
        if let cursor = query.cursor { fields.append((name: "cursor", value: cursor)) }
        for case .reference(let reference) in query.filters { fields.append((name: "reference", value: reference)) }
        let reply = try await context.exchange { attempt in
            try await wire.send("GET", "/payments", query: fields, bearer: attempt.access.value)
        }
        let listed = reply["items"]?.array
        let items = listed?.compactMap { MemoryMapping.details($0) }
        let next = reply["next"] ?? .null
        guard let items, items.count == listed?.count, next == .null || next.string != nil else {
            throw PaymentError.notExecuted(.unreadableReply, "a page of the list can't be read")
        }
        return PaymentDetailsPage(items, next: next.string, total: reply["total"]?.int64.map { Int($0) })
    }

    public func quote(_ request: QuoteRequest, _ context: LookupContext) async throws -> Quote {
        let body: JSON = ["amount": MemoryMapping.json(request.amount)]
        let reply = try await context.exchange { attempt in
            try await wire.send("POST", "/quotes", body: body, bearer: attempt.access.value)
        }
        let currency = request.amount.currency
        var tenders: [Tender: Quote.Breakdown] = [:]
        for tender in Tender.allCases {
            guard let part = reply[tender.rawValue], let base = part["base"]?.int64, let total = part["total"]?.int64
            else { continue }
            var breakdown = Quote.Breakdown(
                base: try Money(minorUnits: base, currency).believable(),
                total: try Money(minorUnits: total, currency).believable())
            breakdown.surcharge = try part["surcharge"]?.int64.map { units throws(PaymentError) in
                try Money(minorUnits: units, currency).believable()
            }
            tenders[tender] = breakdown
        }
        return Quote(identity.id, tenders)
    }

    public func settings(_ context: LookupContext) async throws -> MerchantSettings {
        let reply = try await get("/settings", context)
        var settings = MerchantSettings()
        settings.company = reply["company"]?.string
        settings.currencies = reply["currencies"]?.array?.compactMap(\.string) ?? []
        settings.tipsEnabled = reply["tips"]?.bool ?? false
        return settings
    }

    public func permissions(_ context: LookupContext) async throws -> Set<String> {
        let reply = try await get("/permissions", context)
        return Set(reply["permissions"]?.array?.compactMap(\.string) ?? [])
    }

    public func devices(_ context: LookupContext) async throws -> [DeviceSummary] {
        let reply = try await get("/devices", context)
        return (reply["devices"]?.array ?? []).compactMap { Self.device($0) }
    }

    public func device(_ id: String, _ context: LookupContext) async throws -> DeviceSummary? {
        try await found("/devices/\(Self.segment(id))", context).flatMap { Self.device($0) }
    }

    public func unbind(terminal: String, _ context: LookupContext) async throws {
        let path = "/terminals/\(try Self.segment(terminal))"
        _ = try await context.exchange { attempt in
            try await wire.send("DELETE", path, bearer: attempt.access.value)
        }
    }

    private static func segment(_ text: String) throws(PaymentError) -> String {
        if let segment = PercentEncoding.pathSegment(text) { return segment }
        throw PaymentError.notExecuted(.invalidRequest, "\(text) can't be a part of an address")
    }

    private static func device(_ body: JSON) -> DeviceSummary? {
        guard let id = body["id"]?.string else { return nil }
        var device = DeviceSummary(id)
        device.state = body["state"]?.string
        return device
    }

    private func get(_ path: String, _ context: LookupContext) async throws(PaymentError) -> JSONReply {
        try await context.exchange { attempt in try await wire.send("GET", path, bearer: attempt.access.value) }
    }
}

extension MemoryDriver: SavedInstrumentDriver, VerificationDriver, TokenizationDriver {
    public func instruments(of customer: String, _ context: LookupContext) async throws -> [SavedInstrument] {
        let path = "/customers/\(try Self.segment(customer))/instruments"
        let reply = try await get(path, context)
        return (reply["instruments"]?.array ?? []).compactMap { item in
            item["id"]?.string.map { id in
                var instrument = SavedInstrument(.init(rawValue: id), card: MemoryMapping.card(item["card"]))
                instrument.customer = customer
                return instrument
            }
        }
    }

    public func remove(
        _ instrument: SavedInstrument.ID, of customer: String, _ context: LookupContext
    ) async throws {
        let path = "/customers/\(try Self.segment(customer))/instruments/\(try Self.segment(instrument.rawValue))"
        _ = try await context.exchange { attempt in
            try await wire.send("DELETE", path, bearer: attempt.access.value)
        }
    }

    public func verify(_ request: VerificationRequest, _ context: PaymentContext) async throws -> Verdict {
        try await check(.verify, request, context)
    }

    public func tokenize(_ request: VerificationRequest, _ context: PaymentContext) async throws -> Verdict {
        try await check(.tokenize, request, context)
    }

    private func check(
        _ operation: PaymentOperation, _ request: VerificationRequest, _ context: PaymentContext
    ) async throws -> Verdict {
        var source = MemoryMapping.source(request.source)
        if case .reader = request.source {
            source = MemoryMapping.source(
                try await context.read(CardReadRequest(.verification, .zero(request.currency))))
        }
        var more: [(String, JSON)] = request.savesInstrument ? [("save", true)] : []
        if let customer = request.customer { more.append(("customer", .string(customer))) }
        let body = MemoryMapping.payment(
            operation, context.attempt, .zero(request.currency), reference: request.reference, source: source,
            more: more)
        let reply = try await context.exchange(.money) { attempt in
            try self.reply(
                try await wire.send("POST", "/payments", body: body, bearer: attempt.access.value),
                about: context.attempt)
        }
        return try MemoryMapping.verdict(reply)
    }
}

extension MemoryDriver: ReaderDriver {
    public func activation(_ context: ReaderContext) async throws -> ActivationStatus {
        let installation = try await context.installation()
        let path = "/devices/\(installation.device)"
        do {
            let reply = try await context.exchange { attempt in
                try await wire.send("GET", path, bearer: attempt.access.value)
            }
            let raw = reply["state"]?.string ?? ""
            return ActivationStatus(raw == "active" ? .active : .inactive, raw: raw)
        } catch {
            if error.code == .notFound { return ActivationStatus(.inactive) }
            throw error
        }
    }

    public func activate(_ context: ReaderContext) async throws {
        let installation = try await context.installation()
        _ = try await context.exchange { attempt in
            try await wire.send(
                "PUT", "/devices/\(installation.device)", body: ["state": "active"], bearer: attempt.access.value)
        }
        try await context.link(token: try await token(context))
    }

    public func prepare(_ context: ReaderContext) async throws {
        try await context.prepareReader(token: try await token(context))
    }

    private func token(_ context: ReaderContext) async throws -> Secret {
        let reply = try await context.exchange { attempt in
            try await wire.send("POST", "/reader/token", body: [:], bearer: attempt.access.value)
        }
        return Secret(reply["token"]?.string ?? "")
    }
}
