public import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

extension ARISEDriver: DetailsDriver, ListDriver, PricingDriver, SettingsDriver, DeviceDriver {
    /// Fields by which a list can be ordered; case does not matter.
    public static let orders = [
        "date", "totalAmount", "status", "customerPan", "cardTokenType", "id", "paymentMethodType", "operationMode",
        "customerName", "customerCompany", "merchant",
    ]
    /// How transactions come about, by the number of the wire.
    public static let channels = [
        1: "portal", 2: "apiToken", 3: "terminal", 4: "invoice", 5: "quickPayment", 6: "webComponent",
        7: "subscription", 8: "mobileApp", 9: "tapToPay",
    ]

    public func details(_ references: PaymentReferences, _ context: LookupContext) async throws -> PaymentDetails? {
        guard let id = references[ARISEMapping.transactionKey] ?? references[ARISEMapping.refundKey],
            let segment = PercentEncoding.pathSegment(id)
        else { return nil }
        try await profile(context).require(.getTransactionDetails)
        return try await found(ARISEPath.transaction(segment), context).map { body throws(PaymentError) in
            try ARISEMapping.details(ARISETransaction(body))
        }
    }

    public func list(_ query: ListQuery, _ context: LookupContext) async throws -> PaymentDetailsPage {
        guard let page = Int(query.cursor ?? "0"), page >= 0 else {
            throw Self.invalid("the cursor is none of ARISE's")
        }
        if let order = query.order, !Self.orders.contains(where: { $0.lowercased() == order.lowercased() }) {
            throw Self.invalid("a list is ordered by one of \(Self.orders.joined(separator: ", "))")
        }
        try await profile(context).require(.listTransactions)
        var fields = ListQuery.page(page, of: query.limit, order: query.order, ascending: query.ascending)
        for filter in query.filters { fields += try Self.field(filter) }
        let reply = try await context.exchange { attempt in
            try await wire.send("GET", ARISEPath.transactions, query: fields, bearer: attempt.access.value)
        }
        let items = try (reply["items"]?.array ?? []).map { item throws(PaymentError) in
            try ARISEMapping.details(ARISETransaction(item))
        }
        let total = reply["total"]?.int64.map { Int($0) }
        let isLast = total.map { (page + 1) * query.limit >= $0 } ?? (items.count < query.limit)
        return PaymentDetailsPage(items, next: isLast ? nil : String(page + 1), total: total)
    }

    private static func field(_ filter: ListQuery.Filter) throws(PaymentError) -> [(name: String, value: String)] {
        switch filter {
        case .batch(let batch): return [(name: "batchId", value: batch)]
        case .unsettled: return [(name: "noBatch", value: "true")]
        case .creator(let creator): return [(name: "createdById", value: creator)]
        case .channel(let channel):
            let number = channels.first { $0.value.lowercased() == channel.lowercased() }?.key ?? Int(channel)
            guard let number else {
                throw invalid("a channel is one of \(channels.values.sorted().joined(separator: ", "))")
            }
            return [(name: "createMethodId", value: String(number))]
        case .reference, .dates, .amounts, .outcome: throw invalid("ARISE has no filter by \(filter.kind.rawValue)")
        }
    }

    private static func invalid(_ detail: String) -> PaymentError {
        PaymentError.notExecuted(.invalidRequest, detail)
    }

    // MARK: Pricing

    public func quote(_ request: QuoteRequest, _ context: LookupContext) async throws -> Quote {
        let profile = try await profile(context)
        try profile.require(.calculateTransactionAmount)
        let notes = try ARISEPricing.check(request, dual: profile.settings?.zeroCost == .dualPricing)
        var fields = [
            (name: "amount", value: request.amount.decimalText), (name: "currencyId", value: try number(request)),
        ]
        if let percent = request.discountPercent { fields.append((name: "percentageOffRate", value: percent)) }
        if let percent = request.surchargePercent { fields.append((name: "surchargeRate", value: percent)) }
        if let tip = request.tip { fields.append((name: "tipAmount", value: tip.decimalText)) }
        if let percent = request.tipPercent { fields.append((name: "tipRate", value: percent)) }
        if profile.settings?.zeroCost == .dualPricing, let isCardPrice = request.isCardPrice {
            fields.append((name: "useCardPrice", value: String(isCardPrice)))
        }
        let query = fields
        let reply = try await context.exchange { attempt in
            try await wire.send("GET", ARISEPath.calculate, query: query, bearer: attempt.access.value)
        }
        let said = ARISETransaction(reply.body ?? .null)
        guard try said.currency() ?? request.amount.currency == request.amount.currency else {
            throw PaymentError.notExecuted(.mismatch, "the price is in another currency")
        }
        var tenders: [Tender: AmountBreakdown] = [:]
        for (tender, member) in ARISEPricing.members {
            tenders[tender] = reply[member].flatMap { ARISEMapping.breakdown($0, request.amount.currency) }
        }
        var quote = Quote(identity.id, tenders)
        quote.notes = notes
        return quote
    }

