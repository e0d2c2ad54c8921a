public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

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
        let items = (reply["items"]?.array ?? []).compactMap { MemoryMapping.details($0) }
        return PaymentDetailsPage(items, next: reply["next"]?.string, total: reply["total"]?.int64.map { Int($0) })
    }

    public func quote(_ request: QuoteRequest, _ context: LookupContext) async throws -> Quote {
        let body: JSON = ["amount": MemoryMapping.json(request.amount)]
        let reply = try await context.exchange { attempt in
            try await wire.send("POST", "/quotes", body: body, bearer: attempt.access.value)
        }
        let currency = request.amount.currency
        var tenders: [Tender: AmountBreakdown] = [:]
        for tender in Tender.allCases {
            guard let part = reply[tender.rawValue], let base = part["base"]?.int64, let total = part["total"]?.int64
            else { continue }
            var breakdown = AmountBreakdown(
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
