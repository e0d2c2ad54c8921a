public import PaymentProviderKit

/// Network International: cards by tap on a phone, through the provider's Digital Platform.
///
/// No id of the client travels with a payment, so a lost answer is recognised by a match (time, amount, terminal)
/// or by difference (what was captured or refunded before).
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
        takes.listed = NIMapping.listed
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
        plan.clockMarginMilliseconds = Self.clockSkewMilliseconds
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
    public var accessAddresses: [String] { ["\(configuration.endpoint)"] }

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
        let captures = hook.captures.map { NIMapping.own($0, "capture", of: hook.order) }
        let subjects =
            [ProviderNotice.Subject.reference(hook.order, [.sale, .authorize])]
            + captures.map { .reference($0, [.capture]) } + hook.refunds.map { .reference($0, [.refund]) }
        return subjects.map { ProviderNotice($0, nil, at: nil, kind: hook.event) }
    }
}

extension NIDriver: SaleDriver, AuthorizationDriver {
    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        _ = try await located()
        let read = try await context.read(CardReadRequest(.purchase, request.amount))
        if request.isDryRun {
            var approval = Approval(request.amount)
            approval.isDryRun = true
            return .approved(approval)
        }
        return try await pay(NIPath.purchase, .sale, request.amount, read, context)
    }

    public func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        _ = try await located()
        let read = try await context.read(CardReadRequest(.purchase, request.amount))
        return try await pay(NIPath.authorise, .authorize, request.amount, read, context)
    }

    /// Sends what the reader handed over; amount and currency are inside it.
    private func pay(
        _ path: String, _ operation: PaymentOperation, _ asked: Money, _ read: CardReadResult, _ context: PaymentContext
    ) async throws -> Verdict {
        let body: JSON = [
            "language": "EN", "locale": "", "tid": .string(configuration.terminal),
            "payment": .string(read.paymentCardData.expose()),
        ]
        let verdict: Verdict = try await context.exchange(.money) { attempt in
            let payment: NIPayment
            do {
                payment = try await send("POST", path, attempt, body: body, unreadable: "210", as: NIPayment.init)
            } catch let refusal as HTTPErrorResponse {
                guard let decline = NIMapping.decline(refusal.status, NIRefusal(refusal.body)) else { throw refusal }
                return .declined(decline)
            }
            try notePart(payment, context)
            return try self.verdict(payment, operation)
        }
        return try await confirmed(verdict, asked: asked, context)
    }

    /// Keeps that only a part was approved, and in which order: the order may name the ordered amount alone.
    func notePart(_ payment: NIPayment, _ context: PaymentContext) throws(PaymentError) {
        guard payment.isPartial, !payment.order.isEmpty, payment.outlet ?? configuration.outlet == configuration.outlet
        else { return }
        try context.note(Self.orderNote, payment.order)
        try context.note(Self.partNote, payment.state)
    }

    /// What an answer about a payment says; one about another outlet is not believed.
    func verdict(_ payment: NIPayment, _ operation: PaymentOperation) throws(PaymentError) -> Verdict {
        guard payment.outlet ?? configuration.outlet == configuration.outlet else {
            throw PaymentError.unknown(.mismatch, "the answer is about another outlet")
        }
        return try NIMapping.verdict(payment, operation)
    }

    /// Another amount than was asked for has to be beyond doubt: the order says it, too.
    func confirmed(
        _ verdict: Verdict, asked: Money, _ context: PaymentContext
    ) async throws -> Verdict {
        if case .approved(let part) = verdict, part.isPartial, part.amount.minorUnits >= asked.minorUnits {
            throw PaymentError.unknown(.mismatch, "a part was approved, and no answer says how much it is")
        }
        guard case .approved(let approval) = verdict, approval.amount != asked,
            let name = approval.references["order"]
        else { return verdict }
        let order = try await after(name, context)
        let shown = [PaymentOperation.sale, .authorize].compactMap { NIMapping.moved(order, $0)?.minorUnits }.min()
        guard shown == approval.amount.minorUnits, order.amount?.money?.currency == approval.amount.currency else {
            throw PaymentError.unknown(.mismatch, "the answer is over another amount, and the order over a third")
        }
        return verdict
    }

    public func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let (order, payment) = (try name("order", request), try name("payment", request))
        let before = try await baseline(order, request.amount, context, \.captures)
        let body: JSON = ["amount": NIAmount.json(request.amount)]
        return try await context.exchange(.money) { attempt in
            let reply = try await send(
                "POST", NIPath.capture(order, payment), attempt, body: body, unreadable: "210", as: NIPayment.init)
            guard reply.order == order, reply.reference == payment, let captures = reply.captures else {
                throw PaymentError.unknown(.mismatch, "the answer is about another payment")
            }
            // The list may hold all captures, or only the new one.
            let known = before.captures
            let new =
                captures.count > known.count
                ? Array(captures.dropFirst(known.count))
                : captures.filter { capture in !known.contains { $0.name == capture.name } }
            return try NIMapping.verdict(of: new[...], "capture", asked: request.amount, order: order)
        }
    }
}