    /// The exact local preview of the merchant's prices, by the policy of the configuration.
    public func preview(_ settings: MerchantSettings) throws(PaymentError) -> ARISEPricing {
        var preview = try ARISEPricing(settings)
        preview.surchargeBase = configuration.surchargeBase
        return preview
    }

    private func number(_ request: QuoteRequest) throws(PaymentError) -> String {
        try ARISEMapping.number(of: request.amount.currency).number?.text ?? ""
    }

    // MARK: Settings and devices

    public func settings(_ context: LookupContext) async throws -> MerchantSettings {
        let body = try await get(ARISEPath.settings, context).body ?? .null
        let read = ARISESettings(body)
        func names(_ member: String) -> [String] { (body[member]?.array ?? []).compactMap { $0["name"]?.string } }
        var settings = MerchantSettings()
        settings.company = body["companyName"]?.string
        settings.currencies = names("availableCurrencies")
        (settings.cardTypes, settings.transactionTypes) = (
            names("availableCardTypes"), names("availableTransactionTypes")
        )
        settings.pricing = read.zeroCost?.rawValue ?? body["zeroCostProcessingOption"]?.string
        settings.rates["surcharge"] = read.percent("defaultSurchargeRate")
        settings.rates["cashDiscount"] = read.percent("defaultCashDiscountRate")
        settings.rates["dualPricing"] = read.percent("defaultDualPricingRate")
        settings.tipsEnabled = body["isTipsEnabled"]?.bool ?? false
        settings.tipPercents = (body["defaultTipsOptions"]?.array ?? []).compactMap { $0.number?.decimalText }
        let processors = (body["availablePaymentProcessors"]?.array ?? []).compactMap { $0["id"]?.string }
        settings.processors = processors.filter { $0 == read.processor } + processors.filter { $0 != read.processor }
        settings.addressCheck = body["avs"]?["profile"]?.string
        let currency = body["currencyIsoCode"]?.string.flatMap { Currency.known($0) } ?? .usd
        settings.amountMax = try body["maxTransactionAmount"].flatMap { value throws(PaymentError) in
            value.isNull ? nil : try ARISEMapping.money(value, currency)
        }
        ARISEMapping.flatten(body, into: &settings.additional)
        return settings
    }

    public func permissions(_ context: LookupContext) async throws -> Set<String> {
        let reply = try await get(ARISEPath.permissions, context)
        let numbers = (reply["permissions"]?.array ?? []).compactMap(\.int64)
        return Set(numbers.map { ARISEPermission(rawValue: $0).map { "\($0)" } ?? "unknown(\($0))" })
    }

    public func devices(_ context: LookupContext) async throws -> [DeviceSummary] {
        let reply = try await get(ARISEPath.devices, context)
        return (reply["devices"]?.array ?? []).compactMap { Self.device($0) }
    }

    public func device(_ id: String, _ context: LookupContext) async throws -> DeviceSummary? {
        guard let segment = PercentEncoding.pathSegment(id) else { return nil }
        return try await found(ARISEPath.device(segment), context).flatMap { Self.device($0) }
    }

    private static func device(_ body: JSON) -> DeviceSummary? {
        guard let id = body["deviceId"]?.string else { return nil }
        var device = DeviceSummary(id, name: body["deviceName"]?.string)
        device.state = body["tapToPayStatus"]?.string
        device.isEnabled = body["tapToPayEnabled"]?.bool
        device.lastSeen = body["lastLoginAt"]?.string.flatMap { Timestamp($0, offsetMinutes: 0)?.milliseconds }
        return device
    }

    private func get(_ path: String, _ context: LookupContext) async throws(PaymentError) -> JSONReply {
        try await context.exchange { attempt in try await wire.send("GET", path, bearer: attempt.access.value) }
    }

    /// A body, or nil where ARISE says that there is no such thing.
    private func found(_ path: String, _ context: LookupContext) async throws(PaymentError) -> JSON? {
        do { return try await get(path, context).body } catch {
            if error.code == .notFound { return nil }
            throw error
        }
    }
}
