public import PaymentProviderKit

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
        guard let id = references[ARISEMapping.nameKey(in: references)] ?? references[ARISEMapping.refundKey],
            let segment = PercentEncoding.pathSegment(id)
        else { return nil }
        try await profile(context).require(.getTransactionDetails)
        return try await found(ARISEPath.transaction(segment), context).map { body throws(PaymentError) in
            try ARISEMapping.details(ARISETransaction(body))
        }
    }

    public func list(_ query: ListQuery, _ context: LookupContext) async throws -> PaymentDetailsPage {
        guard let page = Int(query.cursor ?? "0"), (0...ARISEList.pageMax).contains(page) else {
            throw Self.invalid("the cursor is none of ARISE's")
        }
        if let order = query.order, !Self.orders.contains(where: { $0.lowercased() == order.lowercased() }) {
            throw Self.invalid("a list is ordered by one of \(Self.orders.joined(separator: ", "))")
        }
        try await profile(context).require(.listTransactions)
        // Ordered by something that changes, a transaction could move to a page that was read, and never be seen.
        var fields = ListQuery.page(page, of: query.limit, order: query.order ?? "date", ascending: query.ascending)
        for filter in query.filters { fields += try Self.field(filter) }
        let reply = try await context.exchange { attempt in
            try await wire.send("GET", ARISEPath.transactions, query: fields, bearer: attempt.access.value)
        }
        let list = try ARISEList(reply, page: page, of: query.limit)
        let items = try list.items.map { item throws(PaymentError) in try ARISEMapping.details(item) }
        return PaymentDetailsPage(items, next: list.isLast ? nil : String(page + 1), total: list.total)
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
        var tenders: [Tender: Quote.Breakdown] = [:]
        for (tender, member) in ARISEPricing.members {
            tenders[tender] = reply[member].flatMap { ARISEMapping.breakdown($0, request.amount.currency) }
        }
        var quote = Quote(identity.id, tenders)
        (quote.notes, quote.request) = (notes, request)
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
        let reply = try await context.exchange { attempt in
            try await wire.send(
                "GET", ARISEPath.permissions, bearer: attempt.access.value,
                more: [Self.versionHeader: Self.apiVersion])
        }
        return Set((reply["permissions"]?.array ?? []).compactMap { Self.word($0) })
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

/// What a merchant's access may do and how the merchant is set up; read now and then, never guessed.
struct ARISEProfile: Sendable {
    /// Nil where the access may not read them.
    let settings: ARISESettings?
    /// Nil where the access may not read them.
    let permissions: Set<Int64>?

    /// Says a missing permission before the call that needs it.
    func require(_ permission: ARISEPermission) throws(PaymentError) {
        guard let permissions, !permissions.contains(permission.rawValue) else { return }
        throw PaymentError.notExecuted(
            .permission, "the API token lacks the permission \(permission); enable it in the ARISE portal")
    }
}

/// The last profile that was read, shared by copies of a driver.
final class ARISEProfiles: Sendable {
    /// How long a profile is used, in milliseconds.
    static let lifeMilliseconds: Int64 = 10 * 60_000

    private let kept = Locked<(profile: ARISEProfile, until: Int64)?>(nil)

    func current(_ now: Int64) -> ARISEProfile? {
        kept.withLock { kept in kept.flatMap { $0.until > now ? $0.profile : nil } }
    }

    func keep(_ profile: ARISEProfile, _ now: Int64) {
        kept.withLock { $0 = (profile, now + Self.lifeMilliseconds) }
    }
}

extension ARISEDriver {
    /// One exchange that only reads, through whichever door.
    typealias Reading = ((Transmission) async throws -> JSONReply) async throws(PaymentError) -> JSONReply

    /// The merchant's settings and permissions.
    func profile(_ now: Int64, _ read: Reading) async throws(PaymentError) -> ARISEProfile {
        if let known = profiles.current(now) { return known }
        let permissions = try await allowed(ARISEPath.permissions, read)?["permissions"]?.array
        let settings = try await allowed(ARISEPath.settings, read)
        let profile = ARISEProfile(
            settings: settings.map { ARISESettings($0) }, permissions: permissions.flatMap { Self.numbers($0) })
        profiles.keep(profile, now)
        return profile
    }

    /// The header with the version that the description names.
    private static let versionHeader = "x-api-version"
    private static let apiVersion = "1.0"

    /// Permissions by number, as text, by name or as objects; nil where one can't be read, since the access then may
    /// have what seems to be missing.
    private static func numbers(_ items: [JSON]) -> Set<Int64>? {
        var found: Set<Int64> = []
        for item in items {
            guard let number = number(item) else { return nil }
            if item["enabled"]?.bool != false { found.insert(number) }
        }
        return found
    }

    private static let permissionNames = Dictionary(
        uniqueKeysWithValues: ARISEPermission.allCases.map { ("\($0)".lowercased(), $0.rawValue) })

    private static func number(_ item: JSON) -> Int64? {
        let said = item["id"] ?? item
        return said.int64 ?? said.string.flatMap { Int64($0) ?? permissionNames[$0.lowercased()] }
    }

    /// A permission in words; nil for one that the access doesn't have, or that says nothing.
    private static func word(_ item: JSON) -> String? {
        guard item["enabled"]?.bool != false else { return nil }
        guard let number = number(item) else { return (item["id"] ?? item["name"] ?? item).string }
        return ARISEPermission(rawValue: number).map { "\($0)" } ?? "unknown(\(number))"
    }

    /// A body, or nil where the access may not read it.
    private func allowed(_ path: String, _ read: Reading) async throws(PaymentError) -> JSON? {
        do {
            return try await read {
                try await wire.send("GET", path, bearer: $0.access.value, more: [Self.versionHeader: Self.apiVersion])
            }.body
        } catch {
            // What the access may do is a hint: the call itself says what it may not. Only a lost connection or access
            // stops here.
            if [.permission, .invalidRequest, .notFound].contains(error.code) { return nil }
            throw error
        }
    }

    func profile(_ context: PaymentContext) async throws(PaymentError) -> ARISEProfile {
        try await profile(context.now) { send throws(PaymentError) in try await context.exchange(.readOnly, send) }
    }

    func profile(_ context: LookupContext) async throws(PaymentError) -> ARISEProfile {
        try await profile(context.now) { send throws(PaymentError) in try await context.exchange(send) }
    }
}

/// Holds and releases bank transfers that were not sent yet: only ARISE has that, and no money moves by it.
///
/// An extension of the public API. The token is the session's: `await client.session?.token()`.
public struct ARISEBankHolds: Sendable {
    private let driver: ARISEDriver

    /// Works through a driver.
    public init(_ driver: ARISEDriver) { self.driver = driver }

    /// Keeps a transfer back; gives the state afterwards, in ARISE's word.
    public func hold(_ references: PaymentReferences, token: Secret) async throws(PaymentError) -> String {
        try await ask("hold", references, token)
    }

    /// Lets a transfer go again; gives the state afterwards, in ARISE's word.
    public func unhold(_ references: PaymentReferences, token: Secret) async throws(PaymentError) -> String {
        try await ask("unhold", references, token)
    }

    private func ask(_ verb: String, _ references: PaymentReferences, _ token: Secret) async throws(PaymentError)
        -> String
    {
        guard let id = references[ARISEMapping.transactionKey].flatMap({ PercentEncoding.pathSegment($0) }) else {
            throw PaymentError.notExecuted(.invalidRequest, "the references name no transaction")
        }
        do {
            let reply = try await driver.wire.send("POST", ARISEPath.bank(id, verb), bearer: token)
            return reply["status"]?.string ?? ""
        } catch {
            let fault = driver.classify(error)
            throw PaymentError(fault.code, outcome: .notExecuted, provider: fault.provider, detail: fault.detail)
        }
    }
}

/// The exact local preview of what ARISE would charge per tender; the provider's own calculation decides.
public struct ARISEPricing: Hashable, Sendable {
    /// How the costs of card payments are passed on.
    public enum Mode: Hashable, Sendable {
        /// Every tender costs the same.
        case noZeroCost
        /// Cash costs less by a rate.
        case cashDiscount(Rate)
        /// Cards have a price of their own, higher by a rate.
        case dualPricing(Rate)
        /// Credit cards cost more by a rate.
        case surcharge(Rate)
    }

    /// Which amount a surcharge is a percentage of.
    public enum SurchargeBase: String, Hashable, Sendable, CaseIterable {
        /// The amount before anything is taken off; both published examples follow it.
        case originalBase
        /// What is left after the percentage off.
        case afterPercentageOff
        /// What is left after the percentage off, with the tip.
        case includingTip
    }

    /// How the costs of card payments are passed on.
    public let mode: Mode
    /// Which amount a surcharge is a percentage of.
    public var surchargeBase = SurchargeBase.originalBase

    /// Makes a preview of one mode.
    public init(_ mode: Mode) { self.mode = mode }

    /// Makes a preview of what the provider has on record.
    ///
    /// - Throws: `configuration`, nothing moved, when the pricing is not one of the four or its rate is missing.
    public init(_ settings: MerchantSettings) throws(PaymentError) {
        func rate(_ name: String) throws(PaymentError) -> Rate {
            guard let text = settings.rates[name] else {
                throw PaymentError.notExecuted(.configuration, "ARISE names no rate of \(name)")
            }
            return try Rate(percent: text)
        }
        switch settings.pricing.flatMap({ ARISESettings.ZeroCost(rawValue: $0) }) {
        case .noZeroCost: self.init(.noZeroCost)
        case .cashDiscount: self.init(.cashDiscount(try rate("cashDiscount")))
        case .dualPricing: self.init(.dualPricing(try rate("dualPricing")))
        case .surcharge: self.init(.surcharge(try rate("surcharge")))
        case nil:
            throw PaymentError.notExecuted(.configuration, "ARISE's pricing is none of the four")
        }
    }

    /// The tenders with their names on the wire.
    static let members: [(Tender, String)] = [
        (.cash, "cash"), (.bankAccount, "ach"), (.debit, "debitCard"), (.credit, "creditCard"),
    ]

    /// The price per tender.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when inputs contradict each other or a rate can't be read.
    public func quote(_ request: QuoteRequest, from provider: ProviderID) throws(PaymentError) -> Quote {
        var isDual = false
        if case .dualPricing = mode { isDual = true }
        let notes = try Self.check(request, dual: isDual)
        var tenders: [Tender: Quote.Breakdown] = [:]
        for tender in Tender.allCases { tenders[tender] = try price(request, tender) }
        var quote = Quote(provider, tenders)
        quote.notes = notes
        return quote
    }

    /// Refuses inputs that contradict each other; says what is left out.
    static func check(_ request: QuoteRequest, dual isDual: Bool) throws(PaymentError) -> [String] {
        func invalid(_ detail: String) -> PaymentError {
            PaymentError.notExecuted(.invalidRequest, detail)
        }
        guard request.amount.minorUnits > 0 else { throw invalid("a price is computed of more than nothing") }
        let tipRate = try request.tipPercent.map { text throws(PaymentError) in try Rate(percent: text) }
        _ = try request.discountPercent.map { text throws(PaymentError) in try Rate(percent: text) }
        _ = try request.surchargePercent.map { text throws(PaymentError) in try Rate(percent: text) }
        if let tip = request.tip, !tip.isZero, let tipRate, !tipRate.isZero {
            throw invalid("give the tip as an amount or as a percentage, not both")
        }
        if isDual, request.isCardPrice == nil {
            throw invalid("with dual pricing, say whether the amount is the card price (`isCardPrice`)")
        }
        if !isDual, request.isCardPrice != nil {
            return ["isCardPrice was left out: only dual pricing has two prices"]
        }
        return []
    }

    private func price(_ request: QuoteRequest, _ tender: Tender) throws(PaymentError) -> Quote.Breakdown {
        let isCard = tender == .debit || tender == .credit
        var base = request.amount
        if case .dualPricing(let rate) = mode {
            switch (request.isCardPrice ?? true, isCard) {
            case (true, false): base = try rate.withoutMarkUp(base)
            case (false, true): base = try rate.markedUp(base)
            case (true, true), (false, false): break
            }
        }
        var price = Quote.Breakdown(base: base, total: base)
        let off = try share(request.discountPercent, of: base, "discount", &price)
        let net = try base.subtracting(off ?? .zero(base.currency))
        price.discount = off
        if case .cashDiscount(let rate) = mode, !isCard {
            price.cashDiscount = try rate.share(of: net)
            price.rates["cashDiscount"] = rate.percentText
        }
        price.tip = request.tip
        if price.tip == nil { price.tip = try share(request.tipPercent, of: base, "tip", &price) }
        if case .surcharge(let standard) = mode, tender == .credit {
            let rate = try request.surchargePercent.map { text throws(PaymentError) in try Rate(percent: text) }
            price.surcharge = try (rate ?? standard).share(of: try surchargeable(base, net, price.tip))
            price.rates["surcharge"] = (rate ?? standard).percentText
        }
        price.total = try net.subtracting(price.cashDiscount ?? .zero(base.currency))
        for part in [price.surcharge, price.tip] { price.total = try price.total.adding(part ?? .zero(base.currency)) }
        return price
    }

    private func surchargeable(_ base: Money, _ net: Money, _ tip: Money?) throws(PaymentError) -> Money {
        switch surchargeBase {
        case .originalBase: base
        case .afterPercentageOff: net
        case .includingTip: try net.adding(tip ?? .zero(net.currency))
        }
    }

    private func share(
        _ percent: String?, of base: Money, _ name: String, _ price: inout Quote.Breakdown
    ) throws(PaymentError) -> Money? {
        guard let percent else { return nil }
        let rate = try Rate(percent: percent)
        price.rates[name] = rate.percentText
        return try rate.share(of: base)
    }
}