extension NIDriver: VoidDriver, RefundDriver {
    public func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let order = try name("order", request)
        let verdict = try await act(NIPath.cancel(order), nil, "void", unreadable: "710", request, context)
        // One word may mean all of it or what was only held: the order says what is left.
        if case .approved = verdict, try await after(order, context).isUndone == false {
            throw PaymentError.unknown(.mismatch, "the void was accepted, and something is still held or charged")
        }
        return verdict
    }

    public func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let order = try name("order", request)
        let before = try await baseline(order, request.amount, context, \.refunds)
        let body: JSON = ["amount": NIAmount.json(request.amount)]
        let verdict = try await act(NIPath.refund(order), body, "refund", unreadable: "610", request, context)
        // Where the order shows a change, it has to be this one and no other: a refund of what is not settled may be
        // carried out as a void of the whole.
        guard case .approved = verdict, let totals = before.totals else { return verdict }
        let change = try await after(order, context).change(since: totals)
        guard change.map({ $0.kind == "refund" && $0.units == request.amount.minorUnits }) ?? true else {
            throw PaymentError.unknown(.mismatch, "the refund was accepted, and the order shows another change")
        }
        return verdict
    }

    /// The order after something was accepted; that it can't be read proves nothing.
    func after(_ order: String, _ context: PaymentContext) async throws(PaymentError) -> NIOrder {
        do {
            return try await context.exchange(.readOnly) { attempt in try await self.order(order, attempt) }
        } catch {
            throw .unknown(.unreadableReply, "it was accepted, and the order can't be read")
        }
    }

    private func act(
        _ path: String, _ body: JSON?, _ name: String, unreadable: String, _ request: FollowUpRequest,
        _ context: PaymentContext
    ) async throws -> Verdict {
        try await context.exchange(.money) { attempt in
            let reply = try await send("POST", path, attempt, body: body, unreadable: unreadable) {
                NIAction($0, name: "\(name)Id")
            }
            return try NIMapping.verdict(reply.status, name, reply.name, request.amount)
        }
    }

    /// How the order stood before ours: remembered, with the number of captures or refunds, before anything is sent.
    private func baseline(
        _ order: String, _ amount: Money, _ context: PaymentContext, _ movements: (NIOrder) -> [NIMovement]
    ) async throws -> NIOrder {
        let before = try await context.exchange(.readOnly) { attempt in try await self.order(order, attempt) }
        if before.info["captured"]?.hasOurDecimals == false {
            throw PaymentError.notExecuted(
                .configuration,
                "the provider counts \(amount.currency.code) with other decimals; leave it out of the setting currencies"
            )
        }
        let totals = before.totals.map { " \($0.captured) \($0.refunded)" } ?? ""
        try context.note(Self.baselineNote, "\(movements(before).count) before\(totals)")
        return before
    }

    static let baselineNote = "baseline"
    /// The order that an answer named for the payment.
    static let orderNote = "order"
    /// Under which name it is remembered that only a part was approved: the journal asks a person for the amount then.
    static let partNote = "part"

    private func name(_ name: String, _ request: FollowUpRequest) throws -> String {
        if let reference = request.payment.references[name] { return reference }
        throw PaymentError.notExecuted(.conflict, "the \(name) of the payment at \(identity.id) is not known")
    }
}

extension NIDriver: DetailsDriver, ListDriver {
    /// How far the provider's clock and ours may be apart, in milliseconds.
    static let clockSkewMilliseconds: Int64 = 120_000
    /// How far our clock may be behind where nothing shows it, in milliseconds.
    static let behindMilliseconds: Int64 = 3_600_000
    /// How far the report is ahead if its times are Dubai's, in milliseconds.
    static let dubaiMilliseconds: Int64 = 4 * 3_600_000
    /// How many look-alikes are asked about at most.
    static let besideMax = 50
    /// How many pages of the report a lookup reads at most.
    static let lookupPagesMax = 20

    public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        switch inquiry.record.intent.operation {
        case .sale, .authorize:
            if let name = inquiry.verdict?.references["order"] {
                return shown(try await shownOrder(name, context), name, inquiry)
            }
            if let name = inquiry.note(Self.orderNote) {
                let order = try await shownOrder(name, context)
                // It has the name that the answer gave: a person has to say that it is not this one.
                guard isHere(order) == true else {
                    return .cannotTell("The order was not taken at this terminal, or does not say it.", shown: [name])
                }
                return shown(order, name, inquiry)
            }
            return try await matchByAmount(inquiry, context)
        case .capture: return try await difference(inquiry, "capture", context, \.captures)
        case .refund: return try await difference(inquiry, "refund", context, \.refunds)
        case .void:
            guard let name = inquiry.payment?.references["order"] else {
                return .cannotTell("The order's name is not known.")
            }
            let order = try await shownOrder(name, context)
            return order.isUndone
                ? .found(.approved(Approval(inquiry.amount))) : .cannotTell("The order does not show the void.")
        case .adjust, .unlinkedRefund, .tipAdjustment, .verify, .tokenize, .debit, .chargeback:
            return .cannotTell("The provider can't be asked about this operation.")
        }
    }

    private func shownOrder(_ name: String, _ context: LookupContext) async throws(PaymentError) -> NIOrder {
        try await context.exchange { attempt in try await self.order(name, attempt) }
    }

    /// What an order shows of its payment; where only a part was approved, it has to name less than the whole.
    private func shown(_ order: NIOrder, _ name: String, _ inquiry: LookupRequest) -> LookupResult {
        let verdict: Verdict
        do throws(PaymentError) {
            let known = inquiry.verdict?.references["payment"]
            verdict = try NIMapping.verdict(order, inquiry.record.intent.operation, known: known)
        } catch { return .cannotTell("The order proves nothing: \(error.detail)", shown: [name]) }
        guard inquiry.note(Self.partNote) != nil, case .approved(var part) = verdict else { return .found(verdict) }
        guard part.amount.minorUnits < inquiry.amount.minorUnits else {
            return .cannotTell(
                "Only a part was approved, and the order does not say how much. A person has to.", shown: [name])
        }
        part.isPartial = true
        return .found(.approved(part))
    }

    /// Whether an order was taken at this terminal; nil where it does not say.
    private func isHere(_ order: NIOrder) -> Bool? {
        if let terminal = order.terminal { return terminal == configuration.terminal }
        guard let code = order.device?["code"]?.string else { return nil }
        return code == configuration.deviceCode
    }

    /// Payments of the same kind and amount, at the same time, at this terminal; at most one of them is ours.
    private func matchByAmount(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        guard let submitted = inquiry.submittedAt else {
            return .cannotTell("It is not known when the request was sent.")
        }
        let (times, actions) = (matched(submitted), Self.actions(inquiry))
        var alike: [String: Int64] = [:]
        func unclear(_ why: String) -> LookupResult { .cannotTell(why, shown: alike.keys.sorted()) }
        var offset = 0
        for page in 1... {
            guard page <= Self.lookupPagesMax else { return unclear("The report is longer than a lookup reads.") }
            let items = try await self.page(offset, ListQuery.limitMax, context)
            for item in items {
                // What can't be read may be ours.
                guard let amount = item.amount, let at = item.at else {
                    return unclear("A line of the report can't be read.")
                }
                if actions.contains(item.action), amount == inquiry.amount, times.contains(at) {
                    alike[item.reference] = at
                }
            }
            offset += items.count
            // A page may have fewer lines than were asked for; only an empty one ends the report, or an older line where
            // the newest come first.
            guard let first = items.first?.at, let last = items.last?.at else { break }
            let ats = items.compactMap(\.at)
            let isFalling = first > last && zip(ats, ats.dropFirst()).allSatisfy { $0 >= $1 }
            if last < times.lowerBound, isFalling { break }
        }
        var candidates: [LookupResult.Candidate] = []
        for (name, at) in alike.sorted(by: { $0.key < $1.key }) {
            let order = try await shownOrder(name, context)
            // Passed over, it would leave another's as the only one.
            guard let isOurs = isHere(order) else {
                return unclear("An order that looks like it does not say where it was taken.")
            }
            guard isOurs else {
                alike[name] = nil
                continue
            }
            let verdict: Verdict
            do throws(PaymentError) {
                let known = inquiry.verdict?.references["payment"]
                verdict = try NIMapping.verdict(order, inquiry.record.intent.operation, known: known)
            } catch { return unclear("An order that looks like it proves nothing: \(error.detail)") }
            candidates.append(LookupResult.Candidate(name, verdict, at: at))
        }
        return .candidates(candidates)
    }

    /// The times at which what was submitted then is matched.
    private func matched(_ submitted: Int64) -> ClosedRange<Int64> {
        submitted - Self.clockSkewMilliseconds...submitted + arrivalMilliseconds
    }

    /// What the report calls payments of the kind that was asked for.
    private static func actions(_ inquiry: LookupRequest) -> [String] {
        inquiry.record.intent.operation == .authorize ? ["AUTH"] : ["PURCHASE", "SALE"]
    }

    /// Orders of the same kind and amount, but those that another terminal took or that were declined.
    public func lookAlikes(of inquiry: LookupRequest, _ context: LookupContext) async throws -> [String] {
        switch inquiry.record.intent.operation {
        case .sale, .authorize: break
        default: return []
        }
        let isNamed = inquiry.verdict?.references["order"] ?? inquiry.note(Self.orderNote) != nil
        guard let submitted = inquiry.submittedAt, !isNamed else { return [] }
        let (inDubai, actions) = (matched(submitted + Self.dubaiMilliseconds), Self.actions(inquiry))
        var (alike, offset) = ([String: UInt64](), 0)
        var dated: ClosedRange<Int64>?
        for _ in 1...Self.lookupPagesMax {
            guard let items = try? await self.page(offset, ListQuery.limitMax, context), !items.isEmpty else { break }
            let ats = items.compactMap(\.at)
            let range =
                dated
                ?? inquiry.couldBeDated(
                    newest: ats.max(), now: context.now, margin: Self.clockSkewMilliseconds,
                    within: arrivalMilliseconds + Self.behindMilliseconds)
            dated = range
            for item in items where actions.contains(item.action) && item.amount ?? inquiry.amount == inquiry.amount {
                // What has no time that can be read may be of any.
                let at = item.at ?? submitted
                guard range.contains(at) || inDubai.contains(at) else { continue }
                alike[item.reference] = inquiry.distance(to: at)
            }
            offset += items.count
            // As in the search by amount, an older line ends the report only where the newest come first.
            guard let newest = ats.first, let oldest = ats.last else { continue }
            let isFalling = newest > oldest && zip(ats, ats.dropFirst()).allSatisfy { $0 >= $1 }
            if isFalling, oldest < range.lowerBound { break }
        }
        var names: [String] = []
        for (place, item) in alike.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }).enumerated() {
            if place < Self.besideMax, let order = try? await shownOrder(item.key, context) {
                if isHere(order) == false { continue }
                if case .declined? = try? NIMapping.verdict(order, inquiry.record.intent.operation) { continue }
            }
            names.append(item.key)
        }
        return names
    }

    /// What there is now against what there was before; told only when exactly one of our amount is new.
    private func difference(
        _ inquiry: LookupRequest, _ name: String, _ context: LookupContext, _ movements: (NIOrder) -> [NIMovement]
    ) async throws -> LookupResult {
        guard let reference = inquiry.payment?.references["order"] else {
            return .cannotTell("The order's name is not known.")
        }
        let order = try await shownOrder(reference, context)
        if let known = inquiry.verdict?.references[name] {
            let same = movements(order).filter { NIMapping.own($0.name, name, of: reference) == known }
            return same.count == 1
                ? .found(try NIMapping.verdict(of: same[...], name, asked: inquiry.amount, order: reference))
                : byTotals(order, name, inquiry)
        }
        let count = baseline(inquiry).first
        guard let count, movements(order).count > count else { return byTotals(order, name, inquiry) }
        let new = movements(order).dropFirst(Int(count))
        guard new.count == 1, new.first?.amount?.money == inquiry.amount else { return byTotals(order, name, inquiry) }
        return .changed(try NIMapping.verdict(of: new, name, asked: inquiry.amount, order: reference))
    }

    /// The numbers that were remembered before anything was sent.
    private func baseline(_ inquiry: LookupRequest) -> [Int64] {
        (inquiry.note(Self.baselineNote)?.split(separator: " ") ?? []).compactMap { Int64($0) }
    }

    /// What the running amounts say, where the list of movements doesn't: exactly ours has changed.
    private func byTotals(_ order: NIOrder, _ name: String, _ inquiry: LookupRequest) -> LookupResult {
        let known = baseline(inquiry)
        guard known.count == 3, order.info["captured"]?.hasOurDecimals == true,
            let change = order.change(since: (known[1], known[2])), change.kind == name,
            change.units == inquiry.amount.minorUnits
        else { return .cannotTell("Neither the movements nor the amounts of the order show exactly this one.") }
        return .changed(.approved(Approval(inquiry.amount)))
    }

    public func details(_ references: PaymentReferences, _ context: LookupContext) async throws -> PaymentDetails? {
        guard let name = references["order"] else { return nil }
        let order: NIOrder
        do { order = try await shownOrder(name, context) } catch {
            if error.code == .notFound { return nil }
            throw error
        }
        return try NIMapping.details(order, now: context.now)
    }

    public func list(_ query: ListQuery, _ context: LookupContext) async throws -> PaymentDetailsPage {
        guard let offset = Int32(query.cursor ?? "0").map({ Int($0) }), offset >= 0 else {
            throw PaymentError.notExecuted(.invalidRequest, "the cursor is none of Network International's")
        }
        let items = try await page(offset, query.limit, context)
        // As in a lookup, only an empty page ends the report.
        let next = items.isEmpty ? nil : String(offset + items.count)
        return PaymentDetailsPage(items.map { NIMapping.details($0) }, next: next)
    }

    private func page(_ offset: Int, _ limit: Int, _ context: LookupContext) async throws -> [NIListItem] {
        let query = [(name: "limit", value: String(limit)), (name: "offset", value: String(offset))]
        return try await context.exchange { attempt in
            try await send("GET", NIPath.payments, attempt, query: query, unreadable: "310") { json in
                guard let items = json?["items"]?.array else { return nil }
                let read = items.compactMap { NIListItem($0) }
                return read.count == items.count ? read : nil
            }
        }
    }
}
